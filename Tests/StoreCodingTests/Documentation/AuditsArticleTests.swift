import Foundation
import ObjectStore
import StoreCoding
import Testing

/// The code in the article Audits.
@Suite struct `The Audits article` {
  enum Role: String, PersistableEnum { case guest, admin }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var total = 0.0
    @Persisted var paid: Bool?
    @Persisted var customer: Customer?
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(.unknown(.guest)) var role: Role = .guest
  }

  private let coder: StoreCoder
  private let data = Data(
    #"""
    [
      {"id": 1, "total": 9.5, "customer": {"id": "a", "role": "owner", "vip": true}},
      {"id": 2, "total": "12", "ship_to": {"zip": 3000}, "note": "ring twice"},
      {"id": 3, "note": null, "paid": null}
    ]
    """#.utf8)

  init() throws {
    coder = StoreCoder(store: try Store())
  }

  /// The code blocks of the article, without their fences.
  private func blocks() throws -> [String] {
    let article = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/StoreCoding/StoreCoding.docc/Audits.md"), encoding: .utf8
    )
    let parts = article.split(separator: "```", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].split(separator: "\n", omittingEmptySubsequences: false)
      return lines.dropFirst().joined(separator: "\n").trimmingCharacters(in: .newlines)
    }
  }

  @Test func `an audit prints the table and the suggestions of the article`() throws {
    let audit = try coder.audit([Order].self, from: data)
    print(audit)
    #expect(try blocks().contains(audit.description))
    #expect(try blocks().contains(audit.suggestions))
  }

  @Test func `the code about documents works`() throws {
    let data = Data(#"{"data": [{"id": 1, "x": 1}], "vip": {"id": "a", "x": 1}}"#.utf8)

    // swift-format-ignore
    let audit = try coder.audit(["data": .list(Order.self), "vip": .one(Customer.self).optional], from: data)

    #expect(audit.unreadKeys.map(\.className) == ["Customer", "Order"])
  }

  @Test func `the code about merging and storing audits works`() throws {
    let (earlier, later) = (data, data)

    var audit = try coder.audit([Order].self, from: earlier)
    audit.formUnion(try coder.audit([Order].self, from: later))
    let stored = try JSONEncoder().encode(audit)

    #expect(audit.payloadCount == 2)
    #expect(try JSONDecoder().decode(Audit.self, from: stored) == audit)
  }

  @Test func `the code about sampling works`() throws {
    var reported: [Audit] = []
    func report(_ audit: Audit) { reported.append(audit) }
    let payload = Data(#"{"id": 4, "note": "x"}"#.utf8)

    coder.audits = .every(100)

    for _ in 0..<250 { try coder.decode(Order.self, from: payload) }

    if !coder.audit.isClean { report(coder.audit) }
    coder.audit = Audit()

    #expect(reported.map(\.payloadCount) == [2])
    #expect(coder.audit == Audit())
  }
}
