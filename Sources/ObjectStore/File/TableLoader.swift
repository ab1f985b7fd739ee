import StoreDatabase

/// Reads the rows of a class from its file directly into columns, and verifies their checksums.
struct TableLoader {
  private let database: Database
  private let entry: FileClass
  private let table: Table
  let mapping: FileMapping
  private let writer: TableWriter
  private let values = FileValues()
  private let progress: FileProgress?
  /// The rows that need not be read; nil to read all.
  private let mappedColumns: MappedColumns?
  /// True if other tools may have changed rows.
  private var acceptsExternalChanges = false
  /// The class with the counts and checksums of the rows read.
  private var found: FileClass
  /// The counts and checksums of the rows that were not read.
  private var mapped: ClassSums
  /// The attributes that require a value but are null in the file, by slot. The row was written before the class had
  /// them or, in a migration, while they were optional.
  private var missingValues: [Int: [FileMapping.Column]] = [:]
  /// The missing attributes that the table in memory cannot record.
  private(set) var unseen: UnseenMissing

  typealias Damage = FileCatalog.Damage

  init(
    _ database: Database, _ entry: FileClass, _ table: Table, _ mapping: FileMapping,
    _ progress: FileProgress? = nil, columns: MappedColumns? = nil
  ) {
    self.progress = progress
    mappedColumns = columns
    self.database = database
    self.entry = entry
    self.table = table
    self.mapping = mapping
    let start = TableVersion(
      empty: table.emptyVersion.empty, needed: table.needed, lazyChunks: columns?.chunks)
    writer = TableWriter(
      table, version: start, editOwner: StoreEngine.loadingOwner, nextSlot: 0,
      nextVersion: 0, failure: TransactionFailure(), clock: ChangeClock())
    mapped = ClassSums(attributeCount: entry.attributes.count)
    unseen = UnseenMissing(
      mapping, firstNewSlot: entry.nextRow - 1,
      keepsWholeness: !mapping.missing.contains(where: table.payloadAttributes.has))
    found = entry
    found.rowCount = 0
    found.ownSums = entry.ownSums.map { _ in 0 }
    for fileIndex in found.attributes.indices { found.attributes[fileIndex].sum = 0 }
  }

  /// Reads and verifies all rows.
  /// - Throws: `DatabaseError`, `Damage`, `StoreError`.
  /// - Complexity: O(rows), about a microsecond each.
  mutating func read() throws {
    try load(mappedColumns?.parts ?? [.rows(1...Int64.max)])
    try verify()
  }

  /// Reads the rows of one chunk and verifies their checksums.
  /// - Throws: `DatabaseError`, `Damage`.
  mutating func readChunk(_ chunk: ColumnFile.Entry) throws -> Chunk {
    let first = chunk.index << ChunkLayout.shift + 1
    let last = first + ChunkLayout.mask
    try load([.rows(Int64(first)...Int64(last))])
    guard ClassSums(of: found) == chunk.sums, let chunk = writer.loadedChunk(chunk.index) else {
      throw Damage(
        details: "\(entry.name): the rows \(first) to \(last) are damaged in the column file "
          + "and were changed in the database")
    }
    return chunk
  }

  /// Reads the rows of some chunks, in ascending order. Returns their counts and checksums.
  /// - Throws: `DatabaseError`, `Damage`.
  mutating func read(chunks: [Int]) throws -> ClassSums {
    try load(
      chunks.map { chunk in
        let first = Int64(chunk << ChunkLayout.shift) + 1
        return .rows(first...first + Int64(ChunkLayout.mask))
      })
    return ClassSums(of: found)
  }

  /// Returns a chunk that was read; nil if it has no rows.
  func chunk(_ index: Int) -> Chunk? { writer.loadedChunk(index) }

  /// Adds dead rows, so that an earlier version of the table has no more slots.
  func addDeadRows(upTo slotCount: Int) { writer.addDeadRows(upTo: slotCount) }

  /// The number of slots up to the last row that was read.
  var slotCount: Int { writer.version.count }

  /// Reads all rows without verifying their checksums. Returns the class with its current counts and checksums.
  /// - Throws: `Damage` if the store could not have written the rows.
  mutating func readExternallyChanged() throws -> FileClass {
    acceptsExternalChanges = true
    try load([.rows(1...Int64.max)])
    try checkKeys()
    return found
  }

