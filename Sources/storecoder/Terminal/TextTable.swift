import Foundation

/// A table with a header that fits the window: the widest columns are truncated. Without a window, long values are written in
/// full, and do not widen the other rows.
struct TextTable {
  var head: [String]
  var rows: [[String]] = []
  /// Indexes of the columns that are aligned to the right.
  var alignedRight: Set<Int> = []

  /// The maximum width of a column without a window.
  private static let widthLimit = 100

  init(_ head: [String]) {
    self.head = head
  }

  /// - Parameters:
  ///   - width: The width of the window; nil for any width.
  ///   - isStyled: True for a header in bold.
  func text(width: Int?, isStyled: Bool = false) -> String {
    let head = head.map(Terminal.printable)
    let rows = rows.map { $0.map(Terminal.printable) }
    var widths = head.indices.map { column in
      ([head] + rows).map { Terminal.columns(of: $0[column]) }.max() ?? 0
    }
    if let width {
      Self.shrink(&widths, to: max(20, width) - 2 * (head.count - 1))
    } else {
      widths = widths.map { min($0, Self.widthLimit) }
    }
    func line(_ cells: [String]) -> String {
      let texts = cells.indices.map { index in
        width == nil && Terminal.columns(of: cells[index]) > widths[index]
          ? cells[index]
          : Terminal.fit(cells[index], widths[index], alignedRight: alignedRight.contains(index))
      }
      var line = texts.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    let first = Terminal.styled(line(head), .bold, hasColors: isStyled)
    return ([first, rule] + rows.map(line)).joined(separator: "\n")
  }

  /// Writes the table to the standard output.
  func print() {
    let text = text(width: Terminal.width, isStyled: Terminal.hasColors)
    Terminal.write(text + "\n", to: .standardOutput)
  }

  /// Reduces the widest columns until the sum is at most `total`; each keeps at least four.
  private static func shrink(_ widths: inout [Int], to total: Int) {
    while widths.reduce(0, +) > total, let widest = widths.max(), widest > 4 {
      guard let index = widths.firstIndex(of: widest) else { return }
      widths[index] -= 1
    }
  }
}
