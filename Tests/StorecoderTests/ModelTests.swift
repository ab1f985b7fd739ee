import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@testable import storecoder

@Suite struct `storecoder model` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  /// ``Order`` and its classes are below, exactly as the command writes them.
  @Test func `model writes classes that compile and decode the file`() throws {
    let outcome = try command.run([
      "model", StorecoderTool.fixture("imports/shop.json"), "--envelope", "data.orders",
    ])
    #expect(
      try outcome.output
        == "import Foundation\nimport ObjectStore\n\n\(StorecoderTool.expectedModel())")

    let data = try Data(
      contentsOf: URL(filePath: StorecoderTool.fixture("imports/shop.json")))
    var configuration = StoreCoder.Configuration.default
    configuration.outputFormatting.insert(.sortedKeys)
    let store = try Store()
    let coder = StoreCoder(store: store, configuration: configuration)
    let orders = try coder.decodeArray(Order.self, from: data)
    #expect(orders.count == 3)
    let body = try coder.encodeArray(orders)
    #expect(
      try StorecoderTool.canonical(String(decoding: body, as: UTF8.self))
        == StorecoderTool.canonical(String(decoding: data, as: UTF8.self), at: "data", "orders"))
  }

  @Test func `model --mermaid draws classes and links`() throws {
    let outcome = try command.run([
      "model", StorecoderTool.fixture("imports/shop.json"), "--envelope", "data.orders",
      "--mermaid",
    ])
    #expect(
      outcome.output == """
        classDiagram
          class Order {
            Int id key
            Date placed
            Double total
            Bool paid
            String? note
            List~String~ tags
            Customer? customer
            Address? address
            List~Line~ lines
            Map~String, Int~ ratings
            Coupon? coupon
            Int? default
            Bool? is_gift
          }
          class Coupon {
            String code
          }
          class Line {
            String sku
            Int count
          }
          class Address {
            String street
            String city
          }
          class Customer {
            String id key
            String name
          }
          Order --> Customer : customer
          Order *-- Address : address
          Order *-- "*" Line : lines
          Order *-- Coupon : coupon

        """)
  }

  @Test(arguments: [
    ("first_name", "firstName"), ("ID", "id"), ("URLPath", "urlPath"), ("2nd", "n2nd"),
    ("description", "descriptionValue"), ("is-gift", "isGift"), ("$ref", "ref"),
    ("__typename", "typename"),
    ("日本", "value"), ("class", "class"), ("self", "selfValue"), ("hash", "hashValueValue"),
  ])
  func `keys become Swift identifiers`(key: String, name: String) {
    #expect(SwiftNames.swiftName(key) == name)
  }

  @Test(arguments: [
    ("users", "User"), ("statuses", "Status"), ("categories", "Category"), ("addresses", "Address"),
    ("boxes", "Box"), ("news", "New"), ("bus", "Bus"), ("analysis", "Analysis"), ("data", "Data"),
    ("in_reply_to_users", "InReplyToUser"), ("2024", "Item2024"), ("–", "Item"),
  ])
  func `keys become class names`(key: String, name: String) {
    #expect(ClassNames.name(key, isPlural: true) == name)
  }
}

// MARK: - As the command writes them

final class Order: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.date(.date)) var placed: Date
  @Persisted var total = 0.0
  @Persisted var paid = false
  @Persisted(.writesNil) var note: String?
  @Persisted var tags: List<String>
  @Persisted var customer: Customer?
  @Persisted(.writesNil) var address: Address?
  @Persisted var lines: List<Line>
  @Persisted var ratings: Map<String, Int>
  @Persisted var coupon: Coupon?
  @Persisted var `default`: Int?
  @Persisted(json: "is-gift") var isGift: Bool?

  override class var listEnvelope: String? { "data.orders" }
}

final class Coupon: EmbeddedObject {
  @Persisted var code = ""
}

final class Line: EmbeddedObject {
  @Persisted var sku = ""
  @Persisted var count = 0
}

final class Address: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city = ""
}

final class Customer: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name = ""
}
