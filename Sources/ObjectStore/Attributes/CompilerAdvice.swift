// Compiler diagnostics for common mistakes: unavailable declarations that carry advice, in place of conformances and
// options that would otherwise just be missing. Nothing in this file can be called. Tests check the messages.

// MARK: - Swift's own collections as attributes

/// A type that is mistaken for an attribute type. Its witnesses are never called.
nonisolated public protocol _NoAttribute: PersistableValue, _NoOptional {}

/// An attribute type that cannot be optional. Its witnesses are never called.
nonisolated public protocol _NoOptional: _PersistableEnumOrCodablePersistable {}

@available(*, unavailable, message: "a List cannot be nil: declare it without the ?")
extension List: _NoOptional {}
@available(*, unavailable, message: "a MutableSet cannot be nil: declare it without the ?")
extension MutableSet: _NoOptional {}
@available(*, unavailable, message: "a Map cannot be nil: declare it without the ?")
extension Map: _NoOptional {}

extension _NoAttribute {
  public static var _storageDefault: Self { misuse("unavailable") }
  public static var _storageShape: AttributeShape { misuse("unavailable") }

  public static func _storageRead(_ object: ObjectBase, _ column: Int) -> Self {
    misuse("unavailable")
  }

  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {}

  public static func _storageExport(_ value: Self, _ export: _BatchExport) throws -> _BatchCell {
    .absent
  }

  public static func _storageSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self {
    misuse("unavailable")
  }

  public static func _storageIsSentinel(
    _ value: Self, _ round: Int, _ recorder: _KeyPathRecorder
  ) -> Bool { false }
}

extension _NoOptional {
  public static var _optionalShape: AttributeShape { misuse("unavailable") }

  public static func _optionalRead(_ object: ObjectBase, _ column: Int) -> Self? { nil }

  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?) {}

  public static func _optionalExport(_ value: Self?, _ export: _BatchExport) throws -> _BatchCell {
    .absent
  }

  public static func _optionalSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self? { nil }

  public static func _optionalIsSentinel(
    _ value: Self?, _ round: Int, _ recorder: _KeyPathRecorder
  ) -> Bool { false }
}

@available(*, unavailable, message: "use List<Element>, which can be empty but not nil")
extension Array: _NoAttribute {}

@available(*, unavailable, message: "use MutableSet<Element>, which can be empty but not nil")
extension Set: _NoAttribute {}

@available(*, unavailable, message: "use Map<String, Value>, which can be empty but not nil")
extension Dictionary: _NoAttribute {}

// MARK: - Keys without a label

extension Persisted {
  @available(*, unavailable, message: "name the key: @Persisted(json: \"born_on\")")
  @_disfavoredOverload
  public init(wrappedValue: @autoclosure () -> Value, _ key: String) { misuse("unavailable") }

  @available(*, unavailable, message: "name the key: @Persisted(json: \"born_on\")")
  @_disfavoredOverload
  public init(_ key: String) { misuse("unavailable") }

  @available(*, unavailable, message: "name the key: @Persisted(json: \"born_on\")")
  @_disfavoredOverload
  public init(wrappedValue: @autoclosure () -> Value, key: String) { misuse("unavailable") }

  @available(*, unavailable, message: "name the key: @Persisted(json: \"born_on\")")
  @_disfavoredOverload
  public init(key: String) { misuse("unavailable") }
}

// MARK: - Options of other types

extension AttributeOption {
  @available(*, unavailable, message: "only a Date or a collection of dates can have a date format")
  @_disfavoredOverload
  public static func date(_ formats: DateFormat...) -> Self { misuse("unavailable") }

  @available(*, unavailable, message: "only a String can store raw JSON")
  @_disfavoredOverload
  public static func raw(_ policy: AttributePolicy.RawValues = .minified) -> Self {
    misuse("unavailable")
  }

  @available(*, unavailable, message: "only an optional or a collection can be cleared")
  @_disfavoredOverload
  public static var emptyAsNil: Self { misuse("unavailable") }

  @available(*, unavailable, message: "only an optional, or elements that are optional, can be nil")
  @_disfavoredOverload
  public static func nilWhen(_ values: JSONValue...) -> Self { misuse("unavailable") }

  @available(*, unavailable, message: "only an optional can be nil")
  @_disfavoredOverload
  public static var writesNil: Self { misuse("unavailable") }

  @available(*, unavailable, message: "only a collection can be empty")
  @_disfavoredOverload
  public static var omitsEmpty: Self { misuse("unavailable") }

