/// The missing attributes of rows that only the file can record, because the declared class lacks these attributes.
///
/// They stay in the file while rows are written. A row that the class inserts lacks all of them.
struct UnseenMissing {
  /// The indexes in the file of the attributes that the class lacks.
  private let attributes: [Int]
  /// The first slot that had no row when the class was loaded.
  private let firstNewSlot: Int
  /// The missing ones among ``attributes``, by slot, for the rows that were loaded.
  private var loaded: [Int: AttributeBits] = [:]

  init(_ mapping: FileMapping, firstNewSlot: Int) {
    attributes = mapping.unknown
    self.firstNewSlot = firstNewSlot
  }

  /// Records the missing attributes of a loaded row. `isMissing` gets the index of an attribute in the file.
  mutating func load(_ slot: Int, _ isMissing: (Int) -> Bool) {
    var bits = AttributeBits()
    for attribute in attributes where isMissing(attribute) { bits.insert(attribute) }
    if !bits.isEmpty { loaded[slot] = bits }
  }

  /// The indexes in the file of the attributes that a row lacks.
  func attributes(of slot: Int) -> [Int] {
    slot < firstNewSlot ? loaded[slot]?.all ?? [] : attributes
  }
}