  /// Checks that each compound key matches the attributes that form it.
  private func checkKeys() throws {
    let parts = entry.keyColumns
    guard !parts.isEmpty, let column = table.layout.keyColumn else { return }
    var wrong: Int?
    writer.version.forEachLive { slot in
      let key = writer.version.columns(slot)[column]
      let made = writer.version.compoundKey(slot, of: parts)
      let isSame = made.withUnsafeBytes { key.textEquals(slot & ChunkLayout.mask, $0) }
      wrong = isSame ? nil : slot
      return isSame
    }
    guard let wrong else { return }
    let names = entry.keyParts.map { entry.attributes[$0].name }.joined(separator: ", ")
    throw Damage(
      details: "\(entry.name): the key of row \(wrong + 1) does not match its attributes \(names)")
  }

  private mutating func load(_ parts: [MappedColumns.Part]) throws {
    try loadRows(parts)
    for column in mapping.collections { try loadCollection(column, parts) }
  }

  /// Returns the table, completed with defaults and the key index.
  func completedTable() throws(StoreError) -> TableVersion {
    try fillNewAttributes()
    if let error = writer.failure.error { throw error }
    if let mappedColumns { mappedColumns.index(writer) } else { writer.indexLoadedRows() }
    return writer.version
  }

  /// The maximum number of row numbers that another tool may skip. The slots in between take memory.
  private static let skippedRowLimit = 1 << 20

  // MARK: - Rows

