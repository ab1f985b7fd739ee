public import ObjectStore

/// Makes the object that keeps a value: a subclass, or a closure.
///
///     final class EntityToItemMapper: StoreMapper<ItemEntity, Item> {
///       override func map(_ from: ItemEntity, in store: Store) throws -> Item {
///         let item = Item(from.id ?? Item.findId(key: "serverId", value: from.serverId, in: store))
///         item.text = from.text
///         return item
///       }
///     }
///
/// It may look things up in the store, which is in a write; what it changes there is undone if something
/// fails afterwards. The object may be one of the store, or a new one, which is put in its place by its
/// primary key.
nonisolated open class StoreMapper<In, Out: Object> {
  private let closure: ((In, Store) throws -> Out)?

  /// For subclasses, which override ``map(_:in:)-(In,_)``.
  public init() {
    closure = nil
  }

  /// Maps by a closure.
  public init(_ closure: @escaping (In, Store) throws -> Out) {
    self.closure = closure
  }

  /// The object that keeps a value.
  /// - Throws: what the subclass or the closure throws; ``DataSourceError/notImplemented(_:)`` if there is
  ///   neither.
  open func map(_ from: In, in store: Store) throws -> Out {
    guard let closure else {
      throw DataSourceError.notImplemented(
        "\(type(of: self)) overrides no `map`, and was made without a closure")
    }
    return try closure(from, store)
  }

  /// A list of the objects that keep several values.
  public final func map(_ array: [In], in store: Store) throws -> List<Out> {
    List(try array.map { try map($0, in: store) })
  }

  /// The key of the first object with a value of an attribute; nil if there is none. Where the server's
  /// name of a thing is not the key of its object:
  ///
  ///     let id: Int? = findId(key: "serverId", value: from.serverId, in: store)
  ///
  /// A name that is no attribute, and a value that the attribute cannot hold, are misuse.
  public final func findId<Key: ObjectKey>(
    key: String, value: Any?, in store: Store
  ) -> Key? {
    findId(keyedValues: [key: value], in: store)
  }

  /// The key of the first object with values of several attributes; nil if there is none.
  ///
  /// A name that is no attribute, and a value that the attribute cannot hold, are misuse.
  public final func findId<Key: ObjectKey>(
    keyedValues: [String: Any?], in store: Store
  ) -> Key? {
    KeySearch.key(Out.self, keyedValues, in: store)
  }
}
