public import ObjectStore

/// A value, usually a struct, that a store keeps as an object of a model class.
///
///     struct Character: Persistable {
///       let identifier: Int
///       let name: String
///
///       init(managedObject: CharacterObject) {
///         identifier = managedObject.identifier
///         name = managedObject.name
///       }
///
///       func managedObject() -> CharacterObject {
///         let object = CharacterObject()
///         object.identifier = identifier
///         object.name = name
///         return object
///       }
///     }
///
/// Values are copies of the stored state at the time of their creation and can be used in any isolation. If both
/// conversions consist of pairs of attributes, use ``MappedPersistable``, which derives them from one list.
public protocol Persistable: SendableMetatype {
  /// The class of the objects that store the values.
  associatedtype ManagedObject: Object
  /// The attributes that a partial update may change; none by default.
  associatedtype PropertyValue: PropertyValueType = DefaultPropertyValue
  /// The supported queries; by default one query for all values.
  associatedtype Query: QueryType = DefaultQuery

  /// Creates the value that an object stores.
  init(managedObject: ManagedObject)

  /// Returns a new unmanaged object with the value. Nested values become objects in the same way.
  func managedObject() -> ManagedObject

  // Requirements with a default implementation, which ``MappedPersistable`` replaces.

  /// A function that creates values of objects. Get it once to convert many objects.
  static var _reader: (ManagedObject) -> Self { get }

  /// Stores the value in the open write transaction and returns its object.
  func _place(in store: Store, replacing: Bool) throws -> ManagedObject

  /// The primary key of the value's object; nil for a class without one.
  func _key(in store: Store) throws -> (any ObjectKey)?

  /// The value as part of an update.
  var _update: UpdateValue { get }

  /// The errors in the declarations of this type and of nested value types, except the types in `seen`.
  static func _mistakes(_ seen: inout Set<ObjectIdentifier>) -> [String]
}

extension Persistable {
  public static var _reader: (ManagedObject) -> Self { Self.init(managedObject:) }

  public func _place(in store: Store, replacing: Bool) throws -> ManagedObject {
    let object = managedObject()
    let schema = object.objectSchema
    let key = replacing ? schema.key(of: object) : nil
    let known = key.flatMap { store.object(ofType: ManagedObject.self, forPrimaryKey: $0) }
    if let shown = known?.unknownAttributes(showing: object), !shown.isEmpty {
      var values = UpdateDictionary()
      let compoundKey = schema.compoundKey.isEmpty ? nil : schema.primaryKeyProperty?.name
      for name in schema.storedProperties.map(\.name)
      where name != compoundKey && !shown.contains(name) {
        values[name] = UpdateValue(any: object[name])
      }
      return try store.create(ManagedObject.self, value: values, update: .modified)
    }
    let hasKey = schema.primaryKeyProperty != nil
    try store.add(object, update: replacing && hasKey ? .modified : .error)
    return object
  }

  public func _key(in store: Store) throws -> (any ObjectKey)? {
    let object = managedObject()
    return object.objectSchema.key(of: object)
  }

  public var _update: UpdateValue { UpdateValue(managedObject()) }

  public static func _mistakes(_ seen: inout Set<ObjectIdentifier>) -> [String] { [] }
}

/// The name of an attribute and its new value: nil to clear the attribute, an object to link to, or a
/// ``Persistable`` value to add and link to.
public typealias PropertyValuePair = (name: String, value: Any?)
