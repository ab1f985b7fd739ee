import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// A store that is only read and refreshed while another one writes its file at random.
///
/// `STORE_RANDOM_STEPS` sets the number of steps per seed. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `A refreshed reader under random commits` {
  private static let steps = SeededRandom.steps(80)

  /// A handle that has not advanced, and what it shows.
  private struct Older {
    let store: ObjectStore.Store
    let content: [String: [String]]
  }

  @Test(arguments: SeededRandom.seeds(1...2), [1, 1_000_000])
  func `a reader shows each newest commit, and older versions stay as they are`(
    seed: UInt64, columnFileRows: Int
  ) throws {
    var random = SeededRandom(seed: seed)
    let mapped = try MappedStore()
    try mapped.withStore { store in
      for _ in 0..<2 { try Mapped.change(store, &random, count: 300) }
      store.handle.core.file?.updateColumnFiles()
    }
    let reader = try openReader(mapped.url, columnFileRows: columnFileRows)
    let engine = reader.handle.engine
    let watch = ResultsWatch(reader.objects(Mapped.Item.self).sorted(by: \.rank))
    let backlinks = reader.objects(Mapped.Item.self).where { $0.shelf != nil }
    _ = backlinks.count
    reader.refresh()
    var writer: ObjectStore.Store? = try mapped.open()
    var older: [Older] = []
    for step in 0..<Self.steps {
      let context = Comment(rawValue: "seed \(seed), step \(step)")
      if random.once(in: 8) {
        writer = nil
        writer = try mapped.open()
      }
      let store = try #require(writer)
      for _ in 0..<random.below(4) {
        try Mapped.change(store, &random, count: random.once(in: 6) ? 60 : random.below(6))
      }
      if random.once(in: 6) { store.handle.core.file?.updateColumnFiles() }
      if random.once(in: 12) {
        try store.handle.core.file?.compact(store.handle.engine, .init(nil))
      }
      if random.once(in: 3) { continue }
      if random.once(in: 4) {
        let other = ObjectStore.Store(core: reader.handle.core)
        older.append(Older(store: other, content: Mapped.content(of: other)))
        if older.count > 2 { older.removeFirst() }
      }
      if random.once(in: 5) {
        // Slots that a rolled-back write has assigned belong to the rows of the file.
        #expect(throws: StoreError.self) {
          try reader.write { try reader.create(Mapped.Note.self, value: ["id": 50_000]) }
        }
      }
      reader.refresh()
      #expect(reader.damage == [], context)
      let expected = Mapped.content(of: store)
      #expect(Mapped.content(of: reader) == expected, context)
      #expect(watch.difference() == nil, context)
      for view in older { #expect(Mapped.content(of: view.store) == view.content, context) }
      let broken = engine.newest.brokenInvariants(engine)
      #expect(broken == [], context)
      if broken != [] { return }
      let version = reader.version
      reader.refresh()
      #expect(reader.version == version, context)
    }
  }
}

/// Results, and the objects that their observer has received.
private final class ResultsWatch {
  private let results: Results<Mapped.Item>
  private var token: ObservationToken?
  private var texts: [String] = []

  init(_ results: Results<Mapped.Item>) {
    self.results = results
    token = results.observe { [unowned self] change in
      switch change {
      case .initial(let items): texts = items.map(Self.text(of:))
      case .update(let items, let deletions, let insertions, _):
        for index in deletions.reversed() { texts.remove(at: index) }
        for index in insertions { texts.insert(Self.text(of: items[index]), at: index) }
        for index in change.newModifications { texts[index] = Self.text(of: items[index]) }
      case .error: break
      }
    }
  }

  /// The values of an item that change with the item only.
  private static func text(of item: Mapped.Item) -> String {
    "\(item.id) \(item.name ?? "") \(item.rank) \(item.price) \(item.total ?? 0) \(item.extra.jsonText) "
      + "\(Array(item.tags)) \(Array(item.numbers)) \(item.scores.keys) \(item.part?.note ?? "") "
      + "\(item.parts.map(\.size))"
  }

  /// Returns the first object that differs from what the observer has received.
  func difference() -> String? {
    let now = results.map(Self.text(of:))
    if now.count != texts.count { return "\(texts.count) objects, not \(now.count)" }
    return zip(texts, now).first { $0 != $1 }.map { "\($0), not \($1)" }
  }
}
