import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Lists decoded without objects` {
  private final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(.mismatch(.skipAttribute)) var count = 0

    override class var listEnvelope: String? { "items" }
  }

  private static let payloads = [
    #"{"items":[{"id":1,"name":"a"},{"id":2}],"total":2}"#,
    #"{"items":[{"id":1,"name":"a"},{"id":2,"count":3}],"total":2}"#,
    #"{"items":[{"id":3},{"id":3,"name":"c"},{"id":1,"count":"x"}],"total":9}"#,
    #"{"items":[]}"#,
  ]

  @Test func `the summary has the counts, issues and metadata of the list`() throws {
    let (counting, reading) = (try makeCoder(), try makeCoder())
    for payload in Self.payloads + Self.payloads {
      let summary = try counting.readAll([Item].self, from: Data(payload.utf8))
      let result = try reading.read([Item].self, from: Data(payload.utf8))
      #expect(summary.inserted == result.inserted && summary.updated == result.updated)
      #expect(summary.unchanged == result.unchanged && summary.merged == result.merged)
      #expect(summary.elementCount == result.elementCount)
      #expect(summary.byteCount == payload.utf8.count)
      #expect(summary.issues.map(\.description) == result.issues.map(\.description))
      #expect(try summary.metadata("total") == result.metadata("total"))
      #expect(counting.store.version == reading.store.version)
      let counted = counting.store.objects(Item.self).map { "\($0.id) \($0.name) \($0.count)" }
      let read = reading.store.objects(Item.self).map { "\($0.id) \($0.name) \($0.count)" }
      #expect(counted == read)
    }
    #expect(counting.store.objects(Item.self).count == 3)
  }

  @Test func `an error leaves the store unchanged`() throws {
    let coder = try makeCoder()
    try coder.readAll([Item].self, from: Data(#"[{"id":1,"name":"a"}]"#.utf8), at: "")
    let version = coder.store.version
    #expect {
      try coder.readAll(
        [Item].self, from: Data(#"[{"id":1,"name":"b"},{"id":2,"name":3}]"#.utf8), at: "")
    } throws: {
      "\($0)" == "[1].name (Item.name, id 2): expected String, found number 3 at line 1, column 37"
    }
    #expect(coder.store.version == version && coder.store.objects(Item.self)[0].name == "a")
  }
}
