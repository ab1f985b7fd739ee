import Foundation

/// The key of an object whose class derives its primary key from several attributes; see ``ObjectBase/compoundKey``.
///
///     let key = CompoundKey(7, "cafe")
///     let rating = store.object(ofType: Rating.self, forPrimaryKey: key)
///     try store.update(Rating.self, key: key, \.stars <- 4)
///     try store.update(Order.self, key: 1, \.rating <- .key(key))
///
/// The parts are in the order of the class's ``ObjectBase/compoundKey``. The part of an enum attribute is its raw
/// value. Integers of all widths are equivalent. An ``UpdateValue`` with the
/// string of a key, such as the key of a change, is accepted in its place. A key whose number or types of parts differ from the class's fails
/// with the same error as a key of another type.
public struct CompoundKey: ObjectKey, CustomStringConvertible {
  /// The key as the primary key attribute stores it: `7|cafe`. A `\` escapes each `|` and `\` of a string. A UUID has
  /// the form of its `uuidString`.
  public let text: String
  /// The values, in order: integers, strings and UUIDs.
  let parts: [UpdateValue]

  private init(_ parts: [any PrimaryKeyValue]) {
    var text = CompoundKeyString()
    for part in parts {
      part._encode { text.append($0.word, $0.bytes, type(of: part)._scalarKind) }
    }
    self.text = String(decoding: text.bytes, as: UTF8.self)
    self.parts = parts.map(\._updateValue)
  }

  /// Creates a key of two parts.
  public init(_ first: some PrimaryKeyValue, _ second: some PrimaryKeyValue) {
    self.init([first, second])
  }

  /// Creates a key of three parts.
  public init(
    _ first: some PrimaryKeyValue, _ second: some PrimaryKeyValue, _ third: some PrimaryKeyValue
  ) {
    self.init([first, second, third])
  }

  /// Creates a key of four parts.
  public init(
    _ first: some PrimaryKeyValue, _ second: some PrimaryKeyValue, _ third: some PrimaryKeyValue,
    _ fourth: some PrimaryKeyValue
  ) {
    self.init([first, second, third, fourth])
  }

  /// Parses the string of a key; nil if it is not the string of a key with parts of these kinds.
  init?(parsing text: String, kinds: [ScalarKind]) {
    guard let texts = CompoundKeyString.parts(of: text), texts.count == kinds.count else {
      return nil
    }
    var parts: [UpdateValue] = []
    for (part, kind) in zip(texts, kinds) {
      let value: UpdateValue? =
        switch kind {
        case .string: .string(part)
        case .uuid: UUID(uuidString: part).flatMap { $0.uuidString == part ? .uuid($0) : nil }
        default: Int64(part).map { .int($0) } ?? UInt64(part).map { .uint($0) }
        }
      // `+7` is not the form of a key.
      guard let value, kind.isBytes || value.description == part else { return nil }
      parts.append(value)
    }
    self.init(parts: parts, text: text)
  }

  /// Creates a key. Precondition: `parts` fit the compound key of a class, and `text` is the key that they form.
  init(parts: [UpdateValue], text: String) {
    self.parts = parts
    self.text = text
  }

  /// The same as ``text``.
  public var description: String { text }

  /// Returns true if all parts have equal types and values; strings are compared byte by byte.
  public static func == (a: CompoundKey, b: CompoundKey) -> Bool {
    a.text.hasSameBytes(as: b.text)
      && a.parts.elementsEqual(b.parts) { $0.keyPartName == $1.keyPartName }
  }

  /// Hashes the key, consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    ExactString(text).hash(into: &hasher)
  }

  public var _keyKind: AttributeShape.Kind? { .string }

  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R { try text._encode(body) }

  public var _updateValue: UpdateValue { .string(text) }

  public var _compoundKey: CompoundKey? { self }

  /// The types of the parts, for error messages: `(Int, String)`.
  var typeDescription: String { "(\(parts.map(\.keyPartName).joined(separator: ", ")))" }

  /// True if the parts are of these kinds.
  func fits(_ kinds: [ScalarKind]) -> Bool {
    parts.elementsEqual(kinds) { $0.keyPartName == $1.keyPartName }
  }
}

extension UpdateValue {
  /// True if both are the same value of a key part.
  func isSamePart(as other: UpdateValue) -> Bool {
    switch (self, other) {
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.int(let a), .uint(let b)), (.uint(let b), .int(let a)): UInt64(exactly: a) == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.uuid(let a), .uuid(let b)): a == b
    default: false
    }
  }

  /// The type of a key part; integers of all widths are `Int`.
  fileprivate var keyPartName: String {
    switch self {
    case .string: "String"
    case .uuid: "UUID"
    default: "Int"
    }
  }
}

extension ScalarKind {
  /// The type of a key part; integers of all widths are `Int`.
  var keyPartName: String {
    switch self {
    case .string: "String"
    case .uuid: "UUID"
    default: "Int"
    }
  }
}
