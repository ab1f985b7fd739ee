/// A hash of content that is the same for a row of a batch and for a row of the store with equal content.
///
/// It covers the attributes that are missing and the values of the others. In the mode `loose`, rows that content
/// references by identity do not count; apart from collisions, equal hashes in the mode `exact` mean equal content.
///
/// A row of the store is followed only as deep as the content searched for is nested, since rows may form reference
/// cycles. A row that is nested deeper cannot match and has no hash.
final class ContentHash {
  enum Mode: UInt8 {
    case exact, loose
  }

  private let transaction: Transaction
  private let keyHash = seed
  /// The current mode for hashing nested rows.
  private var mode = Mode.exact
  /// The nesting depth of the registered content.
  private var depth = 0
  /// The keyless rows that registered content references by identity, and their tables.
  private var referenced: Set<TableIndex> = []
  private var referencedTables: Set<Int> = []
  /// Cached hashes of nested rows.
  private var known: [NestedRow: Known] = [:]

  /// A row of a table.
  private struct TableIndex: Hashable {
    let table: Int
    let index: Int
  }

  private struct NestedRow: Hashable {
    let mode: Mode
    /// -1 for content.
    let table: Int
    /// The slot, or the address of the content.
    let index: Int
  }

  private struct Known {
    /// Nil if content is nested in the row more than `depth` levels deep.
    let hash: UInt64?
    let depth: Int
  }

  /// Created once: drawing random numbers takes longer than comparing a small set.
  private static let seed = KeyHash()
  private static let null: UInt64 = 1
  private static let excluded: UInt64 = 2
  private static let tooDeep: UInt64 = 3

  init(_ transaction: Transaction) {
    self.transaction = transaction
  }

  /// The modes that produce different hashes for the registered content, the strictest first.
  var modes: [Mode] { referenced.isEmpty ? [.exact] : [.exact, .loose] }

  func of(_ content: BatchRow, _ mode: Mode) -> UInt64 {
    self.mode = mode
    return of(content)
  }

  /// Returns the hash of a row, or nil if the row cannot equal any registered content.
  func of(_ writer: TableWriter, _ slot: Int, _ mode: Mode) -> UInt64? {
    self.mode = mode
    return of(writer, slot, depth)
  }

  // MARK: - Registering content

  /// Registers the nested rows of the content. Must be called for all contents before any is hashed.
  func note(_ content: BatchRow) {
    depth = max(depth, noteNested(content))
  }

  /// Returns the nesting depth of the content.
  private func noteNested(_ content: BatchRow) -> Int {
    let writer = transaction.writer(Int(content.header.pointee.table))
    var depth = 0
    for column in writer.contentColumns {
      let cell = content[column - writer.firstAttribute]
      let table = writer.columnLayout(column).targetTable
      if writer.columnLayout(column).kind == .link {
        depth = max(depth, noteTarget(cell, table))
      } else if cell.state == .value {
        for element in cell.elements { depth = max(depth, noteTarget(element, table)) }
      }
    }
    return depth
  }

  private func noteTarget(_ cell: BatchCell, _ table: Int) -> Int {
    guard let content = transaction.content(cell) else {
      let word = transaction.word(of: cell)
      if word != 0 {
        referenced.insert(TableIndex(table: table, index: Int(word) - 1))
        referencedTables.insert(table)
      }
      return 0
    }
    transaction.fillDefaults(transaction.writer(table), content)
    return noteNested(content) + 1
  }

  // MARK: - Values

  @inline(__always)
  private func add(_ hash: inout UInt64, _ part: UInt64) {
    hash = keyHash.word(hash &+ part)
  }

  private func scalar(_ kind: ColumnLayout.Kind, _ word: UInt64) -> UInt64 {
    keyHash.word(kind == .byte ? word & 0xFF : word)
  }

  private func value(_ value: ElementValue, _ layout: ColumnLayout) -> UInt64 {
    if value.isNull { return Self.null }
    return layout.elementKind == .bytes ? keyHash.bytes(value.bytes) : keyHash.word(value.word)
  }

  private func values(_ values: [ElementValue], _ layout: ColumnLayout) -> UInt64 {
    var hash = UInt64(values.count)
    for value in values {
      if layout.collection == .map { add(&hash, keyHash.bytes(value.key)) }
      add(&hash, self.value(value, layout))
    }
    return hash
  }

  private func links(_ count: Int, _ element: (Int) -> UInt64?) -> UInt64? {
    var hash = UInt64(count)
    for index in 0..<count {
      guard let part = element(index) else { return nil }
      add(&hash, part)
    }
    return hash
  }

  /// Returns a hash that does not depend on the order of the elements.
  private func linkSet(_ count: Int, _ element: (Int) -> UInt64?) -> UInt64? {
    var sum = UInt64(count)
    for index in 0..<count {
      guard let part = element(index) else { return nil }
      sum &+= keyHash.word(part)
    }
    return sum
  }

  /// Returns the hash of a link to a row by identity.
  private func identity(_ word: UInt64, _ table: Int) -> UInt64 {
    if word == 0 { return Self.null }
    return isExcluded(table) ? Self.excluded : keyHash.word(word)
  }

  /// True if links to the table are ignored: in loose mode, if registered content references any of its rows by
  /// identity.
  private func isExcluded(_ table: Int) -> Bool {
    mode == .loose && referencedTables.contains(table)
  }

  // MARK: - Content

  private func of(_ content: BatchRow) -> UInt64 {
    let writer = transaction.writer(Int(content.header.pointee.table))
    let missing = transaction.missing(of: content)
    var hash = hash(missing, writer)
    for column in writer.firstAttribute..<writer.columnCount {
      let attribute = column - writer.firstAttribute
      if missing.has(attribute) { continue }
      add(&hash, part(content[attribute], writer.columnLayout(column)))
    }
    return hash
  }

