import Foundation
import ObjectStore

/// Finds the keys of objects by the values of other attributes.
enum KeySearch {
  /// The key of the first object with these values; nil if there is none. A value of another type than its attribute is
  /// misuse in a debug build.
  static func key<T: Object, Key: ObjectKey>(
    _ type: T.Type, _ values: [String: Any?], in store: Store
  ) -> Key? {
    do {
      let name = try keyName(of: type)
      // Sorted, so that the same error is reported each time if several names or values are invalid.
      let found = try values.sorted { $0.key < $1.key }.reduce(store.objects(type)) {
        try $0.filter("%K == %@", $1.key, $1.value)
      }
      return found.first.flatMap { $0[name] as? Key ?? $0.objectSchema.key(of: $0) as? Key }
    } catch {
      debugMisuse("\(type).findId: \(error)")
      return nil
    }
  }

  /// The name of the class's primary key.
  /// - Throws: `noPrimaryKey`, `invalidDeclarations`.
  static func keyName<T: Object>(of type: T.Type) throws -> String {
    try keyProperty(of: type).name
  }

  /// Converts an id, or the raw value that it wraps, to a key of the class. A ``CompoundKey`` becomes its string.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for an id of another type; `noPrimaryKey`.
  static func key<T: Object>(_ id: Any, of type: T.Type) throws -> any PrimaryKeyValue {
    let property = try keyProperty(of: type)
    let key = IdentifierString.rawValue(of: id)
    if let key = key as? CompoundKey {
      if let error = try ObjectSchema.of(type).mismatch(ofKey: key) {
        throw DataSourceError.illegalArgument(error.description)
      }
      return key.text
    }
    let fits =
      switch property.type {
      case .int: key is any BinaryInteger
      case .string: key is String
      case .uuid: key is UUID
      default: false
      }
    guard fits, let key = key as? any PrimaryKeyValue else {
      throw DataSourceError.illegalArgument(
        "\(type).\(property.name) is a key of type \(property.type), but the id has the type \(Swift.type(of: id))"
      )
    }
    return key
  }

  private static func keyProperty<T: Object>(of type: T.Type) throws -> Property {
    let schema = try ObjectSchema.of(type)
    guard let property = schema.primaryKeyProperty else {
      throw StoreError(.noPrimaryKey(className: schema.className))
    }
    return property
  }
}
