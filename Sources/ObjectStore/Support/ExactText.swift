/// A text that equals another if its bytes do.
///
/// Swift's `String` takes é for e with an accent of its own; JSON and the store tell them apart.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }

  func hash(into hasher: inout Hasher) {
    hasher.combine(text.utf8.count)
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension String {
  /// Whether the texts are the same bytes.
  func hasSameBytes(as other: String) -> Bool {
    // What differs for Swift differs in its bytes.
    self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
