public import Foundation

/// Some of an object's attributes and their new values: what a decode produces, what a partial
/// update is. Attributes it does not name stay as they are.
///
///     var update: UpdateDictionary = ["id": 7, "name": "Bella", "owner": ["id": 1], "born": nil]
///     update["legs"] = 4
///     try store.write { try store.create(Animal.self, value: update, update: .modified) }
///
/// It keeps the order in which names were first given. Names are one if they are the same bytes.
public struct UpdateDictionary: Sendable {
  /// Names, each once, and as many values.
  struct Pairs: Sendable {
    var names: [String] = []
    var values: [UpdateValue] = []
  }

  enum Storage: Sendable {
    case pairs(Pairs)
    case decoded(DecodedUpdate)
  }

  private(set) var storage: Storage

  /// An update that is nested deeper than this is refused.
  static let depthLimit = 4_096

  /// An update that changes nothing.
  public init() {
    storage = .pairs(Pairs())
  }

  /// An update of these names and values; of a name that comes twice the later value counts.
  public init(_ pairs: [(String, UpdateValue)]) {
    var own = Pairs()
    own.names.reserveCapacity(pairs.count)
    own.values.reserveCapacity(pairs.count)
    if pairs.count > Self.fewNames {
      var places: [ExactText: Int] = [:]
      for (name, value) in pairs {
        if let place = places.updateValue(own.names.count, forKey: ExactText(name)) {
          places[ExactText(name)] = place
          own.values[place] = value
        } else {
          own.append(name, value)
        }
      }
    } else {
      for (name, value) in pairs { own[name] = value }
    }
    storage = .pairs(own)
  }

  /// So few are compared each with each in less time than it takes to hash them.
  private static let fewNames = 24

  init(_ decoded: DecodedUpdate) {
    storage = .decoded(decoded)
  }

  /// The names, in order.
  public var keys: [String] {
    switch storage {
    case .pairs(let pairs): pairs.names
    case .decoded(let update): update.names
    }
  }

  /// The number of attributes it names.
  public var count: Int {
    switch storage {
    case .pairs(let pairs): pairs.names.count
    case .decoded(let update): update.count
    }
  }

  /// Whether it names no attribute.
  public var isEmpty: Bool { count == 0 }

  /// The value of an attribute: nil if the update leaves it alone, `.null` if it clears it.
  ///
  /// - Complexity: O(n) of the attributes, which are few.
  public subscript(name: String) -> UpdateValue? {
    get {
      switch storage {
      case .pairs(let pairs): pairs[name]
      case .decoded(let update): update[name]
      }
    }
    set { change { $0[name] = newValue } }
  }

  /// Names and values; those of a decode are made now.
  var pairs: Pairs {
    switch storage {
    case .pairs(let pairs): pairs
    case .decoded(let update): update.pairs
    }
  }

  /// Appends a name that is known to be new.
  package mutating func append(_ name: String, _ value: UpdateValue) {
    change { $0.append(name, value) }
  }

  /// Changes the names and values where they stand.
  private mutating func change(_ body: (inout Pairs) -> Void) {
    var pairs = pairs
    storage = .pairs(Pairs())
    body(&pairs)
    storage = .pairs(pairs)
  }
}

extension UpdateDictionary.Pairs {
  subscript(name: String) -> UpdateValue? {
    get { index(of: name).map { values[$0] } }
    set {
      let index = index(of: name)
      switch (index, newValue) {
      case (let index?, let value?): values[index] = value
      case (nil, let value?): append(name, value)
      case (let index?, nil):
        names.remove(at: index)
        values.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  private func index(of name: String) -> Int? {
    names.firstIndex { $0.hasSameBytes(as: name) }
  }

  mutating func append(_ name: String, _ value: UpdateValue) {
    names.append(name)
    values.append(value)
  }
}

extension UpdateDictionary: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, UpdateValue)...) {
    self.init(elements)
  }
}

extension UpdateDictionary: Sequence {
  public func makeIterator() -> IndexingIterator<[(key: String, value: UpdateValue)]> {
    let pairs = pairs
    return zip(pairs.names, pairs.values).map { (key: $0, value: $1) }.makeIterator()
  }
}

