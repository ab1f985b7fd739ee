import ObjectStore

/// The issues found while reading a payload (skipped, repaired and duplicate values), in order.
///
/// Like errors, issues get their paths while the decoder leaves the enclosing values. Since one key may have many
/// issues below it, a key is recorded once for a range of issues, and paths are assembled at the end:
///
///     issues    0 1 2 3 4 5
///     spans      [0-2 .key("name")]  [0-2 .index(7)]  [3-5 .index(9)]  [0-5 .key("items")]
///
/// Only the first issues are kept, up to `limit`; the others are counted.
struct IssueLog {
  private enum Label {
    case component(JSONPath.Component)
    /// The primary key of the enclosing row; nil if it was not read.
    case row(String?)
  }

  private struct Span {
    let issues: Range<Int>
    let label: Label
  }

  /// The maximum number of issues in a result.
  static let resultLimit = 10_000

  /// The maximum number of issues to keep.
  private let limit: Int
  /// The kept issues; nil for one that was removed from the middle.
  private var issues: [StoreCodingError?] = []
  /// The spans in the order of their ends, inner before outer. Each contains a kept issue.
  private var spans: [Span] = []
  /// The issues that were removed from the middle, as a bit set that ends with the last of them.
  private var removed: [UInt64] = []

  /// The number of issues so far, including removed ones. Serves as a position for later labels and removals.
  private(set) var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// The number of issues without the removed ones.
  var reportedCount: Int { count - removed.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The kept issues, without the paths that the enclosing values add.
  var kept: [StoreCodingError] { issues.compactMap(\.self) }

  /// True if an issue at or after `start` is kept.
  func isKept(from start: Int) -> Bool { start < issues.count }

  mutating func append(_ issue: StoreCodingError) {
    if count < limit { issues.append(issue) }
    count += 1
  }

  /// Removes all issues from position `count` on.
  mutating func removeAll(from count: Int) {
    issues.removeLast(max(0, issues.count - count))
    while let last = spans.last, last.issues.upperBound > count { spans.removeLast() }
    self.count = count
    guard removed.count > count / 64 else { return }
    removed.removeLast(removed.count - count / 64 - 1)
    removed[count / 64] &= (1 << UInt64(count % 64)) - 1
  }

  /// Removes the issues of a discarded value.
  mutating func remove(_ range: Range<Int>) {
    if range.isEmpty { return }
    for index in range.clamped(to: issues.indices) { issues[index] = nil }
    // Some may already be removed.
    while removed.count * 64 < range.upperBound { removed.append(0) }
    var next = range.lowerBound
    while next < range.upperBound {
      let end = min(range.upperBound, (next / 64 + 1) * 64)
      removed[next / 64] |= (~0 >> UInt64(64 - (end - next))) << UInt64(next % 64)
      next = end
    }
  }

  /// Prepends a key or an index to the paths of the issues from `start` on.
  @inline(never)
  mutating func label(from start: Int, _ component: @autoclosure () -> JSONPath.Component) {
    guard isKept(from: start) else { return }
    spans.append(Span(issues: start..<issues.count, label: .component(component())))
  }

  /// Sets the row of the issues from `start` on that have no inner row.
  @inline(never)
  mutating func name(from start: Int, row: String?) {
    guard isKept(from: start) else { return }
    spans.append(Span(issues: start..<issues.count, label: .row(row)))
  }

  /// Returns the kept issues in payload order, with paths, values found, lines and columns.
  ///
  /// - Complexity: O(n + m log m) for n bytes of text and m issues; O(1) without issues.
  func located(in text: PayloadText) -> [StoreCodingError] {
    if issues.isEmpty { return [] }
    // Members that no attribute reads are read after the others.
    return text.located(assembled().map { $0.described(in: text) })
      .sorted(byNumber: { $0.byteOffset ?? 0 })
  }

  /// Assembles paths and rows from the last issue to the first, keeping the components and rows of the
  /// enclosing spans on two stacks.
  private func assembled() -> [StoreCodingError] {
    var assembled = issues
    var next = spans.count - 1
    var open: [(start: Int, componentCount: Int, rowCount: Int)] = []
    var components: [JSONPath.Component] = []
    var rows: [String?] = []
    for index in issues.indices.reversed() {
      while let last = open.last, last.start > index {
        open.removeLast()
        components.removeLast(components.count - last.componentCount)
        rows.removeLast(rows.count - last.rowCount)
      }
      while next >= 0, spans[next].issues.upperBound == index + 1 {
        open.append((spans[next].issues.lowerBound, components.count, rows.count))
        switch spans[next].label {
        case .component(let component): components.append(component)
        case .row(let row): rows.append(row)
        }
        next -= 1
      }
      guard var issue = assembled[index] else { continue }
      issue.prepend(components)
      for row in rows.reversed() where !issue.isKeyResolved { issue.resolveKey(row) }
      assembled[index] = issue
    }
    return assembled.compactMap(\.self)
  }
}
