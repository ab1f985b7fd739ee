import Foundation
import JSONText
import ObjectStore
import TestSupport
import Testing

/// Custom types stored as types that must be finite.
private struct Moment: CustomPersistable {
  var date: Date
  init(persistedValue: Date) { date = persistedValue }
  var persistableValue: Date { date }
}

private struct Amount: CustomPersistable {
  var value: Decimal
  init(persistedValue: Decimal) { value = persistedValue }
  var persistableValue: Decimal { value }
}

private final class Receipt: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var date: Date
  @Persisted var paid: Date?
  @Persisted var moments: List<Date>
  @Persisted var moment = Moment(persistedValue: .distantPast)
  @Persisted var sum: Decimal
  @Persisted var tip: Decimal?
  @Persisted var sums: List<Decimal>
  @Persisted var amount = Amount(persistedValue: 0)
}

@Suite struct `Dates and decimals` {
  /// Dates that lose their last bits if converted to seconds since 1970.
  private static let dates: [Date] =
    [0, 0.1, -0.1, 1e-9, 123_456_789.123_456_78, -978_307_199.3, 5e8 + 0.000_000_06, 7.3e9]
    .map { Date(timeIntervalSinceReferenceDate: $0) }
    + [Date(), .distantPast, .distantFuture, Date(timeIntervalSince1970: 0.1)]

  @Test(arguments: dates)
  func `a stored date keeps all of its bits`(_ date: Date) throws {
    let store = try Store()
    let receipt = try store.write {
      let receipt = try store.create(
        Receipt.self, value: ["id": 1, "date": .init(date), "moments": [.init(date)]])
      receipt.paid = date
      receipt.moment = Moment(persistedValue: date)
      return receipt
    }
    for read in [receipt.date, receipt.paid, receipt.moments[0], receipt.moment.date] {
      #expect(
        read?.timeIntervalSinceReferenceDate.bitPattern
          == date.timeIntervalSinceReferenceDate.bitPattern)
    }
    let version = store.version
    try store.update(Receipt.self, key: 1, \.date <- date, \.paid <- date)
    #expect(store.version == version)
  }

  @Test(
    arguments: [
      (["sum": .init(Decimal.nan)], "sum"), (["tip": .init(Decimal.nan)], "tip"),
      (["sums": [.init(Decimal.nan)]], "sums"), (["amount": .init(Decimal.nan)], "amount"),
    ] as [(UpdateDictionary, String)])
  func `a NaN decimal is rejected`(_ update: UpdateDictionary, _ name: String) throws {
    let store = try Store()
    let error = #expect(throws: StoreError.self) {
      var update = update
      update["id"] = 1
      try store.write { try store.create(Receipt.self, value: update) }
    }
    #expect(
      error?.description == "Receipt.\(name): expected a finite Decimal, found NaN or infinity")
    let receipt = Receipt()
    receipt.tip = .nan
    let added = #expect(throws: StoreError.self) { try store.write { try store.add(receipt) } }
    #expect(added?.description == "Receipt.tip: expected a finite Decimal, found NaN or infinity")
    #expect(store.version == 0)
  }

  @Test func `a write that assigns a decimal or a custom date that is not finite throws`() throws {
    let store = try Store()
    let receipt = try store.write { try store.create(Receipt.self, value: ["id": 1]) }
    let sum = #expect(throws: StoreError.self) { try store.write { receipt.sum = .nan } }
    #expect(sum?.description == "Receipt.sum: expected a finite Decimal, found NaN or infinity")
    let moment = #expect(throws: StoreError.self) {
      try store.write {
        receipt.moment = Moment(persistedValue: Date(timeIntervalSince1970: .infinity))
      }
    }
    #expect(moment?.description == "Receipt.moment: expected a finite Date, found NaN or infinity")
    #expect(store.version == 1)
  }
}
