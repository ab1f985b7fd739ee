import JSONText

/// What was skipped, repaired or stood twice while a payload was read, in its order.
///
/// Issues get their paths on the way out, as errors do. But there may be many of them below one key,
/// so a key is noted once for all the issues since a count, and paths are put together at the end:
///
///     issues    0 1 2 3 4 5
///     spans      [0-2 .key("name")]  [0-2 .index(7)]  [3-5 .index(9)]  [0-5 .key("items")]
///
/// Only the first ones are kept, as many as somebody wants to read; the others are counted.
struct IssueLog {
  private enum Label {
    case component(JSONPath.Component)
    /// The primary key of the row around the issues; nil if it was not read.
    case row(String?)
  }

  private struct Span {
    let issues: Range<Int>
    let label: Label
  }

  /// The issues that a result has.
  static let resultLimit = 10_000

  /// How many are kept.
  private let limit: Int
  /// Those that are kept, nil where one was taken back from among the others.
  private var issues: [StoreCodingError?] = []
  /// In the order of their ends, inner ones before those around them. Each has an issue that is kept.
  private var spans: [Span] = []
  /// A bit for each issue that was taken back from among the others, as far as there are some.
  private var removed: [UInt64] = []

  /// Issues so far; what came up from here on can be placed or removed later.
  private(set) var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// How many issues there are, without those that were taken back.
  var reportedCount: Int { count - removed.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Whether an issue is kept that came up from `start` on.
  func isKept(from start: Int) -> Bool { start < issues.count }

  mutating func append(_ issue: StoreCodingError) {
    if count < limit { issues.append(issue) }
    count += 1
  }

  /// Takes back what came up since there were `count`.
  mutating func removeAll(from count: Int) {
    issues.removeLast(max(0, issues.count - count))
    while let last = spans.last, last.issues.upperBound > count { spans.removeLast() }
    self.count = count
    guard removed.count > count / 64 else { return }
    removed.removeLast(removed.count - count / 64 - 1)
    removed[count / 64] &= (1 << UInt64(count % 64)) - 1
  }

  /// Takes back the issues of a value that does not count after all.
  mutating func remove(_ range: Range<Int>) {
    for index in range.clamped(to: issues.indices) { issues[index] = nil }
    // Some of them may have been taken back before.
    while removed.count * 64 < range.upperBound { removed.append(0) }
    var next = range.lowerBound
    while next < range.upperBound {
      let end = min(range.upperBound, (next / 64 + 1) * 64)
      removed[next / 64] |= (~0 >> UInt64(64 - (end - next))) << UInt64(next % 64)
      next = end
    }
  }

  /// Puts a key or an index in front of the paths of the issues from `start` on.
  @inline(never)
  mutating func label(from start: Int, _ component: @autoclosure () -> JSONPath.Component) {
    guard isKept(from: start) else { return }
    spans.append(Span(issues: start..<issues.count, label: .component(component())))
  }

  /// Names the row in the issues from `start` on that are in no inner one.
  @inline(never)
  mutating func name(from start: Int, row: String?) {
    guard isKept(from: start) else { return }
    spans.append(Span(issues: start..<issues.count, label: .row(row)))
  }

  /// The issues that were kept, with their paths, what was found, and lines and columns of the text.
  ///
  /// - Complexity: O(n + m log m) for n bytes of text and m issues, and nothing without issues.
  func located(in text: PayloadText) -> [StoreCodingError] {
    guard !issues.isEmpty else { return [] }
    var located = placed().map { $0.described(in: text) }
    var walk = JSONLineWalk(text.input)
    let order = located.indices.sorted {
      (located[$0].byteOffset ?? 0) < (located[$1].byteOffset ?? 0)
    }
    for index in order {
      guard let byteOffset = located[index].byteOffset else { continue }
      located[index].position = walk.lineAndColumn(at: byteOffset)
    }
    return located
  }

  /// The issues with their paths and rows: from the last to the first, with the spans around each
  /// on two stacks.
  private func placed() -> [StoreCodingError] {
    var placed = issues
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
      guard var issue = placed[index] else { continue }
      issue.prepend(components)
      for row in rows.reversed() where !issue.isKeySettled { issue.settleKey(row) }
      placed[index] = issue
    }
    return placed.compactMap(\.self)
  }
}
