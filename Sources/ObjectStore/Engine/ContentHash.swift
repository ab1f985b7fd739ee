/// A hash of content, the same for a row of a batch and for a row of the store that holds it.
///
/// Of the row itself the caller says what is left out: what both sides were left to defaults for. Of
/// rows further in an attribute is left out if it was left to defaults that differ, as those of
/// `Date()` do. And what goes beyond so many cells is left out: rows without a key may refer to each
/// other in a circle.
final class ContentHash {
  private let transaction: Transaction
  private let keyHash = KeyHash()
  /// By table, the attributes whose defaults differ in rows further in.
  private var changing: [Int: AttributeBits] = [:]
  /// The hash of a default that was met.
  private var known: [Attribute: UInt64] = [:]
  private var isNoting = false

  private struct Attribute: Hashable {
    let table: Int
    let index: Int
  }

  /// Cells that are looked at for one row, and for each element of a set of links in it: their order
  /// is not that of the content, so none may use up what others need.
  private static let cellLimit = 1_000
  private static let setElementLimit = 50

  private static let null: UInt64 = 1
  private static let leftOut: UInt64 = 2

  init(_ transaction: Transaction) {
    self.transaction = transaction
  }

  /// Notes the defaults of rows inside this one; to be called for all rows before any is hashed.
  func note(_ content: BatchRow) {
    isNoting = true
    defer { isNoting = false }
    _ = of(content, leavingOut: AttributeBits())
  }

  func note(_ writer: TableWriter, _ slot: Int) {
    isNoting = true
    defer { isNoting = false }
    _ = of(writer, slot, leavingOut: AttributeBits())
  }

  func of(_ content: BatchRow, leavingOut leftOut: AttributeBits) -> UInt64 {
    var cells = Self.cellLimit
    return of(content, leftOut, &cells)
  }

  func of(_ writer: TableWriter, _ slot: Int, leavingOut leftOut: AttributeBits) -> UInt64 {
    var cells = Self.cellLimit
    return of(writer, slot, leftOut, &cells)
  }

  @inline(__always)
  private func add(_ hash: inout UInt64, _ part: UInt64) {
    hash = keyHash.word(hash &+ part)
  }

  private func scalar(_ kind: ColumnLayout.Kind, _ word: UInt64) -> UInt64 {
    keyHash.word(kind == .byte ? word & 0xFF : word)
  }

  private func value(_ value: ElementValue, _ layout: ColumnLayout) -> UInt64 {
    if value.isNull { return Self.null }
    return layout.elementKind == .text ? keyHash.bytes(value.bytes) : keyHash.word(value.word)
  }

  private func values(_ values: [ElementValue], _ layout: ColumnLayout) -> UInt64 {
    var hash = UInt64(values.count)
    for value in values {
      if layout.collection == .map { add(&hash, keyHash.bytes(value.key)) }
      add(&hash, self.value(value, layout))
    }
    return hash
  }

  // MARK: - Content

  private func of(
    _ content: BatchRow, _ leftOut: AttributeBits, _ cells: inout Int
  ) -> UInt64 {
    let writer = transaction.writer(Int(content.header.pointee.table))
    cells -= writer.columnCount
    guard cells > 0 else { return Self.leftOut }
    var hash: UInt64 = 0
    for column in writer.firstAttribute..<writer.columnCount {
      let attribute = column - writer.firstAttribute
      if leftOut.has(attribute) { continue }
      add(&hash, part(content[attribute], writer.columnLayout(column), &cells))
    }
    return hash
  }

  private func part(
    _ cell: BatchCell, _ layout: ColumnLayout, _ cells: inout Int
  ) -> UInt64 {
    switch layout.kind {
    case .link:
      return link(cell, layout.targetTable, &cells)
    case .collection:
      let elements = cell.state == .value ? cell.elements : .init(start: nil, count: 0)
      return collection(elements, layout, &cells)
    case .word, .byte, .text:
      // A cell without a value reads as zero where the attribute cannot be null.
      let isNull = cell.state == .absent || cell.state == .null
      if isNull, layout.isOptional { return Self.null }
      if layout.kind == .text {
        return keyHash.bytes(isNull ? BatchCell.emptyText.bytes : cell.bytes)
      }
      return scalar(layout.kind, isNull ? 0 : cell.bits)
    }
  }

