public import Foundation

// Options that only some types of attributes support. Using them for other types is a compile-time error.

/// A type that can be a primary key: integers, `String`, `UUID`, and custom types that are stored as one of these.
nonisolated public protocol _KeyAttribute {}

/// A type that can have a date format: `Date`, `Date?`, and collections of them.
public protocol _DateAttribute {}

/// A type that can have a form of Base64: `Data`, `Data?`, and collections of them.
public protocol _DataAttribute {}

/// A type that can be encoded as a number in a string: numbers, optional ones, and collections of them.
nonisolated public protocol _NumberAttribute {}

/// A type that can store raw JSON: `String` and `String?`.
public protocol _TextAttribute {}

/// A type that null can clear: an optional or a collection.
public protocol _ClearableAttribute {}

/// A type that can be nil itself.
public protocol _NilAttribute {}

/// A collection type.
public protocol _CollectionAttribute {}

/// A list or a set.
public protocol _ArrayAttribute {}

/// A link, or a collection of objects.
public protocol _LinkAttribute {}

/// A link to an embedded object.
public protocol _EmbeddedAttribute {}

/// A collection of objects that can have keys.
public protocol _ObjectCollectionAttribute {}

/// A list or set of objects.
public protocol _ObjectArrayAttribute {}

extension String: _TextAttribute {}
extension Optional: _TextAttribute where Wrapped: _TextAttribute {}
extension Date: _DateAttribute {}
extension Optional: _DateAttribute where Wrapped: _DateAttribute {}
extension List: _DateAttribute where Element: _DateAttribute {}
extension MutableSet: _DateAttribute where Element: _DateAttribute {}
extension Map: _DateAttribute where Value: _DateAttribute {}

extension Data: _DataAttribute {}
extension Optional: _DataAttribute where Wrapped: _DataAttribute {}
extension List: _DataAttribute where Element: _DataAttribute {}
extension MutableSet: _DataAttribute where Element: _DataAttribute {}
extension Map: _DataAttribute where Value: _DataAttribute {}
extension Double: _NumberAttribute {}
extension Float: _NumberAttribute {}
extension Decimal: _NumberAttribute {}
extension Optional: _NumberAttribute where Wrapped: _NumberAttribute {}
extension List: _NumberAttribute where Element: _NumberAttribute {}
extension MutableSet: _NumberAttribute where Element: _NumberAttribute {}
extension Map: _NumberAttribute where Value: _NumberAttribute {}

extension Optional: _ClearableAttribute {}
extension List: _ClearableAttribute {}
extension MutableSet: _ClearableAttribute {}
extension Map: _ClearableAttribute {}

extension Optional: _NilAttribute {}
extension Optional: _LinkAttribute where Wrapped: Object {}
extension Optional: _EmbeddedAttribute where Wrapped: EmbeddedObject {}
extension List: _LinkAttribute where Element: Object {}
extension MutableSet: _LinkAttribute where Element: Object {}
extension Map: _LinkAttribute where Value: _LinkAttribute {}
extension List: _ObjectCollectionAttribute where Element: Object {}
extension MutableSet: _ObjectCollectionAttribute where Element: Object {}
extension Map: _ObjectCollectionAttribute where Value: _LinkAttribute {}
extension List: _ObjectArrayAttribute where Element: ObjectBase {}
extension MutableSet: _ObjectArrayAttribute where Element: ObjectBase {}
extension List: _ArrayAttribute {}
extension MutableSet: _ArrayAttribute {}
extension List: _CollectionAttribute {}
extension MutableSet: _CollectionAttribute {}
extension Map: _CollectionAttribute {}

extension AttributeOption where Value: _DateAttribute {
  /// The accepted date formats. Encoding uses the first of them whose output decodes to the same date.
  public static func date(_ formats: DateFormat...) -> Self { Self(.dates(formats)) }
}