  private mutating func loadRows(_ parts: [MappedColumns.Part]) throws {
    let columns = mapping.scalars
    let scalars = ContiguousArray(columns.map { FileMapping.ScalarColumn($0) })
    let own = RowStatements.ownNames(entry.identity).map(FileNames.quoted)
    let names =
      [FileNames.quoted("_row")] + (entry.recordsMissing ? own : ["NULL"] + own.dropFirst())
      + columns.map { FileNames.quoted($0.stored.sqlName) }
    let statement = try database.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(FileNames.quoted(entry.sqlName)) "
        + "WHERE _row BETWEEN ? AND ? ORDER BY _row")
    // Separate from `found.attributes`, whose names would be reference-counted in the loop.
    var sums = ContiguousArray<UInt64>(repeating: 0, count: scalars.count)
    var rowSum: UInt64 = 0
    var last: Int64 = 0
    for part in parts {
      let range: ClosedRange<Int64>
      switch part {
      case .mapped(let chunk):
        writer.addLazyChunk(chunk.index, liveCount: chunk.sums.rowCount)
        mapped.add(chunk.sums)
        continue
      case .rows(let rows): range = rows
      }
      statement.reset()
      statement.bind(1, range.lowerBound)
      statement.bind(2, range.upperBound)
      while try statement.step() {
        let row = statement.int64(0)
        let limit = acceptsExternalChanges ? entry.nextRow + Self.skippedRowLimit : entry.nextRow
        guard row > last, row < limit else {
          throw Damage(details: "\(entry.name): the row number \(row) is out of range")
        }
        last = row
        found.nextRow = max(found.nextRow, Int(row) + 1)
        try progress?.step()
        let slot = Int(row) - 1
        writer.insertLoadedRow(at: slot)
        found.rowCount += 1
        rowSum &+= Checksum.word(UInt64(row), 1)
        try loadOwn(statement, slot)
        for index in scalars.indices {
          let scalar = scalars[index]
          guard let written = values.read(statement, index + 1 + own.count, scalar.storedType),
            let value = values.inMemory(written, scalar.storedType),
            !acceptsExternalChanges || columns[index].stored.holds(value)
          else { throw wrongValue(columns[index], row) }
          sums[index] &+= Checksum.value(Int(row), written, isBytes: scalar.isBytes)
          if !value.isNull {
            store(value, slot, scalar)
          } else if !scalar.allowsNull {
            try recordMissingValue(slot, columns[index])
          }
        }
      }
    }
    found.ownSums[FileClass.OwnColumn.row.rawValue] = rowSum
    for (scalar, sum) in zip(scalars, sums) { found.attributes[scalar.fileIndex].sum = sum }
  }

  private mutating func addOwn(_ own: FileClass.OwnColumn, _ row: Int, _ value: ElementValue) {
    found.ownSums[own.rawValue] &+= Checksum.value(row, value, isBytes: own == .missing)
  }

  private func wrongValue(_ column: FileMapping.Column, _ row: Int64) -> Damage {
    Damage(
      details: "\(entry.name).\(column.stored.name): row \(row) has no valid value of type "
        + column.stored.typeName)
  }

  private mutating func loadOwn(_ statement: Statement, _ slot: Int) throws {
    if statement.type(1) != .null { try loadMissing(statement, slot) }
    if entry.identity == .keyed { return }
    guard let references = values.read(statement, 2, .signed),
      let nested = values.read(statement, 3, .bool)
    else {
      throw Damage(details: "\(entry.name): row \(slot + 1) has no valid reference count or flags")
    }
    addOwn(.references, slot + 1, references)
    addOwn(.nested, slot + 1, nested)
    _ = writer.add(
      slot, writer.layout.referencesColumn, Int(truncatingIfNeeded: references.word))
    if nested.word != 0 { writer.setBornNested(slot) }
  }

  @inline(never)
  private mutating func loadMissing(_ statement: Statement, _ slot: Int) throws {
    guard let missing = values.read(statement, 1, .data) else {
      throw Damage(
        details: "\(entry.name): row \(slot + 1) has no valid list of missing attributes")
    }
    addOwn(.missing, slot + 1, missing)
    func has(_ bit: Int) -> Bool {
      bit / 8 < missing.bytes.count && missing.bytes[bit / 8] >> UInt8(bit % 8) & 1 != 0
    }
    var bits = AttributeBits()
    if has(0) { bits.insert(table.layout.attributeCount) }
    for column in mapping.columns where has(column.fileIndex + 1) {
      if column.column == table.layout.keyColumn {
        throw Damage(details: "\(entry.name): row \(slot + 1) lacks its key")
      }
      bits.insert(column.column - table.layout.firstAttribute)
    }
    if !bits.isEmpty { writer.setLoadedMissing(slot, bits) }
    unseen.load(slot, has)
  }

  private func nullRefused(_ column: FileMapping.Column) -> StoreError {
    StoreError(
      .migrationNeeded(
        path: "",
        mistakes: [FileMapping.refusedNull("\(entry.name).\(column.wanted.name)")]))
  }

  /// Records a row that has no value for a required attribute. Throws if the attribute is optional in the file, unless
  /// the mapping is lenient.
  @inline(never)
  private mutating func recordMissingValue(_ slot: Int, _ column: FileMapping.Column) throws {
    guard !column.stored.isOptional || mapping.isLenient else { throw nullRefused(column) }
    missingValues[slot, default: []].append(column)
  }

  /// Stores a value in its cell, which still contains 0.
  @inline(__always)
  private func store(_ value: ElementValue, _ slot: Int, _ column: FileMapping.ScalarColumn) {
    let row = slot & ChunkLayout.mask
    switch column.kind {
    case .bytes:
      writer.storeText(slot, column.column, value.bytes)
    case .byte:
      let target = writer.writable(slot, column.column)
      target.pointee.values.storeBytes(
        of: UInt8(truncatingIfNeeded: value.word), toByteOffset: row, as: UInt8.self)
      target.pointee.presence?[row] = 1
    case .word, .link, .collection:
      let target = writer.writable(slot, column.column)
      let word =
        column.isWidenedToDouble
        ? Double(Int64(bitPattern: value.word)).bitPattern : value.word
      target.pointee.values.storeBytes(of: word, toByteOffset: row &* 8, as: UInt64.self)
      target.pointee.presence?[row] = 1
    }
  }

  // MARK: - Collections

  private mutating func loadCollection(
    _ column: FileMapping.Column, _ parts: [MappedColumns.Part]
  ) throws {
    let isMap = column.stored.form == .map
    let type = column.stored.type
    let isBytes = type.isBytes
    let mayBeNull = column.stored.isOptional || column.stored.kind == nil
    let refusesNull = column.stored.kind != nil && !column.wanted.isOptional
    let statement = try database.prepare(
      """
      SELECT _row, position, value\(isMap ? ", key" : "") \
      FROM \(FileNames.quoted(column.stored.sqlName)) WHERE _row BETWEEN ? AND ? \
      ORDER BY _row, position
      """)
    var elements = LoadedElements()
    var sum: UInt64 = 0
    var row: Int64 = 0
    var position: Int64 = 0
    func flush(_ elements: inout LoadedElements) throws(Damage) {
      if acceptsExternalChanges, !elements.isInOrder(column.layout) {
        throw Damage(
          details:
            "\(entry.name).\(column.stored.name): the elements of row \(row) are not in order")
      }
      if row > 0 { elements.store(writer, Int(row) - 1, column) }
      elements.removeAll()
    }
    for case .rows(let rows) in parts {
      statement.reset()
      statement.bind(1, rows.lowerBound)
      statement.bind(2, rows.upperBound)
      while try statement.step() {
        let next = statement.int64(0)
        if next != row {
          try flush(&elements)
          (row, position) = (next, 0)
        }
        guard row > 0, row < found.nextRow, writer.version.isLive(Int(row) - 1),
          statement.int64(1) == position,
          var written = values.read(statement, 2, type),
          var value = values.inMemory(written, type), !value.isNull || mayBeNull,
          !acceptsExternalChanges || column.stored.holds(value)
        else { throw wrongValue(column, row) }
        let isRefused = value.isNull && refusesNull
        if isRefused, !mapping.isLenient { throw nullRefused(column) }
        if isMap {
          written.key = statement.bytes(3)
          value.key = written.key
          guard case .text = statement.type(3),
            !acceptsExternalChanges || String(validating: value.key, as: UTF8.self) != nil
          else { throw wrongValue(column, row) }
        }
        sum &+= Checksum.element(Int(row), Int(position), written, isBytes: isBytes)
        position += 1
        if !isRefused { elements.append(value) }
        try progress?.step()
      }
    }
    try flush(&elements)
    found.attributes[column.fileIndex].sum = sum
  }

  // MARK: - Verification and defaults

  private mutating func verify() throws(Damage) {
    found.add(mapped)
    guard found.rowCount == entry.rowCount else {
      throw Damage(
        details: "\(entry.name): expected \(entry.rowCount) rows, found \(found.rowCount)")
    }
    for column in FileClass.OwnColumn.allCases
    where (entry.recordsMissing || column != .missing)
      && found.ownSums[column.rawValue] != entry.ownSums[column.rawValue]
    {
      throw Damage(details: "\(entry.name): the checksum of the \(column.name) is wrong")
    }
    for column in mapping.columns
    where found.attributes[column.fileIndex].sum != entry.attributes[column.fileIndex].sum {
      throw Damage(details: "\(entry.name).\(column.stored.name): the checksum is wrong")
    }
  }

  /// The file indexes of the attributes in which missing values were replaced by defaults, which must be written.
  var filled: Set<Int> { Set(missingValues.values.joined().map(\.fileIndex)) }

  /// Sets attributes that are new in the class, and missing values, to their declared defaults. They are missing from the
  /// rows, none of which is whole any more.
  private func fillNewAttributes() throws(StoreError) {
    guard !mapping.missing.isEmpty || !missingValues.isEmpty else { return }
    let layout = table.layout
    let shape = BatchShape(
      table: table.index, attributeCount: layout.columns.count - layout.firstAttribute,
      keyAttribute: nil, isKeyBytes: false)
    let batch = RowBatch()
    var slots = mapping.missing.isEmpty ? missingValues.keys.sorted() : []
    writer.version.forEachLive {
      if !mapping.missing.isEmpty { slots.append($0) }
      return !mapping.missing.isEmpty
    }
    for slot in slots {
      let missing =
        mapping.missing
        + (missingValues[slot] ?? []).map { $0.column - layout.firstAttribute }
      batch.removeAll()
      let row = batch.makeRow(shape)
      for attribute in 0..<shape.attributeCount where !missing.contains(attribute) {
        row[attribute] = .null
      }
      try table.defaults.fill(row, in: batch)
      var bits = writer.version.missing(slot, layout)
      if writer.version.isWhole(slot, layout), !missing.contains(where: table.payloadAttributes.has)
      {
        bits.insert(layout.attributeCount)
      }
      for attribute in missing {
        writer.storeLoadedDefault(slot, layout.firstAttribute + attribute, row[attribute])
        if table.payloadAttributes.has(attribute) { bits.insert(attribute) }
      }
      writer.setLoadedMissing(slot, bits)
    }
  }
}

