import JSONText

extension Audit {
  /// A place in a payload.
  public struct Place: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The path from the top of the payload: `users[3].friends[0].nick`. A long path is shortened in the middle.
    public let location: String
    /// The line, counted from 1.
    public private(set) var line = 0
    /// The column, counted from 1.
    public private(set) var column = 0
    /// The offset of the value in its payload; 0 when `line` and `column` are known.
    private(set) var byteOffset = 0

    private enum CodingKeys: String, CodingKey { case location, line, column }

    init(at path: [JSONPath.Component], byteOffset: Int) {
      location = JSONPath.text(of: path)
      self.byteOffset = byteOffset
    }

    mutating func locate(_ position: (Int) -> (line: Int, column: Int)) {
      (line, column) = position(byteOffset)
      byteOffset = 0
    }

    /// The location, line and column.
    public var description: String {
      "\(location.isEmpty ? "" : "\(location), ")line \(line), column \(column)"
    }
  }

  /// A kind of JSON value.
  public enum Kind: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    /// An integer in the range of an `Int`, without fraction and exponent.
    case integer
    /// Any other number.
    case number
    /// A string.
    case string
    /// True or false.
    case bool
    /// An object.
    case object
    /// An array.
    case array
    /// Null.
    case null
  }

  /// A key that no attribute reads.
  public struct Key: PlacedEntry {
    /// The path from the decoded object: `friends.nick`.
    public let path: String
    /// The class of the object that has the key.
    public let className: String
    /// The key as in the option `json:` of an attribute; nil if there is no suggestion for it.
    let declaredPath: String?
    /// The number of values.
    public internal(set) var count = 0
    /// The number of values of each kind.
    public internal(set) var kinds: [Kind: Int] = [:]
    /// The number of elements of each kind, if the values are arrays.
    public internal(set) var elementKinds: [Kind: Int] = [:]
    /// The first value: `string "Jo"`.
    public let found: String
    /// The place of the first value.
    public internal(set) var first: Place

    var id: String { Self.id(path, className, declaredPath) }

    /// - Parameter declaredPath: Distinguishes long paths, of which only the beginning and the end are in `path`.
    static func id(_ path: String, _ className: String, _ declaredPath: String?) -> String {
      "\(path)\0\(className)\0\(declaredPath ?? "")"
    }

    mutating func add(_ other: Key) {
      count += other.count
      kinds.merge(other.kinds, uniquingKeysWith: +)
      elementKinds.merge(other.elementKinds, uniquingKeysWith: +)
    }
  }

  /// The presence of an attribute.
  public struct Attribute: AuditEntry {
    /// The path from the decoded object: `friends.nick`.
    public let path: String
    /// The attribute: `User.nick`.
    public let name: String
    /// The number of objects that could have the attribute.
    public internal(set) var objectCount = 0
    /// The number of values, including nulls and values that the attribute refuses.
    ///
    /// The other objects of ``objectCount`` lack the attribute: it is unknown in the objects that they create; see `isKnown(_:)`.
    public internal(set) var valueCount = 0
    /// The number of nulls, and of empty values that the attribute reads as null.
    public internal(set) var nullCount = 0

    var id: String { Self.id(path, name) }

    static func id(_ path: String, _ name: String) -> String { "\(path)\0\(name)" }

    var count: Int { objectCount }

    mutating func add(_ other: Attribute) {
      objectCount += other.objectCount
      valueCount += other.valueCount
      nullCount += other.nullCount
    }
  }

  /// The outcome of a value that does not fit its attribute.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The attribute refuses the value. Decoding rejects the payload, unless an enclosing attribute or the coder skips the
    /// object that contains the value.
    case refused
    /// A policy of the attribute skips the value, or the element of a collection.
    case skipped
    /// A policy replaces the value by the attribute's default or by another case.
    case replaced
  }

  /// Values of one kind that do not fit an attribute, or an envelope.
  public struct Mismatch: PlacedEntry {
    /// The path from the decoded object; empty for the object itself, and for values around it.
    public let path: String
    /// The attribute: `User.nick`; nil for an object at the top of the payload, and for an envelope.
    public let attribute: String?
    /// The outcome of decoding the values.
    public let outcome: Outcome
    /// The kind of the values; nil for absent values: a primary key or an envelope.
    public let kind: Kind?
    /// The number of values.
    public internal(set) var count = 0
    /// The expected value: `Int`.
    public let expected: String
    /// The first value: `string "x"`.
    public let found: String
    /// The place of the first value.
    public internal(set) var first: Place

    var id: String { Self.id(path, attribute, outcome, kind, expected) }

    static func id(
      _ path: String, _ attribute: String?, _ outcome: Outcome, _ kind: Kind?, _ expected: String
    ) -> String {
      "\(path)\0\(attribute ?? "")\0\(outcome.rawValue)\0\(kind?.rawValue ?? "")\0\(expected)"
    }

    mutating func add(_ other: Mismatch) { count += other.count }
  }

  /// Raw values that no case of an enum has.
  public struct RawValues: PlacedEntry {
    /// The path from the decoded object.
    public let path: String
    /// The attribute: `User.role`.
    public let attribute: String
    /// The outcome of decoding the values.
    public let outcome: Outcome
    /// The enum and its raw values: `Role (guest, admin)`.
    public let expected: String
    /// The number of values.
    public internal(set) var count = 0
    var values = AuditCounts()
    /// The place of the first value.
    public internal(set) var first: Place

    /// The number of occurrences of each raw value, clipped to 40 characters; the 20 that sort first.
    public var counts: [String: Int] { values.counts }
    /// The number of occurrences of all other raw values.
    public var otherCount: Int { values.otherCount }

    var id: String { Self.id(path, attribute, outcome) }

    static func id(_ path: String, _ attribute: String, _ outcome: Outcome) -> String {
      "\(path)\0\(attribute)\0\(outcome.rawValue)"
    }

    mutating func add(_ other: RawValues) {
      count += other.count
      values.add(other.values)
    }
  }
}
