import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Types of storecoder model` {
  private let visits = StorecoderTool.fixture("models/visits.json")

  /// ``Visit`` is below, exactly as the command writes it.
  @Test func `model declares dates, amounts and nested arrays that reproduce the file`() throws {
    let outcome = try StorecoderTool().run("model", visits)
    #expect(
      try outcome.output
        == "import Foundation\nimport ObjectStore\n\n\(StorecoderTool.expectedModel())")

    let coder = StoreCoder(store: try Store())
    try coder.check(Visit.self)
    let data = try Data(contentsOf: URL(filePath: visits))
    let visits = try coder.decodeArray(Visit.self, from: data)
    #expect(visits[0].createdAt == Date(timeIntervalSince1970: 1_709_281_800))
    #expect(visits[0].updatedAt == Date(timeIntervalSince1970: 1_709_281_800.123))
    #expect(visits[1].price == Decimal(string: "-0.25"))
    #expect(visits[0].route.value == [[8.5, 49.1], [8.25, 49]])
    #expect(visits[1].labels == nil)
    #expect(visits[2].labels?.value == [])
    let body = String(decoding: try coder.encodeArray(visits), as: UTF8.self)
    #expect(
      try StorecoderTool.canonical(body)
        == StorecoderTool.canonical(String(decoding: data, as: UTF8.self)))
  }
}

// MARK: - As the command writes them

final class Visit: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.date(.date)) var day: Date
  @Persisted var begins: Date
  @Persisted(.date("yyyy-MM-dd'T'HH:mm:ss.SSSX")) var ends: Date
  @Persisted(.date("yyyy-MM-dd HH:mm:ss.SSSSSSxxx")) var logged: Date
  @Persisted(json: "created_at", .date(.unixSeconds)) var createdAt: Date
  @Persisted(.date(.unixMilliseconds)) var updatedAt: Date
  @Persisted(.asString(fractionDigits: 2)) var price: Decimal
  @Persisted var deposit = ""
  @Persisted var version = ""
  @Persisted var zip = ""
  @Persisted var local = ""
  @Persisted var zoned = ""
  @Persisted(.writesNil) var next: String?
  @Persisted(.date(.date)) var reminders: List<Date>
  @Persisted var route: Coded<[[Double]]>
  @Persisted var grid: Coded<[[[Int]]]>
  @Persisted(.writesNil) var labels: Coded<[String]>?
  @Persisted(.writesNil) var closed: Date?
  @Persisted var height = 0
}
