import Foundation

/// A set of attributes and their new values: the result of decoding an object, or a partial update.
/// Attributes that it does not contain remain unchanged.
///
///     var update: UpdateDictionary = ["id": 7, "name": "Bella", "owner": ["id": 1], "born": nil]
///     update["legs"] = 4
///     try store.write { try store.create(Animal.self, value: update, update: .modified) }
///
/// Names keep the order in which they were first added. They are compared byte by byte.
public struct UpdateDictionary: Sendable {
  /// Unique names, and a value for each.
  struct Pairs: Sendable {
    var names: [String] = []
    var values: [UpdateValue] = []
  }

  enum Storage: Sendable {
    case pairs(Pairs)
    case decoded(DecodedUpdate)
  }

  private(set) var storage: Storage

  /// The maximum nesting depth of an update.
  static let depthLimit = 4_096

  /// Creates an update that changes nothing.
  public init() {
    storage = .pairs(Pairs())
  }

  /// Creates an update of these names and values; the last value of a repeated name is kept.
  public init(_ pairs: [(String, UpdateValue)]) {
    var own = Pairs()
    own.names.reserveCapacity(pairs.count)
    own.values.reserveCapacity(pairs.count)
    if pairs.count > Self.fewNames {
      var indices: [ExactString: Int] = [:]
      for (name, value) in pairs {
        if let index = indices.updateValue(own.names.count, forKey: ExactString(name)) {
          indices[ExactString(name)] = index
          own.values[index] = value
        } else {
          own.append(name, value)
        }
      }
    } else {
      for (name, value) in pairs { own[name] = value }
    }
    storage = .pairs(own)
  }

  /// For up to this many names, pairwise comparison is faster than hashing.
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

  /// The number of attributes in the update.
  public var count: Int {
    switch storage {
    case .pairs(let pairs): pairs.names.count
    case .decoded(let update): update.count
    }
  }

  /// A Boolean value that indicates whether the update contains no attributes.
  public var isEmpty: Bool { count == 0 }

  /// The value of an attribute; nil if the update does not change it, `.null` if it clears it.
  ///
  /// - Complexity: O(n) in the number of attributes, which is small.
  public subscript(name: String) -> UpdateValue? {
    get {
      switch storage {
      case .pairs(let pairs): pairs[name]
      case .decoded(let update): update[name]
      }
    }
    set { change { $0[name] = newValue } }
  }

  /// The names and values; values of a decoded update are created by this call.
  var pairs: Pairs {
    switch storage {
    case .pairs(let pairs): pairs
    case .decoded(let update): update.pairs
    }
  }

  /// Appends a name that the update does not contain.
  package mutating func append(_ name: String, _ value: UpdateValue) {
    change { $0.append(name, value) }
  }

  /// Changes the names and values in place.
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
  /// Creates an update of these names and values; the last value of a repeated name is kept.
  public init(dictionaryLiteral elements: (String, UpdateValue)...) {
    self.init(elements)
  }
}

extension UpdateDictionary: Sequence {
  /// Returns an iterator over the names and values, in order. Values of a decoded update are created by this call.
  ///
  /// - Complexity: O(n) in the number of attributes.
  public func makeIterator() -> IndexingIterator<[(key: String, value: UpdateValue)]> {
    let pairs = pairs
    return zip(pairs.names, pairs.values).map { (key: $0, value: $1) }.makeIterator()
  }
}
