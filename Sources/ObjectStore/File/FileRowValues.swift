/// Reads the values of rows in memory in their form in the file.
// Not thread-safe: a value may be in the buffer of `values`.
struct FileRowValues {
  private let layout: TableLayout
  private let values: FileValues
  /// The values and links of the class.
  let scalars: ContiguousArray<FileMapping.ScalarColumn>
  /// The lists, sets and maps of the class.
  let collections: [FileMapping.Column]
  /// The index of each attribute in the file; -1 if it is not there.
  private let fileIndexes: [Int]

  init(_ mapping: FileMapping, _ layout: TableLayout, _ values: FileValues) {
    self.layout = layout
    self.values = values
    scalars = ContiguousArray(mapping.scalars.map { FileMapping.ScalarColumn($0) })
    collections = mapping.collections
    var fileIndexes = [Int](repeating: -1, count: layout.columns.count - layout.firstAttribute)
    for column in mapping.columns {
      fileIndexes[column.column - layout.firstAttribute] = column.fileIndex
    }
    self.fileIndexes = fileIndexes
  }

  /// Returns a value. It is valid until the next call.
  @inline(__always)
  func value(
    _ version: TableVersion, _ slot: Int, _ column: FileMapping.ScalarColumn
  ) -> ElementValue {
    let source = version.columns(slot)[column.column]
    let row = slot & ChunkLayout.mask
    if source.isNull(row) { return ElementValue(isNull: true) }
    switch column.kind {
    case .byte: return ElementValue(word: UInt64(source.byte(row)))
    case .bytes:
      return values.inFile(ElementValue(bytes: source.bytes(ofWord: source.word(row))), column.type)
    case .link:
      let word = source.word(row)
      return ElementValue(word: word, isNull: word == 0)
    case .word, .collection: return ElementValue(word: source.word(row))
    }
  }

  func elements(
    _ version: TableVersion, _ slot: Int, _ column: FileMapping.Column
  ) -> StoredElements {
    StoredElements(version, slot, column.column, column.layout)
  }

  /// Returns the values of the engine's own columns of a row without a key.
  func own(
    _ version: TableVersion, _ slot: Int
  ) -> (references: Int64, nested: Int64, defaults: [UInt8]) {
    assert(layout.identity != .keyed, "Rows with a key have no columns of the engine")
    let columns = version.columns(slot)
    let row = slot & ChunkLayout.mask
    var defaults: [UInt8] = []
    for (attribute, fileIndex) in fileIndexes.enumerated() where version.isDefault(slot, attribute)
    {
      if fileIndex < 0 { continue }
      while defaults.count <= fileIndex / 8 { defaults.append(0) }
      defaults[fileIndex / 8] |= 1 << UInt8(fileIndex % 8)
    }
    return (
      Int64(bitPattern: columns[TableLayout.referencesColumn].word(row)),
      Int64(columns[TableLayout.bornNestedColumn].byte(row)), defaults
    )
  }
}

extension FileRowValues {
  /// Adds a row to the row count and the checksums of a class.
  func add(_ version: TableVersion, _ slot: Int, to entry: inout ClassSums) {
    let row = UInt64(slot + 1)
    entry.rowCount += 1
    entry.addOwn(.row, Checksum.word(row, 1))
    if layout.identity != .keyed {
      let (references, nested, defaults) = own(version, slot)
      entry.addOwn(.references, Checksum.word(row, UInt64(bitPattern: references)))
      entry.addOwn(.nested, Checksum.word(row, UInt64(nested)))
      defaults.withUnsafeBytes { entry.addOwn(.defaults, Checksum.bytes(row, $0)) }
    }
    for column in scalars {
      entry.attributes[column.fileIndex] &+= Checksum.value(
        slot + 1, value(version, slot, column), isBytes: column.isBytes)
    }
    for column in collections {
      let elements = elements(version, slot, column)
      let type = column.wanted.type
      for index in 0..<elements.count {
        entry.attributes[column.fileIndex] &+= Checksum.element(
          slot + 1, index, values.inFile(elements[index], type), isBytes: type.isBytes)
      }
    }
  }
}

extension FileClass {
  /// Adds the count and the checksums of rows.
  mutating func add(_ sums: ClassSums) {
    rowCount += sums.rowCount
    for index in ownSums.indices { ownSums[index] &+= sums.own[index] }
    for index in attributes.indices { attributes[index].sum &+= sums.attributes[index] }
  }
}
