public import Foundation

// Foundation's `#Predicate`, which a store is asked as it is asked any other condition.

extension StorePredicate {
  /// From Foundation's `Predicate`, as its macro makes it.
  ///
  ///     let predicate = try StorePredicate(#Predicate<Animal> { $0.legs > 2 && $0.owner?.name == "Jo" })
  ///
  /// It is translated once and never evaluated for objects. Values that it captures are `Codable` and
  /// `Sendable`, as Foundation demands: so no objects.
  /// - Throws: `invalidQuery` that names what no store can be asked; see <doc:Queries>.
  public init<T: ObjectBase>(_ predicate: Foundation.Predicate<T>) throws {
    self.init(try PredicateTranslation.node(predicate))
  }
}

extension Results {
  /// Those for which Foundation's `Predicate` holds; still live.
  ///
  ///     try store.objects(Animal.self).filter(#Predicate<Animal> { $0.legs > 2 })
  ///
  /// - Throws: `invalidQuery` that names what no store can be asked; as ``filter(_:)-(StorePredicate)``.
  public func filter(_ predicate: Foundation.Predicate<Element>) throws -> Results {
    try filter(StorePredicate(predicate))
  }
}

extension _ObjectCollection {
  /// Those for which Foundation's `Predicate` holds, in the order of the collection; live.
  /// - Throws: as ``Results/filter(_:)-(Predicate<Element>)``.
  public func filter(_ predicate: Foundation.Predicate<Element>) throws -> Results<Element> {
    try _results.filter(StorePredicate(predicate))
  }
}