/// A value of an ``UpdateDictionary``: absent is the lack of one, ``null`` clears.
public enum UpdateValue: Sendable {
  /// Clears an optional attribute or a link, empties a collection.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer that an Int64 holds; the attribute may be of any width that holds it.
  case int(Int64)
  /// An integer that an Int64 does not hold.
  case uint(UInt64)
  /// A number with a fraction, or one that is to be a Double.
  case double(Double)
  /// A number of up to 38 digits, exactly.
  case decimal(Decimal)
  /// A text; also a URL's, or the raw value of an enum.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A moment.
  case date(Date)
  /// A UUID.
  case uuid(UUID)
  /// Any JSON.
  case json(JSONValue)
  /// The elements of a list or set, in order.
  case array([UpdateValue])
  /// A nested object, or the pairs of a map.
  case object(UpdateDictionary)
  /// An object of the store.
  indirect case reference(_AnyObjectReference)

  /// A value held in a variable: `["id": .init(number)]`.
  @inlinable
  public init(_ value: some ScalarValue) {
    self = value._updateValue
  }

  /// Nil becomes null.
  @inlinable
  public init(_ value: (some ScalarValue)?) {
    self = value.map { $0._updateValue } ?? .null
  }

  /// The elements of a list or set.
  public init(_ values: [some ScalarValue]) {
    self = .array(values.map { $0._updateValue })
  }

  /// A link: to the object itself if it is managed, else to an object with all values of this one,
  /// defaults included; one of its key in the store takes them.
  public init(_ object: ObjectBase) {
    self = UpdateValue(object: object)
  }

  init(object: ObjectBase) {
    var open: Set<ObjectIdentifier> = []
    self.init(object: object, &open)
  }

  /// - Parameter open: the objects around this one. One that comes again, in a circle, is named by
  ///   its key alone, or is null without one.
  private init(object: ObjectBase, _ open: inout Set<ObjectIdentifier>) {
    if let reference = _AnyObjectReference(object) {
      self = .reference(reference)
      return
    }
    let schema = object.objectSchema
    var update = UpdateDictionary()
    guard open.insert(ObjectIdentifier(object)).inserted else {
      guard let key = schema.primaryKeyProperty else {
        self = .null
        return
      }
      update.append(key.name, UpdateValue(any: object[key.name]) ?? .null)
      self = .object(update)
      return
    }
    defer { open.remove(ObjectIdentifier(object)) }
    for property in schema.storedProperties {
      let value = object[property.name]
      switch (property.shape.form, value) {
      case (_, let target as ObjectBase):
        update.append(property.name, UpdateValue(object: target, &open))
      case (.map, let map as any MapContent) where property.shape.target != nil:
        var members = UpdateDictionary()
        for (key, element) in map.pairs {
          members.append(key, Self.element(element, &open))
        }
        update.append(property.name, .object(members))
      case (.list, let elements as any Sequence), (.set, let elements as any Sequence):
        if property.shape.target == nil { fallthrough }
        update.append(property.name, .array(Self.elements(elements, &open)))
      default:
        update.append(property.name, UpdateValue(any: value) ?? .null)
      }
    }
    self = .object(update)
  }

  private static func elements(
    _ sequence: some Sequence, _ open: inout Set<ObjectIdentifier>
  ) -> [UpdateValue] {
    var values: [UpdateValue] = []
    for element in sequence { values.append(Self.element(element, &open)) }
    return values
  }

  private static func element(
    _ element: Any, _ open: inout Set<ObjectIdentifier>
  ) -> UpdateValue {
    if let optional = element as? any OptionalBox {
      return optional.boxed.map { Self.element($0, &open) } ?? .null
    }
    return (element as? ObjectBase).map { UpdateValue(object: $0, &open) } ?? .null
  }
}

// MARK: - Literals

extension UpdateValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: UpdateValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, UpdateValue)...) {
    self = .object(UpdateDictionary(elements))
  }
}

extension UpdateValue {
  /// The value's type and its text, escaped and clipped, as messages show what was found.
  package var found: String {
    switch self {
    case .null: "null"
    case .bool: "Bool \(self)"
    case .int, .uint: "Int \(self)"
    case .double: "Double \(self)"
    case .decimal: "Decimal \(self)"
    case .string(var text):
      "String \(text.withUTF8 { MessageText.quoted(UnsafeRawBufferPointer($0)) })"
    case .data: "Data of \(self)"
    case .date: "Date \(self)"
    case .uuid: "UUID \(self)"
    case .json: "JSONValue"
    case .array(let values): "an array of \(values.count)"
    case .object: "an object"
    case .reference(let reference): "\(reference)"
    }
  }
}
