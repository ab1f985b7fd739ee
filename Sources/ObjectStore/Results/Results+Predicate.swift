public import Foundation

extension StorePredicate {
  /// Creates a predicate from Foundation's `Predicate`, as its macro produces it.
  ///
  ///     let predicate = try StorePredicate(#Predicate<Animal> { $0.legs > 2 && $0.owner?.name == "Jo" })
  ///
  /// It is translated once and never evaluated for objects. Foundation requires captured values to be `Codable` and
  /// `Sendable`, so objects cannot be captured.
  /// - Throws: `invalidQuery` with the unsupported expression. See <doc:Queries>.
  public init<T: ObjectBase>(_ predicate: Foundation.Predicate<T>) throws {
    self.init(try PredicateTranslation.node(predicate))
  }
}

extension Results {
  /// Returns live results with the objects that match Foundation's `Predicate`.
  ///
  ///     try store.objects(Animal.self).filter(#Predicate<Animal> { $0.legs > 2 })
  ///
  /// - Throws: `invalidQuery` with the unsupported expression; the errors of ``filter(_:)-(StorePredicate)``.
  public func filter(_ predicate: Foundation.Predicate<Element>) throws -> Results {
    try filter(StorePredicate(predicate))
  }
}

extension _ObjectCollection {
  /// Returns live results with the objects that match Foundation's `Predicate`, in the order of the collection.
  /// - Throws: The errors of ``Results/filter(_:)-(Predicate<Element>)``.
  public func filter(_ predicate: Foundation.Predicate<Element>) throws -> Results<Element> {
    try _results.filter(StorePredicate(predicate))
  }
}
