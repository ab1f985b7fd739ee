/// Finds the elements of an array, or of a sequence of values, in text that arrives in pieces.
///
///     var scanner = JSONElementScanner(.array, from: 1)       // after the bracket
///     scanner.next(in: bytes, isComplete: false)              // .element(1..<10)
///
/// The bytes that were scanned may be dropped; see ``move(by:)``. No element is read or validated. For a valid text,
/// the elements are those that ``JSONReader`` finds.
public struct JSONElementScanner {
  /// The separators of the elements.
  public enum Form: Sendable {
    /// Commas, up to a closing bracket.
    case array
    /// White space, which may be absent, up to the end of the text (JSON Lines, concatenated JSON).
    case sequence
  }

  /// The result of a scan.
  public enum Event: Equatable, Sendable {
    /// The byte range of the next element.
    case element(Range<Int>)
    /// The elements end; the next byte is at the index. In an array, it is that of the closing bracket.
    case end(Int)
    /// The text ends within an element or before the next one.
    case incomplete
    /// The byte at the index is neither a separator nor part of an element.
    case malformed(Int)
  }

  private enum State { case first, separator, value, inValue }

  private let form: Form
  private var state: State
  private var value = JSONValueScanner()
  /// The next byte to scan.
  private var index: Int
  /// The first byte of the element in progress.
  private var start = 0

  /// Creates a scanner that begins at an index, in an array after the opening bracket.
  public init(_ form: Form, from index: Int) {
    self.form = form
    self.index = index
    state = .first
  }

  /// The index of the first byte of the element in progress; nil between elements.
  public var elementStart: Int? { state == .inValue ? start : nil }

  /// Scans to the end of the next element.
  ///
  /// - Parameters:
  ///   - text: The text so far, without the dropped bytes.
  ///   - isComplete: True if no more text follows.
  /// - Complexity: O(*n*) in the new bytes.
  public mutating func next(in text: UnsafeRawBufferPointer, isComplete: Bool) -> Event {
    while true {
      if state == .inValue {
        var end = value.end(in: text, from: index)
        if end == nil, isComplete, value.isCompleteAtEnd { end = text.count }
        guard let end else {
          index = text.count
          return .incomplete
        }
        guard end > start else { return .malformed(start) }
        index = end
        value = JSONValueScanner()
        state = form == .array ? .separator : .value
        return .element(start..<end)
      }
      while index < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[index]) { index += 1 }
      guard index < text.count else {
        return form == .sequence && isComplete ? .end(index) : .incomplete
      }
      switch (state, text[index]) {
      case (_, Byte.closeBracket) where form == .array:
        return .end(index)
      case (.separator, Byte.comma):
        index += 1
        state = .value
      case (.separator, _):
        return .malformed(index)
      default:
        start = index
        state = .inValue
      }
    }
  }

  /// Adjusts the scanner to a text in which the bytes to scan have moved, because bytes before them were added or removed.
  public mutating func move(by count: Int) {
    index += count
    start += count
  }
}
