/// The first lines of a list, and the number of further lines.
struct FirstLines {
  private static let limit = 20
  private var first: [String] = []
  private var count = 0

  init() {}

  /// - Parameter count: The total number of lines, if `lines` does not have them all.
  init(_ lines: [String], of count: Int? = nil) {
    first = Array(lines.prefix(Self.limit))
    self.count = count ?? lines.count
  }

  mutating func append(_ line: @autoclosure () -> String) {
    count += 1
    if first.count < Self.limit { first.append(line()) }
  }

  /// The first lines, and one with the number of further lines.
  var lines: [String] { first + (count > first.count ? ["and \(count - first.count) more"] : []) }
}
