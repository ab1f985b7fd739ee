/// An entry of an audit's table.
protocol AuditEntry: Hashable, Codable, Sendable {
  /// Identifies the entry in its table. Begins with the path, followed by what may differ at one path.
  var id: String { get }
  /// The number of values that the entry counts.
  var count: Int { get }
  /// Adds the counts of a later entry with the same id.
  mutating func add(_ other: Self)
}

/// The entries of an audit, of which those with the lowest ids are kept.
///
/// An entry that is not among the lowest of one payload is not among the lowest of several. Merging tables therefore keeps
/// the same entries, with the same counts, as one table of all payloads.
struct AuditTable<Entry: AuditEntry>: Sendable {
  private var byID: [String: Entry] = [:]
  /// The highest id that can still be kept; nil before entries were removed.
  private var bound: String?
  /// The number of values that no entry counts.
  private(set) var omittedCount = 0

  var isEmpty: Bool { byID.isEmpty && omittedCount == 0 }

  /// The entries in the order of their ids.
  var entries: [Entry] { byID.sorted { $0.key < $1.key }.map(\.value) }

  /// Changes an entry, which is created first if there is none. The change adds one value to its count.
  mutating func update(_ id: String, _ create: () -> Entry, _ change: (inout Entry) -> Void) {
    if let bound, id > bound {
      omittedCount += 1
      return
    }
    change(&byID[id, default: create()])
    // Twice the limit, so that sorting is rare.
    if byID.count >= 2 * Audit.entryLimit { prune() }
  }

  mutating func merge(_ other: AuditTable) {
    omittedCount += other.omittedCount
    for (id, entry) in other.byID {
      if byID[id]?.add(entry) == nil { byID[id] = entry }
    }
    prune()
  }

  /// Removes all entries above the limit.
  mutating func prune() {
    guard byID.count > Audit.entryLimit else { return }
    let ids = byID.keys.sorted()
    for id in ids[Audit.entryLimit...] {
      omittedCount += byID.removeValue(forKey: id)?.count ?? 0
    }
    bound = ids[Audit.entryLimit - 1]
  }
}

/// An entry with the place of its first value.
protocol PlacedEntry: AuditEntry {
  var first: Audit.Place { get set }
}

extension AuditTable where Entry: PlacedEntry {
  /// The offsets of the first values.
  var byteOffsets: [Int] { byID.values.map(\.first.byteOffset) }

  /// Sets the lines and columns of the first values.
  mutating func locate(_ position: (Int) -> (line: Int, column: Int)) {
    for id in byID.keys { byID[id]?.first.locate(position) }
  }
}

extension AuditTable: Hashable {
  static func == (one: AuditTable, other: AuditTable) -> Bool {
    one.omittedCount == other.omittedCount && one.byID == other.byID
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(omittedCount)
    hasher.combine(byID)
  }
}

extension AuditTable: Codable {
  private enum CodingKeys: String, CodingKey { case entries, omittedCount }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    omittedCount = try container.decode(Int.self, forKey: .omittedCount)
    for entry in try container.decode([Entry].self, forKey: .entries) {
      if byID[entry.id]?.add(entry) == nil { byID[entry.id] = entry }
    }
    prune()
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entries, forKey: .entries)
    try container.encode(omittedCount, forKey: .omittedCount)
  }
}

/// The number of occurrences of strings, of which those that sort first are kept.
struct AuditCounts: Hashable, Codable, Sendable {
  /// The maximum number of strings.
  static let limit = 20

  private(set) var counts: [String: Int] = [:]
  /// The number of occurrences of all other strings.
  private(set) var otherCount = 0

  mutating func note(_ string: String) {
    counts[string, default: 0] += 1
    prune()
  }

  mutating func add(_ other: AuditCounts) {
    counts.merge(other.counts, uniquingKeysWith: +)
    otherCount += other.otherCount
    prune()
  }

  private mutating func prune() {
    guard counts.count > Self.limit else { return }
    for string in counts.keys.sorted()[Self.limit...] {
      otherCount += counts.removeValue(forKey: string) ?? 0
    }
  }
}