extension AttributeOption where Value: _DataAttribute {
  /// Decodes Base64 text of every form: with or without padding, of either alphabet (RFC 4648, sections 4 and 5), and with
  /// line breaks and spaces. Encoding writes the given form.
  ///
  /// Without this option, text must be of the standard form, which is also written.
  public static func base64(_ form: AttributePolicy.Base64 = .standard) -> Self {
    Self(.base64(form))
  }
}

extension AttributeOption where Value: _NumberAttribute {
  /// Encodes the number as a string, for servers that write `"price": "19.9"` or `"id": "1512085950"`. Decodes
  /// strings and numbers; a string must have the form of a JSON number.
  ///
  /// A `Double` or `Float` has an exponent only below 10⁻⁶ and from 10²¹ on, as in JavaScript.
  public static var asString: Self { .asString(fractionDigits: 0) }

  /// Encodes the number as a string with at least this many digits after the decimal point: `"19.90"`.
  ///
  /// - Parameter fractionDigits: 0 to 38. More digits are written if the number has them, and never an exponent.
  ///   Integers are not changed.
  public static func asString(fractionDigits: Int) -> Self {
    Self(.string(fractionDigits: fractionDigits))
  }
}

extension AttributeOption where Value: _TextAttribute {
  /// Stores a JSON subtree as its text; see `codableRawJsonSubstrings`.
  public static func raw(_ policy: AttributePolicy.RawValues = .minified) -> Self {
    Self(.raw(policy))
  }
}

extension AttributeOption where Value: _ClearableAttribute {
  /// Decodes an empty value as null: `""` for a URL, a date, an enum, an object or a collection; also `false` and `[]`,
  /// which some servers write for a missing value or an empty map.
  ///
  /// `false` is a value of a `Bool?`, and `[]` one of a list. A `JSONValue?` and raw JSON have values for both, so only
  /// `""` is null there. For a `String?`, `""` and nil are equivalent in JSON. An empty string that code assigns is
  /// still encoded as `""`, which decodes as nil.
  ///
  /// For a link to an object with a primary key, an object without members, or with members that are all null, is null as
  /// well: `{}` and `{"id": null}`.
  ///
  /// The option also applies to an empty value in place of an object on the attribute's path, if all attributes with a
  /// path through it read this value as null.
  public static var emptyAsNil: Self { Self(.emptyAsNil) }
}

extension AttributeOption where Value: _NilAttribute {
  /// Decodes any of these strings, numbers and Booleans as null, for servers that write `"parent": 0` for no parent.
  ///
  ///     @Persisted(json: "parent", .byKey, .nilWhen(0)) var parent: Page?
  ///
  /// Numbers are compared by their value. Where a body contains nil, such as in a patch or with ``writesNil``, the first
  /// of the values is written. A value that is stored in another way, such as 0 that code assigns or that `.flexible` reads
  /// from `"0"`, is written as it is and reads back as nil.
  public static func nilWhen(_ values: JSONValue...) -> Self { Self(.nilWhen(values)) }
}

extension AttributeOption where Value: _QueryCollection, Value._QueryElement: _NilAttribute {
  /// Decodes elements with any of these strings, numbers and Booleans as null. Elements that are nil are encoded as the
  /// first of them.
  public static func nilWhen(_ values: JSONValue...) -> Self { Self(.nilWhen(values)) }
}

extension AttributeOption where Value: _NilAttribute {
  /// Encodes nil as `null`, for servers that treat a missing key as no change. By default, the key is omitted.
  public static var writesNil: Self { Self(.writesNil) }
}

extension AttributeOption where Value: _CollectionAttribute {
  /// Omits an empty collection from encoded JSON. By default, it is encoded as `[]` or `{}`.
  public static var omitsEmpty: Self { Self(.omitsEmpty) }
}

