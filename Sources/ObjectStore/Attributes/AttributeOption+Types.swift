public import Foundation

// Options that only some types of attributes support. Using them for other types is a compile-time error.

/// A type that can be a primary key: integers, `String`, `UUID`, and custom types that are stored as one of these.
nonisolated public protocol _KeyAttribute {}

/// A type that can have a date format: `Date`, `Date?`, and collections of them.
public protocol _DateAttribute {}

/// A type that can store raw JSON: `String` and `String?`.
public protocol _TextAttribute {}

/// A type that can be nil or can have nil elements.
public protocol _OptionalAttribute {}

/// A type that can be nil itself.
public protocol _NilAttribute {}

/// A collection type.
public protocol _CollectionAttribute {}

/// A link, or a collection of objects.
public protocol _LinkAttribute {}

extension String: _TextAttribute {}
extension Optional: _TextAttribute where Wrapped: _TextAttribute {}
extension Date: _DateAttribute {}
extension Optional: _DateAttribute where Wrapped: _DateAttribute {}
extension List: _DateAttribute where Element: _DateAttribute {}
extension MutableSet: _DateAttribute where Element: _DateAttribute {}
extension Map: _DateAttribute where Value: _DateAttribute {}

extension Optional: _OptionalAttribute {}
extension List: _OptionalAttribute where Element: _OptionalAttribute {}
extension MutableSet: _OptionalAttribute where Element: _OptionalAttribute {}
extension Map: _OptionalAttribute where Value: _OptionalAttribute {}

extension Optional: _NilAttribute {}
extension Optional: _LinkAttribute where Wrapped: Object {}
extension List: _LinkAttribute where Element: Object {}
extension MutableSet: _LinkAttribute where Element: Object {}
extension Map: _LinkAttribute where Value: _LinkAttribute {}
extension List: _CollectionAttribute {}
extension MutableSet: _CollectionAttribute {}
extension Map: _CollectionAttribute {}

extension AttributeOption where Value: _DateAttribute {
  /// The accepted date formats. Encoding uses the first of them whose output decodes to the same date.
  public static func date(_ formats: DateFormat...) -> Self { Self(.dates(formats)) }
}

extension AttributeOption where Value: _TextAttribute {
  /// Stores a JSON subtree as its text; see `codableRawJsonSubstrings`.
  public static func raw(_ policy: RawPolicy = .minified) -> Self { Self(.raw(policy)) }
}

extension AttributeOption where Value: _OptionalAttribute {
  /// Decodes an empty string as null: `""` for a URL, a date, or an enum without a value.
  ///
  /// For a `String?`, `""` and nil are equivalent in JSON. An empty string that code assigns is still encoded
  /// as `""`, which decodes as nil.
  public static var emptyAsNil: Self { Self(.emptyAsNil) }
}

extension AttributeOption where Value: _NilAttribute {
  /// Encodes nil as `null`, for servers that treat a missing key as no change. By default, the key is omitted.
  public static var writesNil: Self { Self(.writesNil) }
}

extension AttributeOption where Value: _CollectionAttribute {
  /// Omits an empty collection from encoded JSON. By default, it is encoded as `[]` or `{}`.
  public static var omitsEmpty: Self { Self(.omitsEmpty) }
}

extension AttributeOption where Value: _LinkAttribute {
  /// Represents objects in JSON by their primary keys: `"owner_id": 7`, `"animal_ids": [1, 2]`.
  ///
  ///     @Persisted(json: "owner_id", .byKey) var owner: Owner?
  ///
  /// If the store contains no object with a decoded key, one is created with defaults for its other
  /// attributes, until its values are decoded. Complete objects are decoded as well.
  public static var byKey: Self { Self(.byKey) }
}

extension AttributeOption where Value: PersistableEnum {
  /// The case that is stored in place of raw values that match no case.
  ///
  ///     @Persisted(.unknown(.guest)) var role: Role
  ///
  /// The original raw value is not kept: `read` reports it as an issue, `decode` does not. Encoding the
  /// object writes the fallback, so uploading it changes the value on the server; the article on declarations
  /// describes an alternative. Fallbacks do not apply to a primary key or a part of one, because distinct
  /// objects would become the same object.
  public static func unknown(_ fallback: Value) -> Self { Self(CodingOption(unknown: fallback)) }
}

extension AttributeOption {
  /// The case that is stored in place of raw values that match no case.
  public static func unknown<E: PersistableEnum>(_ fallback: E) -> Self where Value == E? {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that is stored in place of elements that match no case.
  public static func unknown<E: PersistableEnum>(_ fallback: E) -> Self where Value == List<E> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that is stored in place of elements that match no case.
  public static func unknown<E: PersistableEnum>(_ fallback: E) -> Self where Value == List<E?> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that is stored in place of elements that match no case.
  public static func unknown<E: PersistableEnum>(
    _ fallback: E
  ) -> Self where Value == MutableSet<E> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that is stored in place of elements that match no case.
  public static func unknown<E: PersistableEnum>(
    _ fallback: E
  ) -> Self where Value == MutableSet<E?> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that is stored in place of values that match no case.
  public static func unknown<E: PersistableEnum>(
    _ fallback: E
  ) -> Self where Value == Map<String, E> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that is stored in place of values that match no case.
  public static func unknown<E: PersistableEnum>(
    _ fallback: E
  ) -> Self where Value == Map<String, E?> {
    Self(CodingOption(unknown: fallback))
  }
}

extension CodingOption {
  fileprivate init(unknown fallback: some PersistableEnum) {
    self = fallback._encode { .unknown(word: $0.word, text: Array($0.bytes)) }
  }
}
