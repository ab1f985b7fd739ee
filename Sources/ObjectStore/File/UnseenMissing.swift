/// The missing attributes of rows that only the file can record, because the declared class lacks these attributes.
///
/// They stay in the file while rows are written. A row that the class inserts lacks all of them, and no row becomes whole,
/// because payloads may have had attributes that the class lacks.
struct UnseenMissing {
  /// The indexes in the file of the attributes that the class lacks.
  private let attributes: [Int]
  /// The first slot that had no row when the class was loaded.
  private let firstNewSlot: Int
  /// False if the class has attributes that the file lacks: then no row is whole any more.
  private let keepsWholeness: Bool
  /// For the rows that were loaded, by slot: the missing ones among ``attributes``, each as its index + 1, and 0 if the row
  /// is whole.
  private var loaded: [Int: AttributeBits] = [:]

  init(_ mapping: FileMapping, firstNewSlot: Int, keepsWholeness: Bool) {
    attributes = mapping.unknown
    self.keepsWholeness = keepsWholeness
    self.firstNewSlot = firstNewSlot
  }

  /// Records the bits of a loaded row: that of a whole row, then those of the attributes in the file.
  mutating func load(_ slot: Int, _ hasBit: (Int) -> Bool) {
    if attributes.isEmpty { return }
    var bits = AttributeBits()
    if keepsWholeness, hasBit(0) { bits.insert(0) }
    for attribute in attributes where hasBit(attribute + 1) { bits.insert(attribute + 1) }
    if !bits.isEmpty { loaded[slot] = bits }
  }

  /// The bits of a row that only the file has, and that of a whole row.
  func bits(of slot: Int) -> [Int] {
    slot < firstNewSlot ? loaded[slot]?.all ?? [] : attributes.map { $0 + 1 }
  }
}
