extension JSONValue {
  /// True if both values are the same JSON: unlike `==`, it distinguishes strings in different Unicode normal forms, and 0
  /// from -0, as the store does. The notation of a number has no effect.
  package func isIdentical(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let a), .object(let b)): a.isIdentical(to: b)
    case (.number(let a), .number(let b)) where a == b: true
    case (.number, _), (_, .number):
      switch (withoutNotation, other.withoutNotation) {
      case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
      case (let a, let b): a == b
      }
    default: self == other
    }
  }

  /// The integer or double that a `number` equals; itself for any other value.
  private var withoutNotation: JSONValue {
    if case .number(let text) = self { JSONValue(exactNumber: text) } else { self }
  }
}

extension JSONValue? {
  /// True if both values are absent or identical.
  package func isIdentical(to other: JSONValue?) -> Bool {
    switch (self, other) {
    case (.none, .none): true
    case (let a?, let b?): a.isIdentical(to: b)
    default: false
    }
  }
}

extension JSONObject {
  /// True if both objects are the same JSON.
  package func isIdentical(to other: JSONObject) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy {
        $0.key.hasSameBytes(as: $1.key) && $0.value.isIdentical(to: $1.value)
      }
  }
}
