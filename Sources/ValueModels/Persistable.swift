public import ObjectStore

/// A value that a store keeps as an object: a struct of yours on one side, a model class on the other.
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
/// Values are copies: they go anywhere, and show what was stored when they were made. Where both directions
/// are nothing but pairs of attributes, ``MappedPersistable`` makes them from one list.
public protocol Persistable: SendableMetatype {
  /// The class whose objects keep the values.
  associatedtype ManagedObject: Object
  /// What a partial update may name; by default nothing.
  associatedtype PropertyValue: PropertyValueType = DefaultPropertyValue
  /// What may be asked for; by default everything.
  associatedtype Query: QueryType = DefaultQuery

  /// The value that an object keeps.
  init(managedObject: ManagedObject)

  /// A new object that keeps the value, in no store yet. Values inside of it become objects in the same
  /// way.
  func managedObject() -> ManagedObject

  // What ``MappedPersistable`` does in its own way.

  /// Makes values of objects, many with one preparation.
  static var _reader: (ManagedObject) -> Self { get }

  /// Puts the value into the store, in the open write; returns its object.
  func _place(in store: Store, replacing: Bool) throws -> ManagedObject

  /// The primary key of the value's object; nil for a class without one.
  func _key(in store: Store) throws -> (any ObjectKey)?

  /// What an update says of the value.
  var _update: UpdateValue { get }

  /// What is wrong with what the type says of attributes, and with the types of values inside of it, but for
  /// those in `seen`.
  static func _mistakes(_ seen: inout Set<ObjectIdentifier>) -> [String]
}

extension Persistable {
  public static var _reader: (ManagedObject) -> Self { Self.init(managedObject:) }

  public func _place(in store: Store, replacing: Bool) throws -> ManagedObject {
    let object = managedObject()
    let hasKey = object.objectSchema.primaryKeyProperty != nil
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

/// An attribute's name and its new value: nil clears it, an object is linked to, and a ``Persistable`` value
/// is added as it would be by itself.
public typealias PropertyValuePair = (name: String, value: Any?)

/// Some attribute with a value, of which a partial update is made: an enum with a case for each attribute.
///
///     enum PropertyValue: PropertyValueType {
///       case identifier(Int)
///       case realName(String)
///
///       var propertyValuePair: PropertyValuePair {
///         switch self {
///         case .identifier(let identifier): ("identifier", identifier)
///         case .realName(let name): ("realName", name)
///         }
///       }
///     }
public protocol PropertyValueType {
  /// The attribute's name in the managed class, and the value.
  var propertyValuePair: PropertyValuePair { get }
}

/// For values of which no part is updated.
public enum DefaultPropertyValue: PropertyValueType {
  /// There is no value to ask.
  public var propertyValuePair: PropertyValuePair {
    switch self {}
  }
}

/// What values are asked for by: an enum with a case for each question.
///
///     enum Query: QueryType {
///       case publisherName(String)
///
///       var predicate: StorePredicate? {
///         switch self {
///         case .publisherName(let name):
///           StorePredicate(CharacterObject.self) { $0.publisher.name == name }
///         }
///       }
///       var sortDescriptors: [StoreSortDescriptor] { [StoreSortDescriptor("name")] }
///     }
public protocol QueryType {
  /// The condition on the managed objects; nil for all.
  var predicate: StorePredicate? { get }
  /// The order, the first counting most; empty for that of insertion, which is the default.
  var sortDescriptors: [StoreSortDescriptor] { get }
}

extension QueryType {
  public var predicate: StorePredicate? { nil }
  public var sortDescriptors: [StoreSortDescriptor] { [] }
}

/// Asks for all values, in the order of insertion.
public struct DefaultQuery: QueryType, Sendable, Hashable {
  /// Asks for all.
  public init() {}
}
