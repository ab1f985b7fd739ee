public import Foundation
public import ObjectStore

extension StoreCoder {
  /// Decodes a list that contains all objects of a scope, and removes the objects of the scope that it lacks, in one
  /// transaction.
  ///
  ///     let result = try coder.read([Order].self, from: data, complete: .all)
  ///     print(result.inserted, result.updated, result.deleted)
  ///
  /// An object is missing if it was in the scope before the call, is in it afterwards, and no object of the payload, at the
  /// top or nested, has its key. A list that may be incomplete is refused: see `ListGuard`. See <doc:CompleteLists>.
  ///
  /// - Parameters:
  ///   - type: The class of the objects.
  ///   - className: The name of the class of dynamic objects; nil for a declared class.
  ///   - data: The payload.
  ///   - path: The path to the list; see ``decodeArray(_:dynamic:from:at:absent:)``.
  ///   - scope: The objects that the list contains.
  ///   - missing: The treatment of missing objects.
  ///   - limits: The signs of an incomplete list.
  ///   - absent: The meaning of attributes that the objects lack.
  ///   - version: The version of the store at the time of the request; see ``read(_:dynamic:from:at:absent:asOf:)``. Objects
  ///     that were inserted or changed since are not missing. Nil to apply all values.
  /// - Returns: The objects, their outcomes, and the number of missing objects as ``ReadResult/Counts/deleted``.
  /// - Throws: ``StoreCodingError``: `incompleteList`, which names the objects at risk, and the errors of
  ///   ``read(_:dynamic:from:at:absent:asOf:)``. The store is then unchanged.
  /// - Complexity: O(payload + objects in the scope).
  @discardableResult
  public func read<T: Object>(
    _ type: [T].Type, dynamic className: String? = nil, from data: Data, at path: String? = nil,
    complete scope: ListScope<T>, missing: ListScope<T>.Missing = .delete,
    guard limits: ListGuard = ListGuard(), absent: AbsentAttributes = .keep,
    asOf version: StoreVersion? = nil
  ) throws -> ReadResult<T> {
    try read(
      data, listPart(T.self, dynamic: className, at: path, absent: absent, asOf: version),
      complete: scope, missing: missing, guard: limits)
  }

  /// Decodes a complete list of objects or keys.
  func read<T: Object>(
    _ data: Data, _ part: PayloadPart, complete scope: ListScope<T>,
    missing: ListScope<T>.Missing, guard limits: ListGuard
  ) throws -> ReadResult<T> {
    try store.write(as: configuration.decodesAs) {
      var list = try CompleteList(part, scope, missing, limits, in: store)
      var result: ReadResult<T> = try read(data, part) { try list.add($1, $0, isLast: true) }
      let end = try list.finish(store, result.objects, as: valueAuthor)
      (result.counts.deleted, result.kept) = (end.missing, end.kept)
      result.counts.conflicts += end.conflicts
      return result
    }
  }

  /// Decodes a list that contains all objects of a scope; see
  /// ``read(_:dynamic:from:at:complete:missing:guard:absent:asOf:)``.
  @discardableResult
  public func decodeArray<T: Object>(
    _ type: T.Type, dynamic className: String? = nil, from data: Data, at path: String? = nil,
    complete scope: ListScope<T>, missing: ListScope<T>.Missing = .delete,
    guard limits: ListGuard = ListGuard(), absent: AbsentAttributes = .keep
  ) throws -> [T] {
    try read(
      [T].self, dynamic: className, from: data, at: path, complete: scope, missing: missing,
      guard: limits, absent: absent
    ).objects
  }

  /// Begins a complete list that arrives in pages.
  ///
  ///     let pages = try coder.pages(of: Order.self, complete: .all)
  ///     while let data = try await client.nextPage() { try pages.read(data) }
  ///     let removed = try pages.finish()
  ///
  /// Each page is applied in a transaction of its own. Missing are only objects that were in the scope when this call was
  /// made, so an object that is inserted between two pages stays. Edits that are confirmed since are not undone. Nothing is
  /// removed if a page is refused or if `finish` is not called.
  ///
  /// For the parameters see ``read(_:dynamic:from:at:complete:missing:guard:absent:asOf:)``.
  public func pages<T: Object>(
    of type: T.Type, dynamic className: String? = nil, at path: String? = nil,
    complete scope: ListScope<T>, missing: ListScope<T>.Missing = .delete,
    guard limits: ListGuard = ListGuard(), absent: AbsentAttributes = .keep
  ) throws -> ListPages<T> {
    var part = try listPart(type, dynamic: className, at: path, absent: absent)
    // Only now does the store know the class.
    part.version = store.requestVersion
    return ListPages(self, part, try CompleteList(part, scope, missing, limits, in: store))
  }
}
