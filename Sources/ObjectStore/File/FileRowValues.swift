import StoreDatabase

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
  private let unseen: UnseenMissing?

  init(
    _ mapping: FileMapping, _ layout: TableLayout, _ values: FileValues,
    _ unseen: UnseenMissing? = nil
  ) {
    self.unseen = unseen
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

  /// The values of the engine's own columns. Those of the last two are 0 for a row with a key, which has no such columns.
  struct Own {
    /// The missing attributes by their index in the file, after the bit of a whole row; nil if there are none.
    var missing: [UInt8]?
    var references: Int64 = 0
    var nested: Int64 = 0
  }

  /// Returns the values of the engine's own columns of a row.
  func own(_ version: TableVersion, _ slot: Int) -> Own {
    var own = Own()
    if unseen != nil || version.hasMissing(slot, layout) { own.missing = missing(version, slot) }
    if layout.identity != .keyed {
      let columns = version.columns(slot)
      let row = slot & ChunkLayout.mask
      own.references = Int64(bitPattern: columns[layout.referencesColumn].word(row))
      own.nested = Int64(columns[layout.bornNestedColumn].byte(row))
    }
    return own
  }

  @inline(never)
  private func missing(_ version: TableVersion, _ slot: Int) -> [UInt8]? {
    var bits: [UInt8] = []
    func insert(_ bit: Int) {
      while bits.count <= bit / 8 { bits.append(0) }
      bits[bit / 8] |= 1 << UInt8(bit % 8)
    }
    if unseen == nil, version.isWhole(slot, layout) { insert(0) }
    for (attribute, fileIndex) in fileIndexes.enumerated()
    where fileIndex >= 0 && version.isMissing(slot, attribute) { insert(fileIndex + 1) }
    for bit in unseen?.bits(of: slot) ?? [] { insert(bit) }
    return bits.isEmpty ? nil : bits
  }
}

extension FileRowValues.Own {
  /// Calls `body` with the checksum of each column of a row.
  @inline(__always)
  func forEachSum(
    _ row: UInt64, _ identity: TableLayout.Identity, _ body: (FileClass.OwnColumn, UInt64) -> Void
  ) {
    missing?.withUnsafeBytes { body(.missing, Checksum.bytes(row, $0)) }
    if identity == .keyed { return }
    body(.references, Checksum.word(row, UInt64(bitPattern: references)))
    body(.nested, Checksum.word(row, UInt64(nested)))
  }

  /// Binds the values of all columns, and returns the parameter after the last.
  func bind(
    _ statement: Statement, from parameter: Int, _ identity: TableLayout.Identity
  ) -> Int {
    if let missing {
      missing.withUnsafeBytes { statement.bindBlobCopy(parameter, $0) }
    } else {
      statement.bindNull(parameter)
    }
    if identity == .keyed { return parameter + 1 }
    statement.bind(parameter + 1, references)
    statement.bind(parameter + 2, nested)
    return parameter + 3
  }
}

extension FileRowValues {
  /// Adds a row to the row count and the checksums of a class.
  func add(_ version: TableVersion, _ slot: Int, to entry: inout ClassSums) {
    let row = UInt64(slot + 1)
    entry.rowCount += 1
    entry.addOwn(.row, Checksum.word(row, 1))
    own(version, slot).forEachSum(row, layout.identity) { entry.addOwn($0, $1) }
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
