public import Foundation

// What only some types of attributes can have; for others it does not compile.

/// What can be a primary key: integers, `String`, `UUID`, and types of yours that are kept as one.
nonisolated public protocol _KeyAttribute {}

/// What can be written as a date: `Date`, `Date?`, and collections of them.
public protocol _DateAttribute {}

/// What can keep raw JSON: `String` and `String?`.
public protocol _TextAttribute {}

/// What can be nil, or have elements that can.
public protocol _OptionalAttribute {}

/// What can be nil itself.
public protocol _NilAttribute {}

/// Collections.
public protocol _CollectionAttribute {}

/// Links, and collections of objects.
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
  /// The formats the date may have; the first that is read as the same date writes.
  public static func date(_ formats: DateFormat...) -> Self { Self(.dates(formats)) }
}

extension AttributeOption where Value: _TextAttribute {
  /// The attribute keeps a JSON subtree as its text; see `codableRawJsonSubstrings`.
  public static func raw(_ policy: RawPolicy = .minified) -> Self { Self(.raw(policy)) }
}

extension AttributeOption where Value: _OptionalAttribute {
  /// An empty text is read as null is: `""` for a URL, a date, an enum nobody has filled in.
  ///
  /// Of a `String?` it says that `""` and nil are one. A `""` that code assigns is still written as
  /// one; what is read then is nil.
  public static var emptyAsNil: Self { Self(.emptyAsNil) }
}

extension AttributeOption where Value: _NilAttribute {
  /// Nil is written as null: for a server that takes what a body lacks as no change. Else it is left out.
  public static var writesNil: Self { Self(.writesNil) }
}

extension AttributeOption where Value: _CollectionAttribute {
  /// A collection without elements is left out of a body. Else it is written as `[]` or `{}`.
  public static var omitsEmpty: Self { Self(.omitsEmpty) }
}

extension AttributeOption where Value: _LinkAttribute {
  /// In JSON the primary keys stand for the objects: `"owner_id": 7`, `"animal_ids": [1, 2]`.
  ///
  ///     @Persisted(json: "owner_id", .byKey) var owner: Owner?
  ///
  /// An object that is not there is made, with the defaults of all but its key, and gets its values when they
  /// come. An object in full is read, too.
  public static var byKey: Self { Self(.byKey) }
}

extension AttributeOption where Value: PersistableEnum {
  /// The case that stands for raw values that are none: it is stored in their place.
  ///
  ///     @Persisted(.unknown(.guest)) var role: Role
  ///
  /// What was sent is not kept: it is an issue of `read`, and `decode` does not tell. Encoding the
  /// object writes the fallback, so uploading it changes the value on the server. Where that must not
  /// be, see the article on declarations. No fallback stands for a primary key, or for a part of one: objects
  /// would become one.
  public static func unknown(_ fallback: Value) -> Self { Self(CodingOption(unknown: fallback)) }
}

extension AttributeOption {
  /// The case that stands for raw values that are none.
  public static func unknown<E: PersistableEnum>(_ fallback: E) -> Self where Value == E? {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that stands for elements that are none.
  public static func unknown<E: PersistableEnum>(_ fallback: E) -> Self where Value == List<E> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that stands for elements that are none.
  public static func unknown<E: PersistableEnum>(_ fallback: E) -> Self where Value == List<E?> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that stands for elements that are none.
  public static func unknown<E: PersistableEnum>(
    _ fallback: E
  ) -> Self where Value == MutableSet<E> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that stands for elements that are none.
  public static func unknown<E: PersistableEnum>(
    _ fallback: E
  ) -> Self where Value == MutableSet<E?> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that stands for values that are none.
  public static func unknown<E: PersistableEnum>(
    _ fallback: E
  ) -> Self where Value == Map<String, E> {
    Self(CodingOption(unknown: fallback))
  }

  /// The case that stands for values that are none.
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
