import Foundation

// Equality, hashing and descriptions of updates. Updates can be nested as deeply as a payload, so nested
// values are kept in a list instead of on the stack, which has only 512 KB on some threads.

extension UpdateDictionary: Hashable {
  /// Returns true if both update the same attributes to the same values, in any order.
  public static func == (a: UpdateDictionary, b: UpdateDictionary) -> Bool {
    UpdateValue.object(a) == .object(b)
  }

  /// Hashes the update regardless of the order of its names, consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    UpdateValue.object(self).hash(into: &hasher)
  }

  /// Returns true if the names are the same, and appends their values in pairs.
  fileprivate func pairs(
    with other: UpdateDictionary, _ pending: inout [(UpdateValue, UpdateValue)]
  ) -> Bool {
    let (one, other) = (pairs, other.pairs)
    guard one.names.count == other.names.count else { return false }
    // The order is usually the same.
    if zip(one.names, other.names).allSatisfy({ $0.hasSameBytes(as: $1) }) {
      pending.append(contentsOf: zip(one.values, other.values))
      return true
    }
    let indices = Dictionary(
      zip(other.names.map { ExactString($0) }, other.values.indices),
      uniquingKeysWith: { first, _ in first })
    for (name, value) in zip(one.names, one.values) {
      guard let index = indices[ExactString(name)] else { return false }
      pending.append((value, other.values[index]))
    }
    return true
  }
}

extension UpdateValue: Hashable {
  /// Returns true if both are the same case with equal values; 1 and 1.0 differ.
  // Inlined into comparisons of arrays, it takes 8 KB in each.
  @inline(never)
  public static func == (a: UpdateValue, b: UpdateValue) -> Bool {
    var pending: [(UpdateValue, UpdateValue)] = []
    guard a.matches(b, &pending) else { return false }
    while let (a, b) = pending.popLast() {
      guard a.matches(b, &pending) else { return false }
    }
    return true
  }

  /// Returns true if the values are equal apart from nested values, which are appended to `pending`.
  private func matches(
    _ other: UpdateValue, _ pending: inout [(UpdateValue, UpdateValue)]
  ) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.int(let a), .int(let b)): return a == b
    case (.uint(let a), .uint(let b)): return a == b
    case (.double(let a), .double(let b)): return a == b
    case (.decimal(let a), .decimal(let b)): return a == b
    case (.string(let a), .string(let b)): return a == b
    case (.data(let a), .data(let b)): return a == b
    case (.date(let a), .date(let b)): return a == b
    case (.uuid(let a), .uuid(let b)): return a == b
    case (.json(let a), .json(let b)): return a == b
    case (.reference(let a), .reference(let b)): return a == b
    case (.unencodable(let a), .unencodable(let b)): return a == b
    case (.object(let a), .object(let b)): return a.pairs(with: b, &pending)
    case (.array(let a), .array(let b)):
      guard a.count == b.count else { return false }
      pending.append(contentsOf: zip(a, b))
      return true
    default: return false
    }
  }

  /// Hashes the value and all nested values, without recursion.
  public func hash(into hasher: inout Hasher) {
    var pending = [self]
    while let value = pending.popLast() { value.combine(into: &hasher, &pending) }
  }

  private func combine(into hasher: inout Hasher, _ pending: inout [UpdateValue]) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .json(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    case .unencodable(let value): hasher.combine(value)
    case .array(let values):
      hasher.combine(values.count)
      pending += values
    case .object(let update):
      let pairs = update.pairs
      hasher.combine(pairs.names.count)
      let order = pairs.names.indices.sorted(byBytesOf: { pairs.names[$0] })
      for index in order {
        hasher.combine(ExactString(pairs.names[index]))
        pending.append(pairs.values[index])
      }
    }
  }
}

// MARK: - Descriptions

extension UpdateDictionary: CustomStringConvertible {
  /// The names and values, formatted like a dictionary; `[:]` if the update is empty.
  public var description: String { UpdateValue.object(self).description }
}

extension UpdateValue: CustomStringConvertible {
  /// The value in Swift notation, and `null` for null. Data is shown by its size, dates in ISO 8601, JSON values as JSON.
  public var description: String {
    var text = ""
    var pending = [Piece.value(self)]
    while let piece = pending.popLast() {
      switch piece {
      case .text(let piece): text += piece
      case .value(let value): value.write(into: &text, &pending)
      }
    }
    return text
  }

  /// A pending part of the description. The next part is the last in the list.
  private enum Piece {
    case text(String)
    case value(UpdateValue)
  }

  private func write(into text: inout String, _ pending: inout [Piece]) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += "\(value)"
    case .int(let value): text += "\(value)"
    case .uint(let value): text += "\(value)"
    case .double(let value): text += "\(value)"
    case .decimal(let value): text += "\(value)"
    case .string(let value): text += "\"\(value)\""
    case .data(let value): text += "\(value.count) bytes"
    case .date(let value): text += value.formatted(.iso8601)
    case .uuid(let value): text += UUIDText.text(value)
    case .json(let value): text += value.jsonText
    case .reference(let reference): text += "\(reference)"
    case .unencodable(let value): text += value.typeName
    case .array(let values):
      text += "["
      pending.append(.text("]"))
      for index in values.indices.reversed() {
        pending.append(.value(values[index]))
        if index > 0 { pending.append(.text(", ")) }
      }
    case .object(let update):
      let pairs = update.pairs
      text += pairs.names.isEmpty ? "[:" : "["
      pending.append(.text("]"))
      for index in pairs.names.indices.reversed() {
        pending.append(.value(pairs.values[index]))
        pending.append(.text("\(index > 0 ? ", " : "")\(pairs.names[index]): "))
      }
    }
  }
}
