import Foundation
import ObjectStore

/// JSON Merge Patches (RFC 7396) between the encodings of two values.
///
/// Null and a missing member are the same, because a merge patch removes the members for which it has null.
enum MergePatch {
  /// Returns the patch between two JSON texts; nil if there is no difference. If one of them is not an object, the patch
  /// is the new text.
  /// - Throws: `DecodingError`, `EncodingError`.
  static func body(
    from base: Data, to new: Data, formatting: JSONEncoder.OutputFormatting
  ) throws -> Data? {
    let (old, value) = (try json(base), try json(new))
    guard case .object(let oldMembers) = old, case .object(let members) = value else {
      return old.isIdentical(to: value) ? nil : new
    }
    let patch = difference(from: oldMembers, to: members)
    if patch.isEmpty { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union(.sortedKeys)
    return try encoder.encode(JSONValue.object(patch))
  }

  private static func json(_ data: Data) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: data)
  }

  private static func difference(from base: JSONObject, to new: JSONObject) -> JSONObject {
    var members: [(key: String, value: JSONValue)] = []
    for (name, old) in base where !isNull(old) && isNull(new[name]) {
      members.append((name, .null))
    }
    for (name, value) in new where !isNull(value) {
      if case .object(let old) = base[name], case .object(let value) = value {
        let changes = difference(from: old, to: value)
        if !changes.isEmpty { members.append((name, .object(changes))) }
      } else if !base[name].isIdentical(to: value) {
        members.append((name, value))
      }
    }
    return JSONObject(members)
  }

  private static func isNull(_ value: JSONValue?) -> Bool {
    switch value {
    case nil, .null?: true
    default: false
    }
  }
}