  @available(*, unavailable, message: "only a List or a MutableSet can accept a single value")
  @_disfavoredOverload
  public static var acceptsSingleValue: Self { misuse("unavailable") }

  @available(*, unavailable, message: "only a collection of objects can be keyed")
  @_disfavoredOverload
  public static var keyed: Self { misuse("unavailable") }

  @available(
    *, unavailable, message: "only a List or a MutableSet of objects can have members of any name"
  )
  @_disfavoredOverload
  public static func keyed(_ names: AttributePolicy.MemberNames) -> Self { misuse("unavailable") }

  @available(
    *, unavailable, message: "only a link or a collection of objects can be encoded by key"
  )
  @_disfavoredOverload
  public static var byKey: Self { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "the conversion must have values of the attribute's type, or of its elements' type"
  )
  @_disfavoredOverload
  public static func coding<C: ValueCoding>(_ coding: C) -> Self { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "the closures must convert values of the attribute's type, or of its elements' type"
  )
  @_disfavoredOverload
  public static func coding<V>(
    decode: @escaping @Sendable (JSONValue) throws -> V,
    encode: @escaping @Sendable (V) throws -> JSONValue
  ) -> Self { misuse("unavailable") }

  @available(*, unavailable, message: "only Data or a collection of Data can have a Base64 form")
  @_disfavoredOverload
  public static func base64(_ form: AttributePolicy.Base64 = .standard) -> Self {
    misuse("unavailable")
  }

  @available(
    *, unavailable, message: "only a number or a collection of numbers is encoded as string"
  )
  @_disfavoredOverload
  public static var asString: Self { misuse("unavailable") }

  @available(
    *, unavailable, message: "only a number or a collection of numbers is encoded as string"
  )
  @_disfavoredOverload
  public static func asString(fractionDigits: Int) -> Self { misuse("unavailable") }

  @available(*, unavailable, message: "only an optional embedded object is updated in place")
  @_disfavoredOverload
  public static var inPlace: Self { misuse("unavailable") }

  @available(*, unavailable, message: "only a JSONValue that is not optional keeps unread keys")
  @_disfavoredOverload
  public static var unread: Self { misuse("unavailable") }

  @available(*, unavailable, message: "only a Bool that is not optional marks placeholders")
  @_disfavoredOverload
  public static var placeholder: Self { misuse("unavailable") }

  @available(*, unavailable, message: "only a PersistableEnum can have unknown values")
  @_disfavoredOverload
  public static func unknown<E>(_ fallback: E) -> Self { misuse("unavailable") }
}

// MARK: - Keys

extension Persisted {
  @available(
    *, unavailable,
    message: "a primary key must be an integer, a String or a UUID, and cannot be optional"
  )
  @_disfavoredOverload
  public init(
    primaryKey: Bool, indexed: Bool = false, json: String? = nil,
    _ options: AttributeOption<Value>...
  ) { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "a primary key must be an integer, a String or a UUID, and cannot be optional"
  )
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value, primaryKey: Bool, indexed: Bool = false,
    json: String? = nil, _ options: AttributeOption<Value>...
  ) { misuse("unavailable") }
}

// MARK: - Text search

extension Persisted {
  @available(*, unavailable, message: "only a String or String? can be searchable")
  @_disfavoredOverload
  public init(
    indexed: Bool = false, searchable: Bool, json: String? = nil,
    _ options: AttributeOption<Value>...
  ) { misuse("unavailable") }

  @available(*, unavailable, message: "only a String or String? can be searchable")
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, searchable: Bool,
    json: String? = nil, _ options: AttributeOption<Value>...
  ) { misuse("unavailable") }
}

// MARK: - Types confined to their isolation

@available(
  *, unavailable,
  message:
    "an object is confined to its store's isolation domain: pass its reference, frozen() or key"
)
extension ObjectBase: Sendable {}

@available(
  *, unavailable,
  message:
    "a List is confined to its store's isolation domain: pass an Array of its values, or frozen()"
)
extension List: Sendable {}

@available(
  *, unavailable,
  message:
    "a MutableSet is confined to its store's isolation domain: pass a Set of its values, or frozen()"
)
extension MutableSet: Sendable {}

@available(
  *, unavailable,
  message: "a Map is confined to its store's isolation domain: pass its dictionary, or frozen()"
)
extension Map: Sendable {}

@available(
  *, unavailable,
  message:
    "LinkingObjects are confined to their store's isolation domain: read them from the object's frozen()"
)
extension LinkingObjects: Sendable {}
