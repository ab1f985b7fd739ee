public import ObjectStore

/// A conversion from values to the objects that store them, implemented by a subclass or a closure.
///
///     final class EntityToItemMapper: StoreMapper<ItemEntity, Item> {
///       override func map(_ from: ItemEntity, in store: Store) throws -> Item {
///         let item = Item(from.id ?? Item.findId(key: "serverId", value: from.serverId, in: store))
///         item.text = from.text
///         return item
///       }
///     }
///
/// The mapper may read and change the store, which has an open write transaction; its changes are rolled back if a
/// later step fails. It returns an object of the store, or a new one, which replaces the object with the same primary
/// key.
nonisolated open class StoreMapper<In, Out: Object> {
  private let closure: ((In, Store) throws -> Out)?

  /// Creates a mapper for a subclass, which overrides ``map(_:in:)-(In,_)``.
  public init() {
    closure = nil
  }

  /// Creates a mapper that calls a closure.
  public init(_ closure: @escaping (In, Store) throws -> Out) {
    self.closure = closure
  }

  /// Returns the object that stores a value.
  /// - Throws: The errors of the subclass or the closure; ``DataSourceError/notImplemented(_:)`` if there is neither.
  open func map(_ from: In, in store: Store) throws -> Out {
    guard let closure else {
      throw DataSourceError.notImplemented(
        "\(type(of: self)) has no closure and does not override `map`")
    }
    return try closure(from, store)
  }

  /// Returns a list of the objects that store several values.
  public final func map(_ array: [In], in store: Store) throws -> List<Out> {
    List(try array.map { try map($0, in: store) })
  }

  /// Returns the key of the first object with the given value of an attribute; nil if there is none. Use it if the
  /// server's id is not the key of the object:
  ///
  ///     let id: Int? = findId(key: "serverId", value: from.serverId, in: store)
  ///
  /// A name that is no attribute of the class, or a value of another type, is misuse in a debug build; in a release build
  /// the result is nil, because the value may come from a response.
  public final func findId<Key: ObjectKey>(
    key: String, value: Any?, in store: Store
  ) -> Key? {
    findId(keyedValues: [key: value], in: store)
  }

  /// Returns the key of the first object with the given values of several attributes; nil if there is none.
  ///
  /// A name that is no attribute of the class, or a value of another type, is misuse in a debug build; in a release build
  /// the result is nil, because the value may come from a response.
  public final func findId<Key: ObjectKey>(
    keyedValues: [String: Any?], in store: Store
  ) -> Key? {
    KeySearch.key(Out.self, keyedValues, in: store)
  }
}
