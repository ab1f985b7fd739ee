/// A conversion from one type of value to another, implemented by a subclass or a closure.
///
///     final class ItemToEntityMapper: Mapper<Item, ItemEntity> {
///       override func map(_ from: Item) throws -> ItemEntity { ItemEntity(id: from.id, text: from.text) }
///     }
///
///     let names = Mapper<Item, String> { $0.text }
///
/// A mapper need not be `Sendable`: it is sent to the source that uses it.
nonisolated open class Mapper<From, To> {
  private let closure: ((From) throws -> To)?

  /// Creates a mapper for a subclass, which overrides ``map(_:)-(From)``.
  public init() {
    closure = nil
  }

  /// Creates a mapper that calls a closure.
  public init(_ closure: @escaping (From) throws -> To) {
    self.closure = closure
  }

  /// Converts a value.
  /// - Throws: The errors of the subclass or the closure; ``DataSourceError/notImplemented(_:)`` if there is neither.
  open func map(_ from: From) throws -> To {
    guard let closure else {
      throw DataSourceError.notImplemented(
        "\(type(of: self)) has no closure and does not override `map`")
    }
    return try closure(from)
  }

  /// Converts the elements of a sequence, such as an array, a `List` or `Results`.
  public final func map(_ sequence: some Sequence<From>) throws -> [To] {
    try sequence.map { try map($0) }
  }
}
