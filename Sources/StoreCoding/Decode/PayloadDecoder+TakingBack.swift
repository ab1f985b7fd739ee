import JSONText
import ObjectStore

// What was read and does not count after all: values of keys that stand twice, and elements and
// attributes that a policy passes over.

extension PayloadDecoder {
  /// Where a value begins, and what there was before it.
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

  /// Takes back what was read of the value that begins at the checkpoint, notes why, and passes
  /// over it.
  ///
  /// - Parameter component: the element that the value is.
  mutating func leaveOut(
    _ start: Checkpoint, _ error: StoreCodingError,
    _ component: @autoclosure () -> JSONPath.Component
  ) throws {
    try leaveOut(start, error)
    issues.label(from: start.issueCount, component())
  }

  /// The same of the value of an attribute.
  mutating func leaveOut(_ start: Checkpoint, _ error: StoreCodingError) throws {
    batch.truncate(toRowCount: start.rowCount)
    batch.cancelElements(start.elementMark)
    issues.removeAll(from: start.issueCount)
    issues.append(error)
    if isRead(from: start.byteOffset, depth: start.depth) { return }
    reader.rewind(to: start.byteOffset, depth: start.depth)
    try skip()
  }

  /// Whether the reader stands behind the value that begins at `start`, an object or collection that was
  /// refused at its end. To read it again would take each level of a deep payload as long as all below.
  func isRead(from start: Int, depth: Int) -> Bool {
    refused.upperBound == reader.byteOffset && refused.lowerBound >= start && reader.depth == depth
  }

  /// Takes back what a key brought that stands once more, its issues, too: the last value counts.
  @inline(never)
  mutating func replace(
    _ node: PlanNode, _ index: Int, _ row: BatchRow, _ noted: inout NotedIssues?
  ) {
    let replaced: [CodingField]
    var attribute: String?
    switch node.members[index] {
    case .field(let field):
      replaced = [field]
      attribute = field.fullName
    case .node(let child):
      replaced = child.fields
    }
    if let range = noted?.removeValue(forKey: index) { issues.remove(range) }
    noteDuplicate(Array(node.names[index].utf8), attribute, at: reader.lastKeyOffset)
    for field in replaced {
      drop(row[field.attribute], field)
      row[field.attribute] = .absent
    }
  }

  /// Notes the keys that an object has twice which no class describes, and takes back the issues of
  /// the values that do not count.
  ///
  /// - Parameters:
  ///   - offsets: where each key begins.
  ///   - noted: the issues of values, by the places of their keys.
  /// - Returns: the places of the values that do not count.
  mutating func noteDuplicates(
    _ offsets: ArraySlice<Int>, _ noted: NotedIssues?, _ field: CodingField,
    key: (Int) -> [UInt8]
  ) -> [Int] {
    var places: [[UInt8]: Int] = [:]
    var replaced: [Int] = []
    for (place, offset) in offsets.enumerated() {
      let key = key(place)
      guard let earlier = places.updateValue(place, forKey: key) else { continue }
      if let range = noted?[earlier] { issues.remove(range) }
      noteDuplicate(key, field.fullName, at: offset)
      replaced.append(earlier)
    }
    return replaced
  }

  private mutating func noteDuplicate(_ key: [UInt8], _ attribute: String?, at byteOffset: Int) {
    var issue = error(
      .duplicateKey, attribute: attribute,
      found: key.withUnsafeBytes { MessageText.clipped($0) }, at: byteOffset)
    issue.prepend(key: String(decoding: key, as: UTF8.self))
    issues.append(issue)
  }

  /// Leaves out the rows that a value which does not count brought along.
  func drop(_ cell: BatchCell, _ field: CodingField) {
    guard let target = field.target else { return }
    let cells = cell.state == .row ? [cell] : cell.state == .value ? Array(cell.elements) : []
    for case let row? in cells.map(\.row) {
      row.drop()
      for field in target.fields { drop(row[field.attribute], field) }
    }
  }
}

/// The issues that values of an object brought, by the places of their keys.
typealias NotedIssues = [Int: Range<Int>]
