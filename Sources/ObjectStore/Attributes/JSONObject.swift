/// The members of a JSON object, in the order of their names' bytes.
///
///     let extra: JSONValue = ["color": "brown", "spots": [1, 2]]
///     for (name, value) in extra.members { … }
///
/// Names are equal if they are the same bytes: é and e with an accent of its own are two names, as
/// they are in JSON, though a `Dictionary` would take one for the other.
public struct JSONObject: Sendable {
  private var pairs: [(key: String, value: JSONValue)] = []

  /// An object without members.
  public init() {}

  /// An object of these members; of a name that comes twice the later value counts.
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    let given = Array(members)
    // By name, and members of one name as they came.
    let order = given.indices.sorted { a, b in
      Self.order(given[a].key, given[b].key) ?? (a < b)
    }
    pairs.reserveCapacity(given.count)
    for index in order {
      if let last = pairs.last, last.key.hasSameBytes(as: given[index].key) {
        pairs[pairs.count - 1] = given[index]
      } else {
        pairs.append(given[index])
      }
    }
  }

  /// Whether the one name stands before the other; nil if they are the same.
  private static func order(_ a: String, _ b: String) -> Bool? {
    if a.hasSameBytes(as: b) { return nil }
    return a.precedesByBytes(b)
  }

  /// The place of a name, or the one it would have.
  private func place(of name: String) -> (index: Int, isFound: Bool) {
    var (low, high) = (0, pairs.count)
    while low < high {
      let middle = (low + high) / 2
      guard let isBefore = Self.order(pairs[middle].key, name) else { return (middle, true) }
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// The value of a member; nil if there is none, and to remove it.
  ///
  /// - Complexity: O(log n) to read, O(n) to add or remove.
  public subscript(name: String) -> JSONValue? {
    get {
      let (index, isFound) = place(of: name)
      // Not in one expression: there a nil would be JSON's null.
      guard isFound else { return nil }
      return pairs[index].value
    }
    set {
      switch (place(of: name), newValue) {
      case ((let index, true), let value?): pairs[index].value = value
      case ((let index, false), let value?): pairs.insert((name, value), at: index)
      case ((let index, true), nil): pairs.remove(at: index)
      case ((_, false), nil): break
      }
    }
  }

  /// The names, in order.
  public var keys: [String] { pairs.map(\.key) }

  /// The values, in the order of their names.
  public var values: [JSONValue] { pairs.map(\.value) }
}

extension JSONObject: RandomAccessCollection {
  /// The place of the first member: 0.
  public var startIndex: Int { 0 }
  /// The number of members.
  public var endIndex: Int { pairs.count }
  /// The member at a place in `0..<count`, by the order of the names; another place is a mistake that
  /// ends the program.
  public subscript(position: Int) -> (key: String, value: JSONValue) { pairs[position] }
}

extension JSONObject: Hashable {
  /// Equal if they have the same names, byte by byte, with equal values.
  ///
  /// - Complexity: O(n) of all that they hold.
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.count == b.count
      && zip(a.pairs, b.pairs).allSatisfy {
        $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value
      }
  }

  /// Feeds the members, in order, to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pairs.count)
    for (key, value) in pairs {
      hasher.combine(ExactString(key))
      hasher.combine(value)
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object of these members; of a name that comes twice the last value counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSONObject: CustomStringConvertible {
  /// The members in order, as a dictionary prints; `[:]` if there are none.
  public var description: String {
    isEmpty ? "[:]" : "[\(pairs.map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
  }
}
