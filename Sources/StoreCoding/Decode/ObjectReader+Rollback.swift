import JSONText
import ObjectStore

// Rollback of values that were read: values of duplicate keys, and elements and attributes that a policy skips.

extension ObjectReader {
  /// The state of the decoder at the beginning of a value.
  struct Checkpoint {
    let byteOffset: Int
    let depth: Int
    let rowCount: Int
    let elementMark: Int
    let issueCount: Int
  }

  func checkpoint() -> Checkpoint {
    Checkpoint(
      byteOffset: reader.byteOffset, depth: reader.depth, rowCount: batch.rowCount,
      elementMark: batch.beginElements(), issueCount: issues.count)
  }

  /// Rolls back the value that begins at the checkpoint, records the error, and skips the value.
  ///
  /// - Parameter component: The path component of the element.
  mutating func rollBack(
    _ start: Checkpoint, _ error: StoreCodingError,
    _ component: @autoclosure () -> JSONPath.Component
  ) throws {
    try rollBack(start, error)
    issues.label(from: start.issueCount, component())
  }

  /// Rolls back the value of an attribute, records the error, and skips the value.
  mutating func rollBack(_ start: Checkpoint, _ error: StoreCodingError) throws {
    batch.truncate(toRowCount: start.rowCount)
    batch.cancelElements(start.elementMark)
    issues.removeAll(from: start.issueCount)
    issues.append(error)
    if isPast(from: start.byteOffset, depth: start.depth) { return }
    reader.rewind(to: start.byteOffset, depth: start.depth)
    try skip()
  }

  /// True if the reader is already past the value at `start`, because an object or collection in it was
  /// rejected after being read to its end. Reading it again would make a deep payload quadratic.
  func isPast(from start: Int, depth: Int) -> Bool {
    rejectedRange.upperBound == reader.byteOffset && rejectedRange.lowerBound >= start
      && reader.depth == depth
  }

  /// Rolls back the earlier value of a duplicate key and its issues; the last value wins.
  @inline(never)
  mutating func replace(
    _ node: PlanNode, _ index: Int, _ row: BatchRow, _ issueRanges: inout IssueRanges?
  ) {
    let replaced: [CodingField]
    var attribute: String?
    switch node.members[index] {
    case .field(let field):
      replaced = [field]
      attribute = field.fullName
    case .alias(let alias):
      // The last one is read.
      replaced = []
      attribute = alias.field.fullName
    case .constant:
      replaced = []
    case .node(let child):
      replaced = child.fields
      for alias in child.aliases { forget(alias, row) }
      discardUnreadMembers(of: child)
    }
    if let range = issueRanges?.removeValue(forKey: index) { issues.remove(range) }
    recordDuplicate(Array(node.names[index].utf8), attribute, at: reader.lastKeyOffset)
    for field in replaced where !isReadFromAlias(field) {
      drop(row[field.attribute], field)
      row[field.attribute] = .absent
      if !field.aliases.isEmpty { forgetOwnPath(of: field) }
    }
  }

  /// Records the duplicate keys of an object that no class describes, and removes the issues of the replaced
  /// values.
  ///
  /// - Parameters:
  ///   - offsets: The offset of each key.
  ///   - issueRanges: The issues of values, by key position.
  /// - Returns: The positions of the replaced values.
  mutating func recordDuplicates(
    _ offsets: ArraySlice<Int>, _ issueRanges: IssueRanges?, _ field: CodingField,
    key: (Int) -> [UInt8]
  ) -> [Int] {
    var positions: [[UInt8]: Int] = [:]
    var replaced: [Int] = []
    for (position, offset) in offsets.enumerated() {
      let key = key(position)
      guard let earlier = positions.updateValue(position, forKey: key) else { continue }
      if let range = issueRanges?[earlier] { issues.remove(range) }
      recordDuplicate(key, field.fullName, at: offset)
      replaced.append(earlier)
    }
    return replaced
  }

  /// Throws an error if two names of a keyed collection are the same key.
  func refuseDuplicates(in map: BatchCell, _ offsets: [Int], _ field: CodingField) throws {
    var names: Set<[UInt8]> = []
    for (position, offset) in offsets.enumerated() {
      let name = Array(map.elements[2 * position].bytes)
      guard names.insert(name).inserted else { throw duplicate(name, field.fullName, at: offset) }
    }
  }

  func duplicate(
    _ key: [UInt8], _ attribute: String?, at byteOffset: Int
  ) -> StoreCodingError {
    var duplicate = error(
      .duplicateKey, attribute: attribute,
      found: key.withUnsafeBytes { MessageText.clipped($0) }, at: byteOffset)
    duplicate.prepend(key: String(decoding: key, as: UTF8.self))
    return duplicate
  }

  mutating func recordDuplicate(_ key: [UInt8], _ attribute: String?, at byteOffset: Int) {
    issues.append(duplicate(key, attribute, at: byteOffset))
  }

  /// Drops the rows of a replaced value.
  func drop(_ cell: BatchCell, _ field: CodingField) {
    guard let target = field.target else { return }
    let cells = cell.state == .row ? [cell] : cell.state == .value ? Array(cell.elements) : []
    for case let row? in cells.map(\.row) { drop(row, target) }
  }

  /// Drops a row and the rows of its values.
  func drop(_ row: BatchRow, _ plan: CodingPlan) {
    row.drop()
    for field in plan.fields { drop(row[field.attribute], field) }
  }
}

/// The issues of the values of an object, by key position.
typealias IssueRanges = [Int: Range<Int>]
