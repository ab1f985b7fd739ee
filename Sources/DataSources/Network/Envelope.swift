import Foundation
import ObjectStore

/// The members around the content of a response.
enum Envelope {
  /// Returns the JSON at a path of names, separated by dots; the whole text for an empty path.
  /// - Throws: `DecodingError` for a text that is not JSON, or lacks a member of the path.
  static func content(of data: Data, at path: String) throws -> Data {
    if path.isEmpty { return data }
    guard var value = data.withUnsafeBytes({ JSONValue(text: $0) }) else {
      throw error("the response is not JSON, or nests deeper than 512 levels")
    }
    for name in path.split(separator: ".") {
      guard case .object(let members) = value, let member = members[String(name)] else {
        throw error("the response has no member \(name) on the path \(path)")
      }
      value = member
    }
    return Data(value.jsonText.utf8)
  }

  private static func error(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: description))
  }
}
