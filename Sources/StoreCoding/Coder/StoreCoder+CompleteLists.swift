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
  ///   - data: The payload.
  ///   - path: The path to the list; see ``decodeArray(_:from:at:)``.
  ///   - scope: The objects that the list contains.
  ///   - missing: The treatment of missing objects.
  ///   - limits: The signs of an incomplete list.
  /// - Returns: The objects, their outcomes, and the number of missing objects as ``ReadResult/deleted``.
  /// - Throws: ``StoreCodingError``: `incompleteList`, which names the objects at risk, and the errors of
  ///   ``read(_:from:at:)``. The store is then unchanged.
  /// - Complexity: O(payload + objects in the scope).
  @discardableResult
  public func read<T: Object>(
    _ type: [T].Type, from data: Data, at path: String? = nil, complete scope: ListScope<T>,
    missing: MissingObjects<T> = .delete, guard limits: ListGuard = ListGuard()
  ) throws -> ReadResult<T> {
    let plan = try plan(T.self)
    let envelope = try envelope(path, or: plan.listEnvelope, isList: true)
    return try store.write {
      var list = try CompleteList(
        scope, missing, limits, among: store.objects(T.self), in: store, plan.codingClass.schema)
      var result: ReadResult<T> = try readList(data, plan, in: envelope) {
        try list.add($1, $0, isLast: true)
      }
      result.deleted = try list.finish(store, result.objects)
      return result
    }
  }

  /// Decodes a list that contains all objects of a scope; see
  /// ``read(_:from:at:complete:missing:guard:)``.
  @discardableResult
  public func decodeArray<T: Object>(
    _ type: T.Type, from data: Data, at path: String? = nil, complete scope: ListScope<T>,
    missing: MissingObjects<T> = .delete, guard limits: ListGuard = ListGuard()
  ) throws -> [T] {
    try read(
      [T].self, from: data, at: path, complete: scope, missing: missing, guard: limits
    ).objects
  }

  /// Begins a complete list that arrives in pages.
  ///
  ///     let pages = try coder.pages(of: Order.self, complete: .all)
  ///     while let data = try await client.nextPage() { try pages.read(data) }
  ///     let removed = try pages.finish()
  ///
  /// Each page is applied in a transaction of its own. Missing are only objects that were in the scope when this call was
  /// made, so an object that is inserted between two pages stays. Nothing is removed if a page is refused or if `finish` is
  /// not called.
  ///
  /// For the parameters see ``read(_:from:at:complete:missing:guard:)``.
  public func pages<T: Object>(
    of type: T.Type, at path: String? = nil, complete scope: ListScope<T>,
    missing: MissingObjects<T> = .delete, guard limits: ListGuard = ListGuard()
  ) throws -> ListPages<T> {
    try pages(plan(T.self), store.objects(T.self), at: path, scope, missing, limits)
  }

  /// Begins a complete list of objects of the class with this name that arrives in pages; see
  /// ``pages(of:at:complete:missing:guard:)``. Conditions on attributes are written with ``ListScope/filter(_:_:)``.
  public func pages(
    dynamic className: String, at path: String? = nil, complete scope: ListScope<DynamicObject>,
    guard limits: ListGuard = ListGuard()
  ) throws -> ListPages<DynamicObject> {
    try pages(
      plan(ofPayload: className), store.objects(dynamic: className), at: path, scope, .delete,
      limits)
  }

  private func pages<T: Object>(
    _ plan: CodingPlan, _ all: Results<T>, at path: String?, _ scope: ListScope<T>,
    _ missing: MissingObjects<T>, _ limits: ListGuard
  ) throws -> ListPages<T> {
    ListPages(
      self, plan, in: try envelope(path, or: plan.listEnvelope, isList: true),
      try CompleteList(
        scope, missing, limits, among: all, in: store, plan.codingClass.schema))
  }
}

/// The pages of a complete list. See ``StoreCoder/pages(of:at:complete:missing:guard:)``.
public final class ListPages<T: Object> {
  private let coder: StoreCoder
  private let plan: CodingPlan
  private let envelope: JSONPath?
  private var list: CompleteList<T>
  /// The elements so far; empty if they are not assigned to a list.
  private var elements: [T] = []
  private let keepsElements: Bool
  /// The last page; nil before the first one.
  private var last: ReadResult<T>?
  private var state = State.open

  private enum State { case open, failed, refused, finished }

  init(
    _ coder: StoreCoder, _ plan: CodingPlan, in envelope: JSONPath?, _ list: CompleteList<T>
  ) {
    self.coder = coder
    self.plan = plan
    self.envelope = envelope
    self.list = list
    keepsElements = list.assignsElements
  }

  /// Decodes the next page and applies it in one transaction, or as part of the open one.
  ///
  /// - Parameter data: The page. A value at one of `ListGuard.morePaths` is allowed in each page but the last.
  /// - Returns: The objects of the page and their outcomes.
  /// - Throws: ``StoreCodingError``; then the page is not applied, and ``finish()`` removes nothing.
  @discardableResult
  public func read(_ data: Data) throws -> ReadResult<T> {
    guard state == .open else { throw StoreCodingError(.incompleteList, expected: closedText) }
    do {
      let result: ReadResult<T> = try coder.store.write {
        try coder.readList(data, plan, in: envelope) { try list.add($1, $0, isLast: false) }
      }
      last = result
      if keepsElements { elements += result.objects }
      return result
    } catch {
      state = .failed
      throw error
    }
  }

  /// Removes the missing objects in one transaction, or as part of the open one.
  ///
  /// - Returns: The number of missing objects.
  /// - Throws: `incompleteList` if no page was read, if one was refused, if the last page indicates more, or for the
  ///   reasons of `ListGuard`; nothing is removed then.
  public func finish() throws -> Int {
    guard state == .open else { throw StoreCodingError(.incompleteList, expected: closedText) }
    guard let last else { throw StoreCodingError(.incompleteList, expected: "no page was read") }
    state = .refused
    try list.checkMore(last)
    let count = try coder.store.write {
      try list.finish(coder.store, elements.filter { !$0.isInvalidated })
    }
    state = .finished
    return count
  }

  private var closedText: String {
    switch state {
    case .open: ""
    case .failed: "one of its pages was refused"
    case .refused: "its end was refused before"
    case .finished: "its pages were finished before"
    }
  }
}
