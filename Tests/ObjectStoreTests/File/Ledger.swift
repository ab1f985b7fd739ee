import Foundation
import ObjectStore

/// An account with its entries. Each commit adds one entry and counts it, so that a partial commit can be detected. The
/// texts of entries with an even number are unknown until they are assigned.
final class Ledger: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var count = 0
  @Persisted var entries: List<Entry>
  @Persisted var names: Map<String, Entry?>

  /// Makes the commit with this number, counted from 1.
  static func commit(_ number: Int, in store: Store) throws {
    try store.write(as: number % 2 == 0 ? .server : .user) {
      let ledger = try store.create(Ledger.self, value: ["id": 1], update: .modified)
      let entry = try store.create(
        Entry.self, value: ["id": "entry \(number)", "number": .init(number)])
      ledger.entries.append(entry)
      ledger.names["n\(number % 7)"] = entry
      ledger.count = number
    }
  }

  /// The number of the last commit in a store. Throws an error with a reason if the content is not that of a commit.
  static func lastCommit(in store: Store) throws -> Int {
    struct HalfCommit: Error {
      let reason: String
    }
    guard let ledger = store.object(ofType: Ledger.self, forPrimaryKey: 1) else {
      let count = store.objects(Entry.self).count
      if count > 0 { throw HalfCommit(reason: "\(count) entries without a ledger") }
      return 0
    }
    let numbers = ledger.entries.map(\.number)
    guard numbers == Array(1...max(1, ledger.count)) else {
      throw HalfCommit(reason: "\(ledger.count) commits and the entries \(numbers)")
    }
    guard store.objects(Entry.self).map(\.id) == numbers.map({ "entry \($0)" }) else {
      throw HalfCommit(reason: "\(store.objects(Entry.self).count) objects")
    }
    for (name, entry) in ledger.names where entry.map({ "n\($0.number % 7)" }) != name {
      throw HalfCommit(reason: "\(name) is \(entry?.number ?? 0)")
    }
    for entry in ledger.entries
    where entry.isKnown(\.text) == (entry.number % 2 == 0 && entry.text == Entry().text) {
      throw HalfCommit(reason: "entry \(entry.number) lacks \(entry.unknownAttributes)")
    }
    return ledger.count
  }
}

final class Entry: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted(indexed: true) var number: Int
  @Persisted var text = "an entry of more than fifteen bytes"
}
