/// Makes values of one type of values of another: a subclass, or a closure.
///
///     final class ItemToEntityMapper: Mapper<Item, ItemEntity> {
///       override func map(_ from: Item) throws -> ItemEntity { ItemEntity(id: from.id, text: from.text) }
///     }
///
///     let names = Mapper<Item, String> { $0.text }
///
/// A mapper need not be `Sendable`: the source it is given to keeps it to itself.
nonisolated open class Mapper<From, To> {
  private let closure: ((From) throws -> To)?

  /// For subclasses, which override ``map(_:)-(From)``.
  public init() {
    closure = nil
  }

  /// Maps by a closure.
  public init(_ closure: @escaping (From) throws -> To) {
    self.closure = closure
  }

  /// The value of one type for one of the other.
  /// - Throws: what the subclass or the closure throws; ``DataSourceError/notImplemented(_:)`` if there is
  ///   neither.
  open func map(_ from: From) throws -> To {
    guard let closure else {
      throw DataSourceError.notImplemented(
        "\(type(of: self)) overrides no `map`, and was made without a closure")
    }
    return try closure(from)
  }

  /// The values for each of a sequence: of an array, a `List`, `Results`.
  public final func map(_ sequence: some Sequence<From>) throws -> [To] {
    try sequence.map { try map($0) }
  }
}
