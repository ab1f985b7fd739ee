import Foundation
public import ObjectStore

/// A base class for models with a `String` id, which is a new UUID, in lower case, unless one is given.
///
///     final class Item: IdentifiedObject {
///       @Persisted var serverId = 0
///       @Persisted var text = ""
///     }
///
///     let item = Item("x7")
nonisolated open class IdentifiedObject: Object {
  /// The primary key.
  @Persisted(primaryKey: true) public var id: String = UUIDText.text(UUID())

  /// Creates an object with an id, or with a new id if it is nil.
  public convenience init(_ id: String?) {
    self.init()
    if let id { self.id = id }
  }

  /// Returns the id of the first object with the given value of an attribute; nil if there is none.
  ///
  ///     let id = Item.findId(key: "serverId", value: 42, in: store)
  ///
  /// - Precondition: The class has the attribute, and the value has its type.
  public class func findId(key: String, value: Any?, in store: Store) -> String? {
    findId(keyedValues: [key: value], in: store)
  }

  /// Returns the id of the first object with the given values of several attributes; nil if there is none.
  ///
  /// - Precondition: The class has the attributes, and the values have their types.
  public class func findId(keyedValues: [String: Any?], in store: Store) -> String? {
    KeySearch.key(self, keyedValues, in: store)
  }
}
