import Foundation
public import ObjectStore

/// A base class of models that know themselves by an id of their own: a `String`, a new UUID where none is
/// given.
///
///     final class Item: IdentifiedObject {
///       @Persisted var serverId = 0
///       @Persisted var text = ""
///     }
///
///     let item = Item("x7")
nonisolated open class IdentifiedObject: Object {
  /// The primary key.
  @Persisted(primaryKey: true) public var id: String = UUID().uuidString

  /// An object with this id; with a new one if it is nil.
  public convenience init(_ id: String?) {
    self.init()
    if let id { self.id = id }
  }

  /// The id of the first object with a value of an attribute; nil if there is none.
  ///
  ///     let id = Item.findId(key: "serverId", value: 42, in: store)
  ///
  /// A name that is no attribute, and a value that the attribute cannot hold, are misuse.
  public class func findId(key: String, value: Any?, in store: Store) -> String? {
    findId(keyedValues: [key: value], in: store)
  }

  /// The id of the first object with values of several attributes; nil if there is none.
  ///
  /// A name that is no attribute, and a value that the attribute cannot hold, are misuse.
  public class func findId(keyedValues: [String: Any?], in store: Store) -> String? {
    KeySearch.key(self, keyedValues, in: store)
  }
}
