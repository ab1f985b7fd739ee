#if canImport(ObjectiveC)
  public import Foundation
#endif

/// A condition on objects, as a value. It is created from a closure or from a format string, and applies to any class
/// that has the attributes it names.
///
///     let shy = try StorePredicate("ANY tags == %@ AND legs < 4", "shy")
///     let jos = StorePredicate(Animal.self) { $0.owner.name == "Jo" }
///
/// Parsing its description returns an equal predicate, except in the cases for which ``encode(to:)`` throws. `Codable`
/// uses the description, too.
public struct StorePredicate: Sendable, Hashable, CustomStringConvertible {
  let node: QueryNode

  init(_ node: QueryNode) { self.node = node.normalized }

  /// Creates a predicate from the format syntax.
  ///
  /// - Parameters:
  ///   - format: A predicate in the grammar of `NSPredicate`, with `%@` for values and `%K` for names; see
  ///     <doc:Queries>.
  ///   - arguments: Values that an attribute can hold, managed objects, sequences of these for `IN` and `BETWEEN`,
  ///     and nil.
  /// - Throws: `invalidQuery` with the column of a syntax error; `typeMismatch` for an argument that no attribute can
  ///   hold.
  public init(_ format: String, _ arguments: Any?...) throws {
    try self.init(format, arguments: arguments)
  }

  /// Creates a predicate from the format syntax, with the arguments in an array. See ``init(_:_:)-(String,_)``.
  public init(_ format: String, arguments: [Any?]) throws {
    self.init(
      try QueryFormat.parse(
        format,
        arguments.enumerated().map { index, argument in try Self.argument(argument, index) }))
  }

  #if canImport(ObjectiveC)
    /// Creates a predicate from the format text of an `NSPredicate`.
    /// - Throws: `invalidQuery` for blocks, regular expressions, functions, and values that have no text in the format, such
    ///   as a `UUID`.
    public init(_ predicate: NSPredicate) throws { try self.init(predicate.predicateFormat) }
  #endif

  /// Creates a predicate from a closure.
  public init<T: ObjectBase>(
    _ type: T.Type, _ condition: (QueryPath<T>) -> some _QueryCondition
  ) {
    let root = QueryRoot()
    self.init(condition(QueryPath<T>(root))._term.node([root]))
  }

  private static func argument(_ any: Any?, _ index: Int) throws -> QueryFormat.Argument {
    if let object = any as? ObjectBase, let row = QueryValue(row: object) { return .value(row) }
    guard let value = UpdateValue(any: any) else { throw badArgument(any, index) }
    if case .array(let elements) = value {
      return .list(
        try elements.map {
          guard let value = QueryValue($0) else { throw badArgument(any, index) }
          return value
        })
    }
    guard let value = QueryValue(value) else { throw badArgument(any, index) }
    return .value(value)
  }

  private static func badArgument(_ any: Any?, _ index: Int) -> StoreError {
    let unmanaged = unmanagedObject(in: any)
    return StoreError(
      .typeMismatch(
        attribute: "argument \(index + 1)",
        expected: unmanaged == nil
          ? "a value an attribute can hold" : "an object that a store manages",
        found: unmanaged.map { "an unmanaged \($0.className)" }
          ?? any.map { "\(Swift.type(of: $0))" } ?? "nil"))
  }

  /// The first object in an argument that no store manages.
  private static func unmanagedObject(in any: Any?) -> ObjectBase? {
    func first(_ elements: some Sequence) -> ObjectBase? {
      elements.lazy.compactMap { unmanagedObject(in: $0) }.first
    }
    if let object = any as? ObjectBase { return QueryValue(row: object) == nil ? object : nil }
    return (any as? any Sequence).flatMap { first($0) }
  }

  /// The predicate in the format syntax. It cannot be parsed if it refers to an object of a store or has a JSON number
  /// that is not finite.
  public var description: String { QueryText.text(node) }
}

extension StorePredicate: Codable {
  /// - Throws: `invalidQuery` for a syntax error.
  public init(from decoder: any Decoder) throws {
    self.init(
      try QueryFormat.parse(try decoder.singleValueContainer().decode(String.self), []))
  }

  /// - Throws: `EncodingError` for a predicate whose description cannot be parsed: one that refers to an object of a
  ///   store or has a JSON number that is not finite.
  public func encode(to encoder: any Encoder) throws {
    let format = description
    guard (try? QueryFormat.parse(format, [])).map(StorePredicate.init) == self else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "a predicate that refers to an object of a store, or has a JSON number that is not finite, "
            + "cannot be encoded: \(format)"))
    }
    var container = encoder.singleValueContainer()
    try container.encode(format)
  }
}
