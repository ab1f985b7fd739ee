import ObjectStore

/// The scopes around the reader that skip bad values.
///
/// Scopes are numbered from the outermost, starting at 1; 0 rejects the payload. Of two bad values, the one
/// with the lower scope is stricter, because it skips more.
///
///     [{"owner": {"id": "x"}}]      1 the element of the list    2 the value of `owner`
///
/// Each property is the number of the innermost scope for one kind of bad value.
struct SkipScopes {
  /// The scope for a value whose attribute declares no policy for enclosing values.
  private(set) var undeclared = 0
  /// The scope for an object without a known key or without its primary key.
  private(set) var unknownObject = 0
  /// The scope for a value whose attribute declares `skipElement`.
  private(set) var element = 0
  /// The number of scopes.
  private var count = 0

  /// Enters an element of the top-level list.
  mutating func enterTopElement(_ policy: AttributePolicy.Mismatches) {
    count = 1
    element = 1
    undeclared = policy == .skipElement ? 1 : 0
    unknownObject = undeclared
  }

  /// Enters the objects in the value of an attribute.
  mutating func enter(_ field: CodingField) {
    if field.skipsElements {
      count += 1
      (undeclared, unknownObject, element) = (count, count, count)
    } else if field.skipsBadValue {
      count += 1
      undeclared = count
      if field.skipsForeignObjects { unknownObject = count }
    } else if let policy = field.errorPolicy {
      undeclared = policy == .skipElement ? element : 0
      unknownObject = undeclared
    }
  }
}
