import Foundation
import ObjectStore

/// JSON Merge Patches (RFC 7396) between the encodings of two values.
///
/// Null and a missing member are the same, because a merge patch removes the members for which it has null.
enum MergePatch {
  /// Returns the patch between two JSON texts; nil if there is no difference. If one of them is not an object, the patch
  /// is the new text.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if a text is not JSON, or nested in more than 512 levels.
  static func body(from base: Data, to new: Data) throws -> Data? {
    let (old, value) = (try json(base), try json(new))
    guard case .object(let oldMembers) = old, case .object(let members) = value else {
      return old.isIdentical(to: value) ? nil : new
    }
    let patch = difference(from: oldMembers, to: members)
    if patch.isEmpty { return nil }
    return Data(JSONValue.object(patch).jsonText.utf8)
  }

  private static func json(_ data: Data) throws -> JSONValue {
    guard let value = data.withUnsafeBytes({ JSONValue(text: $0) }) else {
      throw DataSourceError.illegalArgument(
        "cannot build a merge patch: the encoded value is not JSON, or nests deeper than 512 levels"
      )
    }
    return value
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
