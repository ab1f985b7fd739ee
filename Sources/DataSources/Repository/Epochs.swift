/// When what reached which ids: the last number for each, and for all there are.
struct Epochs {
  /// How many ids may have numbers of their own.
  private static let limit = 4096

  /// The last of all.
  private(set) var latest = 0
  /// The last that reached all ids.
  private var ofAll = 0
  /// Later ones that reached an id.
  private var ofIds: [String: Int] = [:]

  /// Counts what reached so much; the numbers may come in any order.
  mutating func mark(_ reach: Reach, at number: Int) {
    latest = max(latest, number)
    switch reach {
    case .ids(let ids):
      for id in ids { ofIds[id] = max(ofIds[id] ?? 0, number) }
      guard ofIds.count > Self.limit else { return }
      ofAll = latest
      ofIds = [:]
    case .everything:
      ofAll = max(ofAll, number)
      ofIds = ofIds.filter { $0.value > ofAll }
    }
  }

  /// The last that reached one of so many.
  func last(reaching reach: Reach) -> Int {
    switch reach {
    case .ids(let ids): ids.reduce(ofAll) { max($0, ofIds[$1] ?? 0) }
    case .everything: latest
    }
  }

  /// The last that reached a question: there is none that did not reach what is asked for by something else than
  /// an id.
  func last(reaching question: Question) -> Int {
    question.id.map { max(ofAll, ofIds[$0] ?? 0) } ?? latest
  }
}