/// The elements of one collection, copied from the statement's memory.
private struct LoadedElements {
  private var elements: [(word: UInt64, text: Range<Int>, key: Range<Int>, isNull: Bool)] = []
  private var bytes: [UInt8] = []

  mutating func append(_ value: ElementValue) {
    elements.append((value.word, keep(value.bytes), keep(value.key), value.isNull))
  }

  private mutating func keep(_ new: UnsafeRawBufferPointer) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: new)
    return start..<bytes.count
  }

  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  func store(_ writer: TableWriter, _ slot: Int, _ column: FileMapping.Column) {
    if elements.isEmpty { return }
    bytes.withUnsafeBytes { bytes in
      writer.storeElements(slot, column.column, column.layout, count: elements.count) { index in
        value(index, bytes)
      }
    }
  }

  private func value(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> ElementValue {
    let element = elements[index]
    var value = ElementValue(word: element.word, isNull: element.isNull)
    value.bytes = UnsafeRawBufferPointer(rebasing: bytes[element.text])
    value.key = UnsafeRawBufferPointer(rebasing: bytes[element.key])
    return value
  }

  /// True if the elements of a set, or the keys of a map, are in ascending order.
  func isInOrder(_ layout: ColumnLayout) -> Bool {
    if layout.collection == .list { return true }
    return bytes.withUnsafeBytes { bytes in
      elements.indices.dropFirst().allSatisfy { index in
        let (last, next) = (value(index - 1, bytes), value(index, bytes))
        return layout.collection == .map
          ? last.key.precedes(next.key) : ElementValue.precedes(last, next, layout)
      }
    }
  }
}
