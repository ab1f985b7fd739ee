import Foundation
import ObjectStore
import StoreCoding
import Testing

/// The code in the article on rejections.
@Suite struct `The article on rejections` {
  final class Line: EmbeddedObject {
    @Persisted(json: "quantity") var count = 0
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted(json: "profile.born_on", .date(.date)) var born: Date?
    @Persisted var lines: List<Line>
  }

  private let coder: StoreCoder

  init() throws { coder = StoreCoder(store: try Store()) }

  @Test func `a rejection has the messages of an attribute and those of the whole object`() {
    let body = Data(
      #"{"message": "Not saved", "errors": {"note": ["is rude"], "lines.2.quantity": ["is 0"]}}"#
        .utf8)

    let rejection = coder.rejection(of: Order.self, in: body)

    let noteMessages = rejection[\Order.note]
    let countMessages = rejection["lines[2].count"]
    let banner = rejection.general.joined(separator: "\n")

    #expect((noteMessages, countMessages, banner) == (["is rude"], ["is 0"], "Not saved"))
  }

  @Test func `an attribute has a path, and the path leads back`() throws {
    let path = try coder.codingPath(of: \Order.born)  // "profile.born_on"
    let name = try coder.attributePath(at: "/lines/2/quantity", of: Order.self)  // "lines[2].count"

    #expect(path == "profile.born_on")
    #expect(name == "lines[2].count")
  }
}
