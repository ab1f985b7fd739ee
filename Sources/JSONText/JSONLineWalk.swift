/// Finds the lines and columns of many places of a text in one walk from its beginning.
///
///     var walk = JSONLineWalk(input)
///     for offset in offsets.sorted() { places.append(walk.lineAndColumn(at: offset)) }
public struct JSONLineWalk {
  private let input: JSONInput
  private var index = 0
  private var line = 1
  private var column = 1

  /// A walk that stands at the first byte.
  public init(_ input: JSONInput) {
    self.input = input
  }

  /// The place of a byte as editors count it: both numbers start at 1, a column is one Unicode
  /// scalar, and LF, CR LF and CR each end a line.
  ///
  /// - Parameter byteOffset: at or behind the one asked for last; one before it counts as that, and
  ///   one behind the end as the end.
  /// - Complexity: O(n), where n is the distance from the last place.
  public mutating func lineAndColumn(at byteOffset: Int) -> (line: Int, column: Int) {
    let start = input.start
    let stop = min(byteOffset, input.count)
    while index < stop {
      switch start[index] {
      case 0x0A:
        line += 1
        column = 1
      case 0x0D:
        // Of CR LF the LF ends the line; until then the pair counts as nothing.
        if index + 1 == input.count || start[index + 1] != 0x0A {
          line += 1
          column = 1
        }
      case 0x80...0xBF:
        break  // the rest of a scalar
      default:
        column += 1
      }
      index += 1
    }
    return (line, column)
  }
}
