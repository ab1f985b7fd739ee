extension JSONValue {
  /// True if both values are written as the same JSON: unlike `==`, it distinguishes strings in different Unicode normal
  /// forms, and 0 from -0, as the store does.
  package func isIdentical(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let a), .object(let b)): a.isIdentical(to: b)
    default: self == other
    }
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
  /// True if both objects are written as the same JSON.
  package func isIdentical(to other: JSONObject) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy {
        $0.key.hasSameBytes(as: $1.key) && $0.value.isIdentical(to: $1.value)
      }
  }
}
