public import ObjectStore

/// Applies patches, as simply as their specifications describe it.
public enum PatchReference {
  /// Why a JSON Patch cannot be applied.
  public struct Failure: Error {
    public let operation: JSONValue
  }

  /// Applies a JSON Merge Patch (RFC 7396, section 2).
  public static func merging(_ patch: JSONValue, into target: JSONValue?) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members = JSONObject()
    if case .object(let object) = target { members = object }
    for (name, value) in changes {
      if value == .null {
        members[name] = JSONValue?.none
      } else {
        members[name] = merging(value, into: members[name])
      }
    }
    return .object(members)
  }

  /// Applies the operations `add`, `remove`, `replace` and `test` of a JSON Patch (RFC 6902, section 4).
  public static func applying(_ patch: JSONValue, to document: JSONValue) throws -> JSONValue {
    var document = document
    guard case .array(let operations) = patch else { throw Failure(operation: patch) }
    for operation in operations {
      guard case .string(let kind) = operation["op"], case .string(let path) = operation["path"]
      else { throw Failure(operation: operation) }
      let tokens = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
        token -> String in
        String(token).replacing("~1", with: "/").replacing("~0", with: "~")
      }
      guard
        let changed = apply(kind, operation["value"], tokens[...], document)
      else { throw Failure(operation: operation) }
      document = changed
    }
    return document
  }

  /// Returns the value after an operation at a path in it; nil if the operation fails.
  private static func apply(
    _ kind: String, _ value: JSONValue?, _ tokens: ArraySlice<String>, _ target: JSONValue
  ) -> JSONValue? {
    guard let token = tokens.first else {
      switch kind {
      case "add", "replace": return value
      case "test": return value == .some(target) ? target : JSONValue?.none
      default: return JSONValue?.none
      }
    }
    let isLast = tokens.count == 1
    switch target {
    case .object(var members):
      if isLast, kind == "remove" {
        guard members[token] != JSONValue?.none else { return JSONValue?.none }
        members[token] = JSONValue?.none
        return .object(members)
      }
      if isLast, kind == "add" {
        guard let value else { return JSONValue?.none }
        members[token] = value
        return .object(members)
      }
      guard let member = members[token],
        let changed = apply(kind, value, tokens.dropFirst(), member)
      else { return JSONValue?.none }
      members[token] = changed
      return .object(members)
    case .array(var elements):
      let index = token == "-" ? elements.count : Int(token) ?? -1
      if isLast, kind == "add" {
        guard (0...elements.count).contains(index), let value else { return JSONValue?.none }
        elements.insert(value, at: index)
        return .array(elements)
      }
      guard elements.indices.contains(index) else { return JSONValue?.none }
      if isLast, kind == "remove" {
        elements.remove(at: index)
        return .array(elements)
      }
      guard let changed = apply(kind, value, tokens.dropFirst(), elements[index]) else {
        return JSONValue?.none
      }
      elements[index] = changed
      return .array(elements)
    default: return JSONValue?.none
    }
  }
}
