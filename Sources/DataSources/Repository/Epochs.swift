/// The sequence number of the last event that affected each id, and of the last that affected all ids.
struct Epochs {
  /// The maximum number of ids with a number of their own.
  private static let limit = 4096

  /// The highest recorded number.
  private(set) var latest = 0
  /// The highest number of an event that affected all ids.
  private var ofAll = 0
  /// The numbers above `ofAll` of events that affected single ids.
  private var ofIds: [String: Int] = [:]

  /// Records an event that affected these keys. Numbers may arrive in any order.
  mutating func mark(_ keys: AffectedKeys, at number: Int) {
    latest = max(latest, number)
    switch keys {
    case .ids(let ids):
      for id in ids { ofIds[id] = max(ofIds[id] ?? 0, number) }
      guard ofIds.count > Self.limit else { return }
      ofAll = latest
      ofIds = [:]
    case .all:
      ofAll = max(ofAll, number)
      ofIds = ofIds.filter { $0.value > ofAll }
    }
  }

  /// Returns the number of the last event that affected any of these keys, or a higher one after more than `limit` ids
  /// were recorded.
  func last(affecting keys: AffectedKeys) -> Int {
    switch keys {
    case .ids(let ids): ids.reduce(ofAll) { max($0, ofIds[$1] ?? 0) }
    case .all: latest
    }
  }

  /// Returns the highest number of an event that affected a lookup. Every event affects a lookup that is not for an id.
  func last(affecting lookup: Lookup) -> Int {
    lookup.id.map { max(ofAll, ofIds[$0] ?? 0) } ?? latest
  }
}
