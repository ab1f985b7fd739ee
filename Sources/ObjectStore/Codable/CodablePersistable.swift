/// A `Codable` type that is stored as JSON: `struct Hours: CodablePersistable { var from = "", to = "" }`.
///
///     @Persisted var hours = Hours()
///     @Persisted var breaks: List<Hours>
///
/// Values are stored and encoded as JSON. Decoding a payload checks each value with the type's `init(from:)`: a value that
/// it refuses is a mismatch, to which the attribute's policy applies. Dates are ISO 8601 strings, `Data` is base64, URLs
/// are strings, and a `Decimal` keeps all digits. Arrays and objects may be nested 128 levels deep. Sets, and dictionaries
/// whose keys are not strings, have their elements in the order of their JSON.
///
/// The store keeps a payload's JSON as it is, also keys that the type does not read. Queries, sets and the detection of
/// changes compare this JSON: `{"x": 2.0}` differs from the `{"x": 2}` that a value is encoded as, and so does an object
/// with an additional key. `2.50` and `2.5` are equal. Assigning another value replaces all of the JSON.
///
/// A stored value that the type cannot read, for example one that another version of the app wrote, reads as `init()`.
/// Its JSON is kept, and encoded, until the attribute is assigned.
///
/// Assigning a value whose `encode(to:)` throws an error makes the write throw.
nonisolated public protocol CodablePersistable: CustomPersistable, Codable
where PersistedType == JSONValue {
  /// Creates the value of an attribute without default, and of stored JSON that the type cannot read.
  init()
}

extension CodablePersistable {
  public static var _storageDefault: Self { Self() }

  public static var _scalarType: _ScalarType {
    let coded = CodedType(Self.self) { stored in
      do {
        _ = try JSONValueDecoder(JSONValue(stored: stored)).decode(Self.self)
        return nil
      } catch {
        return CodedMistake(error, of: "\(Self.self)")
      }
    }
    return _ScalarType(.json, coded: coded)
  }

  /// Creates a value from JSON; `init()` if the type cannot read it.
  public init(persistedValue: JSONValue) {
    self = (try? JSONValueDecoder(persistedValue).decode(Self.self)) ?? Self()
  }

  public var _updateValue: UpdateValue {
    do {
      return .json(try JSONValueEncoder.json(of: self))
    } catch {
      return .unencodable(_UnencodableValue(self, error))
    }
  }

  /// The value as JSON; null if its `encode(to:)` throws an error.
  public var persistableValue: JSONValue { (try? JSONValueEncoder.json(of: self)) ?? .null }

  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    do {
      JSONValue._storageWrite(object, column, try JSONValueEncoder.json(of: value))
    } catch {
      object.reject(value: value, error, column)
    }
  }

  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    if let value { _storageWrite(object, column, value) } else { object.writeNull(column: column) }
  }

  public static func _storageExport(_ value: Self, _ export: _BatchExport) throws -> _BatchCell {
    let json: JSONValue
    do {
      json = try JSONValueEncoder.json(of: value)
    } catch {
      throw StoreError.notEncodable(_UnencodableValue(value, error), export.attributeName)
    }
    return try JSONValue._storageExport(json, export)
  }

  public static func _sentinel(_ round: Int) -> Self { Self() }
}
