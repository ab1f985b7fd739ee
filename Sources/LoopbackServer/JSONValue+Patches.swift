import Foundation
package import ObjectStore

/// The reason why a JSON Patch cannot be applied.
package enum JSONPatchFailure: Error, Hashable {
  /// The patch is not an array of valid operations.
  case malformed
  /// The operation at this index fails for this document: a test fails, or a location does not exist.
  case conflict(operationIndex: Int)
}

// MARK: - JSON Merge Patch

extension JSONValue {
  /// Returns the value after a JSON Merge Patch (RFC 7396 §2).
  package func merging(_ patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members = JSONObject()
    if case .object(let object) = self { members = object }
    for (name, change) in changes {
      members[name] = change == .null ? Self?.none : (members[name] ?? .null).merging(change)
    }
    return .object(members)
  }
}

extension JSONObject {
  /// Returns the object with the members of `changes` as a whole, and without those for which `changes` has null.
  package func replacingMembers(_ changes: JSONObject) -> JSONObject {
    var result = self
    for (name, change) in changes { result[name] = change == .null ? JSONValue?.none : change }
    return result
  }
}

// MARK: - JSON Patch

extension JSONValue {
  /// Returns the value after a JSON Patch (RFC 6902).
  /// - Throws: ``JSONPatchFailure``.
  package func applying(jsonPatch patch: JSONValue) throws(JSONPatchFailure) -> JSONValue {
    guard case .array(let operations) = patch else { throw .malformed }
    // All operations are parsed first, so that a malformed patch is not reported as a conflict.
    var parsed: [PatchOperation] = []
    for operation in operations {
      guard let operation = PatchOperation(operation) else { throw .malformed }
      parsed.append(operation)
    }
    var document = self
    for (index, operation) in parsed.enumerated() {
      guard let changed = operation.applied(to: document) else {
        throw .conflict(operationIndex: index)
      }
      document = changed
    }
    return document
  }

  /// Returns the value at a location; nil if there is none.
  fileprivate func value(at pointer: ArraySlice<String>) -> JSONValue? {
    guard let token = pointer.first else { return self }
    let rest = pointer.dropFirst()
    switch self {
    case .object(let members): return members[token]?.value(at: rest)
    case .array(let elements):
      guard let index = Self.index(token), index < elements.count else { return Self?.none }
      return elements[index].value(at: rest)
    default: return Self?.none
    }
  }

  /// Returns the value after an edit at a location; nil if the edit fails.
  fileprivate func edited(_ edit: PatchEdit, at pointer: ArraySlice<String>) -> JSONValue? {
    guard let token = pointer.first else {
      // The root: it can be replaced, but not removed.
      return edit.value
    }
    let rest = pointer.dropFirst()
    switch self {
    case .object(var members):
      if rest.isEmpty {
        if case .add = edit {} else if members[token] == Self?.none { return Self?.none }
        members[token] = edit.value
      } else {
        guard let child = members[token]?.edited(edit, at: rest) else { return Self?.none }
        members[token] = child
      }
      return .object(members)
    case .array(var elements):
      let isAppended = token == "-" && rest.isEmpty
      guard let index = isAppended ? elements.count : Self.index(token) else { return Self?.none }
      if rest.isEmpty, case .add(let value) = edit {
        guard index <= elements.count else { return Self?.none }
        elements.insert(value, at: index)
        return .array(elements)
      }
      guard index < elements.count else { return Self?.none }
      if rest.isEmpty, case .remove = edit {
        elements.remove(at: index)
      } else {
        guard let child = elements[index].edited(edit, at: rest) else { return Self?.none }
        elements[index] = child
      }
      return .array(elements)
    default: return Self?.none
    }
  }

  /// Returns the index that is written like this: digits without leading zeros (RFC 6901 §4).
  private static func index(_ token: String) -> Int? {
    guard let index = Int(token), index >= 0, "\(index)" == token else { return nil }
    return index
  }

  /// True if the values are equal as RFC 6902 §4.6 defines it: numbers are compared numerically.
  fileprivate func equalsInTest(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.equalsInTest($1) }
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && a.allSatisfy { name, value in b[name].map { value.equalsInTest($0) } ?? false }
    default:
      if isIdentical(to: other) { return true }
      guard let a = decimal, let b = other.decimal else { return false }
      return a == b
    }
  }

  /// The number; nil for any other value. `Decimal` has 38 digits.
  private var decimal: Decimal? {
    switch self {
    case .int(let number): Decimal(number)
    case .double, .number: Decimal(string: jsonText)
    default: nil
    }
  }
}

/// A change at one location.
private enum PatchEdit {
  case add(JSONValue)
  case replace(JSONValue)
  case remove

  /// The new value; nil to remove it.
  var value: JSONValue? {
    switch self {
    case .add(let value), .replace(let value): value
    case .remove: JSONValue?.none
    }
  }
}

/// An operation of a JSON Patch.
private enum PatchOperation {
  typealias Pointer = ArraySlice<String>

  case edit(PatchEdit, Pointer)
  case test(JSONValue, Pointer)
  case copy(from: Pointer, Pointer)
  case move(from: Pointer, Pointer)

  /// Parses an operation; nil if it is malformed. Unknown members are ignored.
  init?(_ json: JSONValue) {
    guard case .string(let name)? = json["op"], let path = Self.pointer(json["path"]) else {
      return nil
    }
    let value = json["value"]
    let from = Self.pointer(json["from"])
    switch (name, value, from) {
    case ("add", let value?, _): self = .edit(.add(value), path)
    case ("replace", let value?, _): self = .edit(.replace(value), path)
    case ("remove", _, _): self = .edit(.remove, path)
    case ("test", let value?, _): self = .test(value, path)
    case ("copy", _, let from?): self = .copy(from: from, path)
    case ("move", _, let from?):
      // A value cannot be moved into itself.
      guard from.count >= path.count || !path.starts(with: from) else { return nil }
      self = .move(from: from, path)
    default: return nil
    }
  }

  /// Parses a JSON Pointer (RFC 6901); nil if it is malformed.
  private static func pointer(_ json: JSONValue?) -> Pointer? {
    guard case .string(let text)? = json else { return nil }
    if text.isEmpty { return [] }
    guard text.hasPrefix("/") else { return nil }
    var tokens: [String] = []
    for token in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard token.contains("~") else {
        tokens.append(String(token))
        continue
      }
      let parts = token.split(separator: "~", omittingEmptySubsequences: false)
      var unescaped = String(parts[0])
      for part in parts.dropFirst() {
        switch part.first {
        case "0": unescaped += "~"
        case "1": unescaped += "/"
        default: return nil
        }
        unescaped += part.dropFirst()
      }
      tokens.append(unescaped)
    }
    return tokens[...]
  }

  /// Returns the document after the operation; nil if the operation fails.
  func applied(to document: JSONValue) -> JSONValue? {
    switch self {
    case .edit(let edit, let path):
      return document.edited(edit, at: path)
    case .test(let value, let path):
      guard let found = document.value(at: path), found.equalsInTest(value) else {
        return JSONValue?.none
      }
      return document
    case .copy(let from, let path):
      guard let value = document.value(at: from) else { return JSONValue?.none }
      return document.edited(.add(value), at: path)
    case .move(let from, let path):
      if from == path { return document.value(at: from).map { _ in document } }
      guard let value = document.value(at: from) else { return JSONValue?.none }
      return document.edited(.remove, at: from)?.edited(.add(value), at: path)
    }
  }
}
