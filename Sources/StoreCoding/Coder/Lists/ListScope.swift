public import ObjectStore

/// The objects that a complete list contains. Objects of the scope that the list lacks no longer exist on the server.
///
///     try coder.read([Order].self, from: data, complete: .all)
///     try coder.read([Order].self, from: data, complete: .where { $0.customer.id == 7 })
///     try coder.read([Line].self, from: data, complete: .of(order, \.lines))
///
/// See <doc:CompleteLists>.
public struct ListScope<T: Object> {
  /// Returns the objects of the scope among all objects of the class.
  let results: (Results<T>) throws -> Results<T>
  /// Assigns the elements to the list of the owner and returns the conflict with an edit of it; nil for other scopes.
  let assign: ((Store, ListElements<T>, ValueAuthor, StoreVersion?) throws -> [Edit.Conflict])?
  /// The class of the owner; nil for other scopes.
  var ownerName: String?

  /// All objects of the class.
  public static var all: ListScope {
    ListScope(results: { $0 }, assign: nil)
  }

  /// The objects that match a condition. Each element of the list must match it once it is stored.
  ///
  /// A key path to anything but an attribute is misuse.
  public static func `where`(
    _ condition: @escaping (QueryPath<T>) -> some _QueryCondition
  ) -> ListScope {
    ListScope(results: { $0.where(condition) }, assign: nil)
  }

  /// The objects that match a condition in the format syntax; see `StorePredicate`.
  ///
  /// The call that uses the scope throws `unknownAttribute` or `invalidQuery` for a mistake in the condition.
  public static func filter(_ format: String, _ arguments: Any?...) -> ListScope {
    ListScope(
      results: { try $0.filter(StorePredicate(format, arguments: arguments)) },
      assign: nil)
  }

  /// The elements of a list of an object: `GET /orders/7/lines`.
  ///
  /// The call also assigns the elements to the list, in the order of the payload. If the list has an unconfirmed edit, they
  /// become its base value, which may be a conflict. An object that leaves the list is
  /// missing only if no other object links to it; links of objects that leave the list with it do not count.
  ///
  /// - Parameters:
  ///   - owner: An object of the coder's store. A call with an object of another store, also of another handle, throws
  ///     `objectOfAnotherStore`; an unmanaged object is misuse.
  ///   - list: The list.
  public static func of<Owner: Object>(
    _ owner: Owner, _ list: ReferenceWritableKeyPath<Owner, List<T>>
  ) -> ListScope {
    ListScope(
      results: { _ in owner[keyPath: list].limit(.max) },
      assign: { store, elements, author, version in
        try store.assign(
          elements.objects, withheld: elements.withheld, to: list, of: owner, as: author,
          asOf: version)
      },
      ownerName: "\(Owner.self)")
  }
}

/// The elements of a list in a payload.
struct ListElements<T> {
  var objects: [T]
  /// The elements that were deleted locally, with their indexes among all elements.
  var withheld: [(index: Int, tombstone: Int)]
}

extension ListScope {
  /// The treatment of the objects of a scope that a complete list lacks.
  public enum Missing {
    /// They are deleted.
    case delete
    /// They get these values: `.update([\.isFavourite <- false])`.
    case update([Assignment<T>])
  }
}
