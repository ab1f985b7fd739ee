import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The bytes of `Fixtures/apis/<name>.json`.
func apiFixture(_ name: String) throws -> Data {
  try CodingFixtures.data("apis/\(name).json")
}

/// The value of a JSON text, for comparisons that ignore white space and the order of members.
func parsedJSON(_ data: Data) throws -> JSONValue {
  try JSONDecoder().decode(JSONValue.self, from: data)
}

/// Expects that reading the same payloads again creates no version.
func expectNoVersion(
  in store: Store, sourceLocation: SourceLocation = #_sourceLocation, by read: () throws -> Void
) throws {
  let version = store.version
  try read()
  #expect(store.version == version, sourceLocation: sourceLocation)
}

/// Expects that the body of each object changes nothing in its store, and is encoded again from another store.
func expectOwnBodiesChangeNothing<T: Object>(
  _ objects: [T], _ coder: StoreCoder, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let body = try coder.encodeArray(objects)
  try expectNoVersion(in: coder.store, sourceLocation: sourceLocation) {
    try coder.decodeArray(T.self, from: body, at: "")
  }
  let other = try StoreCoder(store: Store(), configuration: coder.configuration)
  let decoded = try other.decodeArray(T.self, from: body, at: "")
  let bodyOfOther = try other.encodeArray(decoded).text
  #expect(bodyOfOther == body.text, sourceLocation: sourceLocation)
}

/// The JSON in the article Shapes of public APIs.
@Suite struct `The JSON in the article about API shapes` {
  private static let root = Documentation.root
  private static let article = root.appending(
    path: "Sources/StoreCoding/StoreCoding.docc/APIShapes.md")

  @Test func `each JSON block is an excerpt of a fixture`() throws {
    let folder = Self.root.appending(path: "Fixtures/apis")
    let fixtures = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
      try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: $0)))
    }
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let blocks = text.components(separatedBy: "```json\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(blocks.count >= 17)
    for block in blocks {
      let excerpt = try JSONSerialization.jsonObject(with: Data(block.utf8))
      #expect(fixtures.contains { Self.contains($0, excerpt) }, "\(block)")
    }
  }

  /// True if the value has all members and elements of the excerpt, the elements in the same order.
  private static func contains(_ value: Any, _ excerpt: Any) -> Bool {
    if let excerpt = excerpt as? [String: Any] {
      guard let value = value as? [String: Any] else { return false }
      return excerpt.allSatisfy { key, part in value[key].map { contains($0, part) } ?? false }
    }
    if let excerpt = excerpt as? [Any] {
      guard var rest = (value as? [Any])?[...] else { return false }
      guard !excerpt.isEmpty else { return rest.isEmpty }
      return excerpt.allSatisfy { part in
        guard let index = rest.firstIndex(where: { contains($0, part) }) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
    }
    return (value as? NSObject) == (excerpt as? NSObject)
  }
}
