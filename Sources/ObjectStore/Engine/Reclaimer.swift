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

  private struct Entry {
    /// The versions that may show what is to be given back.
    var versions: Range<UInt64>
    /// Whether no row of the chunk lives: it can be freed as a whole.
    var isWhollyDead: Bool
  }

  private var entries: [Place: Entry] = [:]
  private var waiting: [UInt64: [Place]] = [:]
  private var dueToBeFreed: [Place] = []
  private var dueToBePacked: [Place] = []

  /// Enters a chunk in which rows died.
  mutating func note(
    deadRowsIn place: Place, isWhollyDead: Bool, versions shown: Range<UInt64>,
    _ pins: VersionPins
  ) {
    let entry = Entry(versions: shown, isWhollyDead: isWhollyDead)
    if entries.updateValue(entry, forKey: place) == nil { wait(place, pins) }
  }

  /// Enters a chunk of which content was replaced. One that is in already need not wait anew: the
  /// versions keep content of their own.
  mutating func note(
    replacedContentIn place: Place, versions shown: Range<UInt64>, _ pins: VersionPins
  ) {
    guard entries[place] == nil else { return }
    entries[place] = Entry(versions: shown, isWhollyDead: false)
    wait(place, pins)
  }

  /// Whether the chunk is in.
  func holds(_ place: Place) -> Bool { entries[place] != nil }

  /// Chunks that no version needs any more: all that are wholly dead, and of those to be packed as
  /// many as `limit` allows.
  mutating func takeDue(_ pins: VersionPins, packing limit: Int) -> [Place] {
    for number in pins.takeReleased() {
      for place in waiting.removeValue(forKey: number) ?? [] { wait(place, pins) }
    }
    var taken: [Place] = []
    while let place = dueToBeFreed.popLast() {
      if take(place, pins) { taken.append(place) }
    }
    var packed = 0
    while packed < limit, let place = dueToBePacked.popLast() {
      guard take(place, pins) else { continue }
      taken.append(place)
      packed += 1
    }
    return taken
  }

  /// Whether the chunk may be given back; if not, it was noted again after it had become due.
  private mutating func take(_ place: Place, _ pins: VersionPins) -> Bool {
    guard let entry = entries[place] else { return false }
    if let blocker = pins.watch(newestIn: entry.versions) {
      waiting[blocker, default: []].append(place)
      return false
    }
    entries[place] = nil
    return true
  }

  private mutating func wait(_ place: Place, _ pins: VersionPins) {
    guard let entry = entries[place] else { return }
    if let blocker = pins.watch(newestIn: entry.versions) {
      waiting[blocker, default: []].append(place)
    } else if entry.isWhollyDead {
      dueToBeFreed.append(place)
    } else {
      dueToBePacked.append(place)
    }
  }

  /// Chunks that are in.
  var count: Int { entries.count }
}
