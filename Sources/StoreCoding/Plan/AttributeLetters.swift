/// A name without the differences between key styles: in lower case and without separators, so that `BornOn`, `born_on`
/// and `born-on` are equal.
struct AttributeLetters: Hashable {
  private let text: String

  /// Returns nil for a name without letters, or that is too long for a key of a class.
  init?(of name: String) {
    guard name.utf8.count <= 256 else { return nil }
    var text = ""
    for scalar in name.lowercased().unicodeScalars where !["_", "-", " "].contains(scalar) {
      text.unicodeScalars.append(scalar)
    }
    guard !text.isEmpty else { return nil }
    self.text = text
  }
}
