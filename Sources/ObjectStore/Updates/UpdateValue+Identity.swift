import Foundation

extension UpdateValue {
  /// For a primary key: a value that equals that of another key only if both are the same key. `==` ignores the normal
  /// form of strings.
  package var exactKey: UpdateValue {
    if case .string(let text) = self { .data(Data(text.utf8)) } else { self }
  }

  /// True if both values are the same, also in what `==` ignores: the normal form of strings, the sign of zero, and the
  /// bits of NaN. The names of objects are in the same order in both.
  ///
  /// - Complexity: O(size). Stack use does not depend on the depth.
  func isIdentical(to other: UpdateValue) -> Bool {
    var pending = [(self, other)]
    while let (one, other) = pending.popLast() {
      switch (one, other) {
      case (.double(let one), .double(let other)):
        if one.bitPattern != other.bitPattern { return false }
      case (.string(let one), .string(let other)):
        if !one.hasSameBytes(as: other) { return false }
      case (.json(let one), .json(let other)):
        if !one.isIdentical(to: other) { return false }
      case (.array(let one), .array(let other)):
        if one.count != other.count { return false }
        pending += zip(one, other)
      case (.object(let one), .object(let other)):
        if one.count != other.count { return false }
        for (one, other) in zip(one, other) {
          if !one.key.hasSameBytes(as: other.key) { return false }
          pending.append((one.value, other.value))
        }
      default:
        if one != other { return false }
      }
    }
    return true
  }
}
