/// Chunks with something to give back: rows that died, texts and elements that were replaced.
///
/// What a version shows stays as it is, and deleted objects read their last values as long as a
/// version has them. So a chunk waits here until no version is shown that might:
///
///     noted ──▶ waiting for the newest version shown between the chunk's first row and its last
///       ▲         change ──▶ (it goes) ──▶ due ──▶ freed or packed, on the way of a later commit
///       └─ asked again if another such version is shown still ◀┘
///
/// A chunk is looked at when a version that it waits for goes, never once per commit.
struct Reclaimer {
  /// A chunk of a table.
  struct Place: Hashable {
    let table: Int
    let chunk: Int
  }

  /// By place: the versions that may show what is to be given back.
  private var versions: [Place: Range<UInt64>] = [:]
  private var waiting: [UInt64: [Place]] = [:]
  private var due: [Place] = []

  /// Enters a chunk.
  ///
  /// - Parameter waitsAnew: Whether a chunk that is in already waits for `shown`, too: rows died
  ///   that these versions show. For replaced content it need not: the versions keep their own.
  mutating func note(
    _ place: Place, versions shown: Range<UInt64>, waitsAnew: Bool, _ pins: VersionPins
  ) {
    let isKnown = versions[place] != nil
    if !isKnown || waitsAnew { versions[place] = shown }
    if !isKnown { wait(place, pins) }
  }

  /// Chunks that no version needs any more, as far as `limit` allows.
  mutating func takeDue(_ pins: VersionPins, limit: Int) -> [Place] {
    for number in pins.takeReleased() {
      for place in waiting.removeValue(forKey: number) ?? [] { wait(place, pins) }
    }
    if due.isEmpty { return [] }
    var taken: [Place] = []
    while taken.count < limit, let place = due.popLast() {
      guard let shown = versions[place] else { continue }
      if let blocker = pins.watch(newestIn: shown) {
        // It was noted again after it had become due.
        waiting[blocker, default: []].append(place)
        continue
      }
      versions[place] = nil
      taken.append(place)
    }
    return taken
  }

  private mutating func wait(_ place: Place, _ pins: VersionPins) {
    guard let shown = versions[place] else { return }
    if let blocker = pins.watch(newestIn: shown) {
      waiting[blocker, default: []].append(place)
    } else {
      due.append(place)
    }
  }

  /// Chunks that are in.
  var count: Int { versions.count }
}
