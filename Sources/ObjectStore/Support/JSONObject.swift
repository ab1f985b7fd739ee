/// The members of a JSON object, sorted by the UTF-8 bytes of their names.
///
///     let extra: JSONValue = ["color": "brown", "spots": [1, 2]]
///     for (name, value) in extra.members { … }
///
/// Names are equal if their bytes are equal, as in JSON: a precomposed é and an e with a combining accent are
/// two names, whereas a `Dictionary` treats them as the same key.
public struct JSONObject: Sendable {
  private var pairs: [(key: String, value: JSONValue)] = []

  /// Creates an object without members.
  public init() {}

  /// Creates an object with these members; the last value of a repeated name is kept.
  ///
  /// - Complexity: O(n log n).
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    self.init(Array(members)) { $1[$1.count - 1] }
  }

  /// Creates an object with these members.
  ///
  /// - Parameter combine: Returns the value of a repeated name, given its values in order.
  init(
    _ members: [(key: String, value: JSONValue)],
    combining combine: (String, [JSONValue]) -> JSONValue
  ) {
    // Sorted by name; equal names keep their order.
    let order = members.indices.sorted { a, b in
      Self.order(members[a].key, members[b].key) ?? (a < b)
    }
    pairs.reserveCapacity(members.count)
    var start = 0
    while start < order.count {
      let first = members[order[start]]
      var end = start + 1
      while end < order.count, members[order[end]].key.hasSameBytes(as: first.key) { end += 1 }
      if end == start + 1 {
        pairs.append(first)
      } else {
        pairs.append(
          (first.key, combine(first.key, order[start..<end].map { members[$0].value })))
      }
      start = end
    }
  }

  /// True if the first name precedes the second; nil if they are the same.
  private static func order(_ a: String, _ b: String) -> Bool? {
    if a.hasSameBytes(as: b) { return nil }
    return a.precedesByBytes(b)
  }

  /// The index of a name, or the index at which it would be inserted.
  private func position(of name: String) -> (index: Int, isFound: Bool) {
    let index = pairs.indices.partitionPoint { pairs[$0].key.precedesByBytes(name) }
    return (index, index < pairs.count && pairs[index].key.hasSameBytes(as: name))
  }

  /// The value of the member with this name; nil if there is none. Assigning nil removes the member.
  ///
  /// - Complexity: O(log n) to read, O(n) to add or remove.
  public subscript(name: String) -> JSONValue? {
    get {
      let (index, isFound) = position(of: name)
      // Not a single expression, in which nil would become JSON's null.
      guard isFound else { return nil }
      return pairs[index].value
    }
    set {
      switch (position(of: name), newValue) {
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
  /// The index of the first member: 0.
  public var startIndex: Int { 0 }
  /// The number of members.
  public var endIndex: Int { pairs.count }
  /// The member at `position`, in the order of the names. The index must be in `0..<count`.
  public subscript(position: Int) -> (key: String, value: JSONValue) { pairs[position] }
}

extension JSONObject: Hashable {
  /// Returns true if both have the same names, compared byte by byte, with equal values.
  ///
  /// - Complexity: O(n) in the number of all nested values.
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.count == b.count
      && zip(a.pairs, b.pairs).allSatisfy {
        $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value
      }
  }

  /// Hashes the members, in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pairs.count)
    for (key, value) in pairs {
      hasher.combine(ExactString(key))
      hasher.combine(value)
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object with these members; the last value of a repeated name is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSONObject: CustomStringConvertible {
  /// The members in order, formatted like a dictionary; `[:]` if there are none.
  public var description: String {
    isEmpty ? "[:]" : "[\(pairs.map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
  }
}
