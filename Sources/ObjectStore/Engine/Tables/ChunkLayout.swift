/// A chunk holds up to 256 rows of a table, column by column.
///
///     Chunk ─ columns ─▶ [ StorageColumn 0 | StorageColumn 1 | … ]      one per column, contiguous
///                              │ values  ─▶ cell 0, cell 1, … cell 255  (width bytes each)
///                              │ presence─▶ one byte per row            (optional columns)
///                              │ text    ─▶ bytes of the strings        (an append-only arena)
///                              │ elements─▶ words of the collections    (an append-only arena)
///                              │ editOwner      the transaction that may write in place
///                              └ block      keeps the memory alive, reference-counted
///
/// Column 0 is the *live* byte of each row. A version is immutable: to write a cell, the writer first takes ownership
/// of the chunk (copying the column table, not the data), then of the column (copying its data), unless both already
/// have its edit owner. Rows at or past the sealed count are invisible to every version and are written in place.
enum ChunkLayout {
  /// The number of rows per chunk: the best compromise, by measurement, between small commits and bulk work.
  static let rows = 256
  static let shift = 8
  static let mask = 255
  /// The initial capacity of a table's first chunk. It is doubled as needed, up to ``rows``.
  static let firstRows = 16
  /// The largest slot. A ``SlotTree`` stores slots in 32 bits.
  static let lastSlot = Int(UInt32.max) - 2
}
