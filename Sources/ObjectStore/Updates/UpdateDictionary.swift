import Foundation

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
      var places: [ExactString: Int] = [:]
      for (name, value) in pairs {
        if let place = places.updateValue(own.names.count, forKey: ExactString(name)) {
          places[ExactString(name)] = place
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
  /// An update of these names and values; of a name that comes twice the later value counts.
  public init(dictionaryLiteral elements: (String, UpdateValue)...) {
    self.init(elements)
  }
}

extension UpdateDictionary: Sequence {
  /// Walks names and values in the order in which they were given; those of a decode are made now.
  ///
  /// - Complexity: O(n) of the attributes.
  public func makeIterator() -> IndexingIterator<[(key: String, value: UpdateValue)]> {
    let pairs = pairs
    return zip(pairs.names, pairs.values).map { (key: $0, value: $1) }.makeIterator()
  }
}