  private func collection(
    _ elements: UnsafeBufferPointer<BatchCell>, _ layout: ColumnLayout, _ cells: inout Int
  ) -> UInt64 {
    switch (layout.collection, layout.elementKind) {
    case (.list, .link):
      return links(elements.count, &cells) { link(elements[$0], layout.targetTable, &$1) }
    case (.list, _):
      return values(elements.map { ElementValue($0, layout) }, layout)
    case (.set, .link):
      let referred = Array(transaction.referredRows(elements))
      let contents = elements.compactMap { transaction.content($0) }
      return linkSet(referred.count + contents.count, &cells) { index, cells in
        index < referred.count
          ? link(referred[index], layout.targetTable, &cells)
          : ofInner(contents[index - referred.count], &cells)
      }
    case (.set, _):
      var values = elements.map { ElementValue($0, layout) }
      values.sortUnique(layout)
      return self.values(values, layout)
    case (.map, .link):
      let pairs = transaction.mapPairs(elements)
      return links(pairs.count, &cells) { index, cells in
        keyHash.bytes(pairs[index].key) ^ link(pairs[index].cell, layout.targetTable, &cells)
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

  private func links(
    _ count: Int, _ cells: inout Int, _ element: (Int, inout Int) -> UInt64
  ) -> UInt64 {
    var hash = UInt64(count)
    for index in 0..<count where cells > 0 {
      cells -= 1
      add(&hash, element(index, &cells))
    }
    return hash
  }

  /// The same in any order.
  private func linkSet(
    _ count: Int, _ cells: inout Int, _ element: (Int, inout Int) -> UInt64
  ) -> UInt64 {
    var sum = UInt64(count)
    cells -= Self.setElementLimit * count
    guard cells > 0 else { return sum }
    for index in 0..<count {
      var own = Self.setElementLimit
      sum &+= element(index, &own)
    }
    return sum
  }

  private func link(_ cell: BatchCell, _ table: Int, _ cells: inout Int) -> UInt64 {
    if let content = transaction.content(cell) { return ofInner(content, &cells) }
    return link(transaction.word(of: cell), table, &cells)
  }

  private func ofInner(_ content: BatchRow, _ cells: inout Int) -> UInt64 {
    let writer = transaction.writer(Int(content.header.pointee.table))
    transaction.fillDefaults(writer, content)
    if isNoting {
      note(content.defaults, writer) { attribute, cells in
        part(content[attribute], writer.columnLayout(writer.firstAttribute + attribute), &cells)
      }
    }
    return of(content, changing[writer.table.index] ?? AttributeBits(), &cells)
  }

  /// Compares the defaults of a row with those that other rows of its table were left to.
  private func note(
    _ defaults: AttributeBits, _ writer: TableWriter, _ part: (Int, inout Int) -> UInt64
  ) {
    let table = writer.table.index
    for attribute in 0..<writer.columnCount - writer.firstAttribute where defaults.has(attribute) {
      var cells = Self.setElementLimit
      let hash = part(attribute, &cells)
      let place = Attribute(table: table, index: attribute)
      if known[place, default: hash] != hash {
        changing[table, default: AttributeBits()].insert(attribute)
      }
      known[place] = hash
    }
  }

  // MARK: - A row of the store

  private func of(
    _ writer: TableWriter, _ slot: Int, _ leftOut: AttributeBits, _ cells: inout Int
  ) -> UInt64 {
    cells -= writer.columnCount
    guard cells > 0 else { return Self.leftOut }
    var hash: UInt64 = 0
    for column in writer.firstAttribute..<writer.columnCount {
      if leftOut.has(column - writer.firstAttribute) { continue }
      add(&hash, part(writer, slot, column, &cells))
    }
    return hash
  }

  private func part(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ cells: inout Int
  ) -> UInt64 {
    let layout = writer.columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = writer.columns(slot)[column]
    switch layout.kind {
    case .link:
      return link(current.word(row), layout.targetTable, &cells)
    case .collection:
      let run = current.run(row)
      let count = Int(run.length)
      guard layout.elementKind == .link else {
        return values((0..<count).map { current.element(run, $0, layout) }, layout)
      }
      func target(_ index: Int, _ cells: inout Int) -> UInt64 {
        let element = current.element(run, index, layout)
        let hash = link(element.word, layout.targetTable, &cells)
        return layout.collection == .map ? keyHash.bytes(element.key) ^ hash : hash
      }
      return layout.collection == .set
        ? linkSet(count, &cells, target) : links(count, &cells, target)
    case .word, .byte, .text:
      if layout.isOptional, current.isNull(row) { return Self.null }
      switch layout.kind {
      case .text: return keyHash.bytes(current.bytes(ofWord: current.word(row)))
      case .byte: return scalar(.byte, UInt64(current.byte(row)))
      default: return scalar(.word, current.word(row))
      }
    }
  }

  /// A link to a row of the store: by what it holds, if it may be told again by content.
  private func link(_ word: UInt64, _ table: Int, _ cells: inout Int) -> UInt64 {
    guard word != 0 else { return Self.null }
    let target = transaction.writer(table)
    if target.identity == .keyed { return keyHash.word(word) }
    let slot = Int(word) - 1
    if isNoting {
      note(target.defaults(of: slot), target) { attribute, cells in
        part(target, slot, target.firstAttribute + attribute, &cells)
      }
    }
    return of(target, slot, changing[table] ?? AttributeBits(), &cells)
  }
}