extension AttributeOption where Value == Bool {
  /// Marks objects of which only the primary key is known, because a link referred to them before their own data arrived.
  ///
  ///     @Persisted(.placeholder) var isPlaceholder = false
  ///
  /// The store sets the attribute to true when an update inserts an object and sets nothing but its key: a link with
  /// ``byKey``, or a JSON object that contains no other attribute. It sets it to false when another attribute is set: by
  /// a payload, `create`, `add`, `update` or an assignment. Exclude such objects with a query:
  /// `objects(Issue.self).where { !$0.isPlaceholder }`. A placeholder is encoded as an object that contains only its key.
  ///
  /// A class can have one such attribute and needs a primary key. The attribute is neither decoded nor encoded.
  public static var placeholder: Self { Self(.placeholder) }
}

extension AttributeOption where Value == JSONValue {
  /// Keeps the members of the JSON object that no attribute reads, and encodes them again.
  ///
  ///     @Persisted(.unread) var rest: JSONValue = [:]
  ///
  /// A class can have one such attribute. It also keeps the unread members of objects along dotted paths and pointers, under
  /// the same names. A payload sets the members that it contains and leaves the others unchanged. Null or an array in place
  /// of an object along a path removes the members of that object. Members of array elements along a pointer are not kept.
  ///
  /// Encoding writes the members after the declared attributes, or among them if keys are sorted. A member whose key is
  /// declared by an attribute is not written.
  ///
  /// The number of members is limited by `CodingConfiguration.Limits`.
  ///
  /// - Complexity: Decoding is O(*n* log *n*) in the number of unread members of the payload, plus O(*m*) in the number of
  ///   stored members; a payload that contains the stored members again is compared with them.
  public static var unread: Self { Self(.unread) }
}

extension AttributeOption where Value: _ArrayAttribute {
  /// Decodes a value that is not an array as a collection of one element, for servers that omit the array around a single
  /// value. Encoding always writes an array.
  public static var acceptsSingleValue: Self { Self(.acceptsSingleValue) }
}

extension AttributeOption where Value: _ObjectCollectionAttribute {
  /// Represents the objects as a JSON object whose keys are their primary keys:
  /// `"users": {"7": {"name": "Ann"}, "8": {…}}`.
  ///
  ///     @Persisted(.keyed) var users: List<User>
  ///
  /// An object in the payload need not contain its key. One that contains another key than the name of its member is an
  /// error. Encoding writes the key both as the name and in the object. In a `Map`, the names are also the map's keys.
  public static var keyed: Self { Self(.keyed(.primaryKey)) }
}

extension AttributeOption where Value: _ObjectArrayAttribute {
  /// Decodes the objects from the members of a JSON object, in their order: `"users": {"-Nx1": {"id": 7, "name": "Ann"}}`.
  ///
  ///     @Persisted(.keyed(.anyName)) var users: List<User>
  ///
  /// With `anyName`, the names are not read: an object with a primary key must contain it, and objects without one, also
  /// embedded ones, have no key. Two members may be the same object.
  ///
  /// Such a collection is never encoded, because the names are not known any more and a server that sends an object does
  /// not accept an array in its place. Its changes are not edits; see ``Object/tracksEdits``.
  public static func keyed(_ names: AttributePolicy.MemberNames) -> Self { Self(.keyed(names)) }
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

extension AttributeOption where Value: _EmbeddedAttribute {
  /// Updates the embedded object with the members that a payload contains, instead of replacing it.
  ///
  ///     @Persisted(.inPlace) var address: Address?
  ///
  /// Without this option, a payload replaces an embedded object, so attributes that the payload lacks have their defaults
  /// afterwards. With it they keep their values, as those of an object with a primary key do. This also applies to the
  /// embedded objects that it links to, but not to its collections, which are replaced. Update dictionaries update in place as
  /// well; assigning an object replaces the stored one. Null removes it.
  ///
  /// Members that an attribute with ``unread`` keeps are merged. Those of an object along a path remain if null is in place
  /// of that object.
  public static var inPlace: Self { Self(.inPlace) }
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
