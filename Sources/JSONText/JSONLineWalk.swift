/// Finds the lines and columns of many byte offsets in one pass over a text.
///
///     var walk = JSONLineWalk(input)
///     for offset in offsets.sorted() { positions.append(walk.lineAndColumn(at: offset)) }
public struct JSONLineWalk {
  private let input: JSONInput
  private var index = 0
  private var position = JSONTextPosition()
  /// The index of the byte before which text is missing, and the position of this byte.
  private var gap: (index: Int, position: JSONTextPosition)?

  /// Creates a walk at the first byte.
  public init(_ input: JSONInput) {
    self.input = input
  }

  /// Creates a walk over a text from which bytes were removed.
  ///
  /// - Parameters:
  ///   - index: The index of the first byte after the removed ones.
  ///   - position: The position of this byte in the text with the removed ones.
  public init(_ input: JSONInput, resumingAt index: Int, as position: JSONTextPosition) {
    self.input = input
    gap = (index, position)
  }

  /// Returns the line and column of a byte, both counted from 1. A column is one Unicode scalar, and LF, CR LF
  /// and CR each end a line.
  ///
  /// - Parameter byteOffset: An offset in the input, not before the previous one; otherwise, the previous one is
  ///   used. Offsets past the end are clamped.
  /// - Complexity: O(*n*) in the distance from the previous offset.
  public mutating func lineAndColumn(at byteOffset: Int) -> (line: Int, column: Int) {
    let stop = min(byteOffset, input.count)
    if let gap, stop >= gap.index {
      (index, position) = gap
      self.gap = nil
    }
    if stop > index {
      let bytes = UnsafeRawBufferPointer(start: input.start, count: input.count)
      position.advance(over: index..<stop, of: bytes)
      index = stop
    }
    return (position.line, position.column)
  }
}
