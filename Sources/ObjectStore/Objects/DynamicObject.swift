import Foundation

/// An object of a class that is known only at run time; its attributes are accessed by name.
///
///     for user in store.objects(dynamic: "User") {
///       print(user["name"] as? String ?? "–", (user["friends"] as? List<DynamicObject>)?.count ?? 0)
///     }
///
/// Stores create dynamic objects, either for a schema built at run time (``ObjectSchema``) or as another view of a
/// declared class that the store already uses. Values have the types of declared attributes. Links of a schema built
/// at run time refer to dynamic objects. A dynamic object created by `init()` belongs to no class.
nonisolated public final class DynamicObject: Object {}

// MARK: - Reading and writing by shape

extension AttributeShape {
  /// The type of the wrapper that a declared attribute of this shape would have.
  var dynamicWrapper: any PersistedWrapper.Type {
    guard let scalar else {
      return switch (form, isOptional) {
      case (.list, false): Persisted<List<DynamicObject>>.self
      case (.list, true): Persisted<List<DynamicObject?>>.self
      case (.set, _): Persisted<MutableSet<DynamicObject>>.self
      case (.map, false): Persisted<Map<String, DynamicObject>>.self
      case (.map, true): Persisted<Map<String, DynamicObject?>>.self
      case (.linkingObjects, _): Persisted<LinkingObjects<DynamicObject>>.self
      case (.link, _), (.scalar, _): Persisted<DynamicObject?>.self
      }
    }
    return wrapper(of: scalar.kind.valueType)
  }

  private func wrapper<Value: ScalarValue>(of type: Value.Type) -> any PersistedWrapper.Type {
    switch (form, isOptional) {
    case (.list, false): Persisted<List<Value>>.self
    case (.list, true): Persisted<List<Value?>>.self
    case (.set, false): Persisted<MutableSet<Value>>.self
    case (.set, true): Persisted<MutableSet<Value?>>.self
    case (.map, false): Persisted<Map<String, Value>>.self
    case (.map, true): Persisted<Map<String, Value?>>.self
    case (_, false): Persisted<Value>.self
    case (_, true): Persisted<Value?>.self
    }
  }
}

extension ScalarKind {
  /// The Swift type of the values.
  var valueType: any ScalarValue.Type {
    switch self {
    case .bool: Bool.self
    case .int: Int.self
    case .int8: Int8.self
    case .int16: Int16.self
    case .int32: Int32.self
    case .int64: Int64.self
    case .uint: UInt.self
    case .uint8: UInt8.self
    case .uint16: UInt16.self
    case .uint32: UInt32.self
    case .uint64: UInt64.self
    case .float: Float.self
    case .double: Double.self
    case .decimal: Decimal.self
    case .string: String.self
    case .data: Data.self
    case .date: Date.self
    case .uuid: UUID.self
    case .url: URL.self
    case .json: JSONValue.self
    }
  }
}

extension ObjectBase {
  /// The model class of the object; the declared class if the object is unmanaged.
  final var model: ModelClass {
    guard let storage, let handle else { return ModelClass.of(type(of: self)) }
    return handle.entry(ofTable: storage.pointee.table).model
  }

  /// The class's name, for messages.
  final var className: String {
    self is DynamicObject ? objectSchema.className : "\(type(of: self))"
  }

  /// True if another object owns this one.
  final var isOwned: Bool {
    self is EmbeddedObject || self is DynamicObject && objectSchema.isEmbedded
  }

  /// True if a link to the class `id` may refer to the object.
  final func isOf(_ id: ClassID) -> Bool {
    if let target = id.objectType { return target == type(of: self) }
    return model.schema.id == id
  }
}
