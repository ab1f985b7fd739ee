import JSONText

/// What was skipped, repaired or stood twice while a payload was read, in its order.
///
/// Issues get their paths on the way out, as errors do. But there may be many of them below one key,
/// so a key is noted once for all the issues since a count, and paths are put together at the end:
///
///     issues    0 1 2 3 4 5
///     places      [0-2 .key("name")]  [0-2 .index(7)]  [3-5 .index(9)]  [0-5 .key("items")]
struct IssueLog {
  private enum Label {
    case step(JSONPath.Component)
    /// The primary key of the row around the issues; nil if it was not read.
    case row(String?)
  }

  private struct Place {
    let issues: Range<Int>
    let label: Label
  }

  /// Nil where one was taken back from among the others.
  private var issues: [StoreCodingError?] = []
  /// In the order of their ends, inner ones before those around them.
  private var places: [Place] = []

  /// Issues so far; what came up from here on can be placed or removed later.
  var count: Int { issues.count }

  mutating func append(_ issue: StoreCodingError) {
    issues.append(issue)
  }

  /// Takes back what came up since there were `count`.
  mutating func removeAll(from count: Int) {
    issues.removeLast(issues.count - count)
    while let last = places.last, last.issues.upperBound > count { places.removeLast() }
  }

  /// Takes back the issues of a value that does not count after all.
  mutating func remove(_ range: Range<Int>) {
    for index in range { issues[index] = nil }
  }

  /// Puts a key or an index in front of the paths of the issues from `start` on.
  @inline(never)
  mutating func place(from start: Int, _ step: JSONPath.Component) {
    places.append(Place(issues: start..<issues.count, label: .step(step)))
  }

  /// Names the row in the issues from `start` on that are in no inner one.
  @inline(never)
  mutating func name(from start: Int, row: String?) {
    places.append(Place(issues: start..<issues.count, label: .row(row)))
  }

  /// The issues with their paths, and with lines and columns of the text.
  ///
  /// - Complexity: O(n + m log m) for n bytes of text and m issues, and nothing without issues.
  func located(in input: JSONInput) -> [StoreCodingError] {
    guard !issues.isEmpty else { return [] }
    var located = placed()
    var walk = JSONLineWalk(input)
    let order = located.indices.sorted {
      (located[$0].byteOffset ?? 0) < (located[$1].byteOffset ?? 0)
    }
    for index in order {
      guard let byteOffset = located[index].byteOffset else { continue }
      located[index].position = walk.lineAndColumn(at: byteOffset)
    }
    return located
  }

  /// The issues with their paths and rows: from the last to the first, with the places around each
  /// on two stacks.
  private func placed() -> [StoreCodingError] {
    var placed = issues
    var next = places.count - 1
    var open: [(start: Int, stepCount: Int, rowCount: Int)] = []
    var steps: [JSONPath.Component] = []
    var rows: [String?] = []
    for index in issues.indices.reversed() {
      while let last = open.last, last.start > index {
        open.removeLast()
        steps.removeLast(steps.count - last.stepCount)
        rows.removeLast(rows.count - last.rowCount)
      }
      while next >= 0, places[next].issues.upperBound == index + 1 {
        open.append((places[next].issues.lowerBound, steps.count, rows.count))
        switch places[next].label {
        case .step(let step): steps.append(step)
        case .row(let row): rows.append(row)
        }
        next -= 1
      }
      guard var issue = placed[index] else { continue }
      issue.prepend(steps)
      for row in rows.reversed() where !issue.isKeySettled { issue.settleKey(row) }
      placed[index] = issue
    }
    return placed.compactMap(\.self)
  }
}