  private func hash(_ missing: AttributeBits, _ writer: TableWriter) -> UInt64 {
    var hash: UInt64 = 0
    for word in 0..<writer.missingColumnCount { add(&hash, missing.word(word)) }
    return hash
  }

  private func ofNested(_ content: BatchRow) -> UInt64 {
    let row = NestedRow(mode: mode, table: -1, index: Int(bitPattern: content.address))
    if let known = known[row]?.hash { return known }
    let hash = of(content)
    known[row] = Known(hash: hash, depth: 0)
    return hash
  }

  private func part(_ cell: BatchCell, _ layout: ColumnLayout) -> UInt64 {
    switch layout.kind {
    case .link:
      return link(cell, layout.targetTable)
    case .collection:
      let elements = cell.state == .value ? cell.elements : .init(start: nil, count: 0)
      // Content has a hash at any depth.
      return collection(elements, layout) ?? Self.tooDeep
    case .word, .byte, .bytes:
      // A cell without a value reads as zero if the attribute is not optional.
      let isNull = cell.state == .absent || cell.state == .null
      if isNull, layout.isOptional { return Self.null }
      if layout.kind == .bytes {
        return keyHash.bytes(isNull ? BatchCell.emptyText.bytes : cell.bytes)
      }
      return scalar(layout.kind, isNull ? 0 : cell.bits)
    }
  }

  private func collection(
    _ elements: UnsafeBufferPointer<BatchCell>, _ layout: ColumnLayout
  ) -> UInt64? {
    switch (layout.collection, layout.elementKind) {
    case (.list, .link):
      return links(elements.count) { link(elements[$0], layout.targetTable) }
    case (.list, _):
      return values(elements.map { ElementValue($0, layout) }, layout)
    case (.set, .link):
      let referenced = Array(transaction.referencedRows(elements))
      let contents = elements.compactMap { transaction.content($0) }
      return linkSet(referenced.count + contents.count) {
        $0 < referenced.count
          ? identity(referenced[$0], layout.targetTable)
          : link(to: contents[$0 - referenced.count], layout.targetTable)
      }
    case (.set, _):
      var values = elements.map { ElementValue($0, layout) }
      values.sortUnique(layout)
      return self.values(values, layout)
    case (.map, .link):
      let pairs = transaction.mapPairs(elements)
      return links(pairs.count) {
        keyHash.bytes(pairs[$0].key) ^ link(pairs[$0].cell, layout.targetTable)
      }
    case (.map, _):
      let values = transaction.mapPairs(elements).map { key, cell in
        var value = ElementValue(cell, layout)
        value.key = key
        return value
      }
      return self.values(values, layout)
    }
  }

  private func link(_ cell: BatchCell, _ table: Int) -> UInt64 {
    guard let content = transaction.content(cell) else {
      return identity(transaction.word(of: cell), table)
    }
    return link(to: content, table)
  }

  private func link(to content: BatchRow, _ table: Int) -> UInt64 {
    isExcluded(table) ? Self.excluded : ofNested(content)
  }

  // MARK: - Rows of the store

  private func of(_ writer: TableWriter, _ slot: Int, _ depth: Int) -> UInt64? {
    let missing = writer.missing(slot)
    var hash = hash(missing, writer)
    for column in writer.firstAttribute..<writer.columnCount
    where !missing.has(column - writer.firstAttribute) {
      guard let part = part(writer, slot, column, depth) else { return nil }
      add(&hash, part)
    }
    return hash
  }

  private func ofNested(_ table: Int, _ slot: Int, _ depth: Int) -> UInt64? {
    guard depth > 0 else { return nil }
    let row = NestedRow(mode: mode, table: table, index: slot)
    if let known = known[row], known.hash != nil || known.depth >= depth { return known.hash }
    let hash = of(transaction.writer(table), slot, depth - 1)
    known[row] = Known(hash: hash, depth: depth)
    return hash
  }

  private func part(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ depth: Int
  ) -> UInt64? {
    let layout = writer.columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = writer.columns(slot)[column]
    switch layout.kind {
    case .link:
      return link(current.word(row), layout.targetTable, depth)
    case .collection:
      let slice = current.slice(row)
      let count = Int(slice.length)
      guard layout.elementKind == .link else {
        return values((0..<count).map { current.element(slice, $0, layout) }, layout)
      }
      func target(_ index: Int) -> UInt64? {
        let element = current.element(slice, index, layout)
        let hash = link(element.word, layout.targetTable, depth)
        return layout.collection == .map ? hash.map { keyHash.bytes(element.key) ^ $0 } : hash
      }
      return layout.collection == .set ? linkSet(count, target) : links(count, target)
    case .word, .byte, .bytes:
      if layout.isOptional, current.isNull(row) { return Self.null }
      switch layout.kind {
      case .bytes: return keyHash.bytes(current.bytes(ofWord: current.word(row)))
      case .byte: return scalar(.byte, UInt64(current.byte(row)))
      default: return scalar(.word, current.word(row))
      }
    }
  }

  /// Returns the hash of a link to a row of the store: that of the row's content if it can be matched by content,
  /// otherwise that of its identity.
  private func link(_ word: UInt64, _ table: Int, _ depth: Int) -> UInt64? {
    if word == 0 || isExcluded(table) || transaction.writer(table).identity == .keyed
      || referenced.contains(TableIndex(table: table, index: Int(word) - 1))
    {
      return identity(word, table)
    }
    return ofNested(table, Int(word) - 1, depth)
  }
}
