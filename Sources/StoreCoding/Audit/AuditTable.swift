import ObjectStore

/// An entry of an audit's table.
protocol AuditEntry: Hashable, Codable, Sendable {
  /// Identifies the entry in its table. Begins with the path, followed by what may differ at one path.
  var id: String { get }
  /// The number of values that the entry counts.
  var count: Int { get }
  /// Adds the counts of a later entry with the same id.
  mutating func add(_ other: Self)
}

/// The entries of an audit, of which those with the lowest ids, by their bytes, are kept.
///
/// An entry that is not among the lowest of one payload is not among the lowest of several. Merging tables therefore keeps
/// the same entries, with the same counts, as one table of all payloads.
struct AuditTable<Entry: AuditEntry>: Sendable {
  private var list: [Entry] = []
  /// The indexes of the entries in `list` by id.
  private var indexes: [ExactString: Int] = [:]
  /// The highest id that can still be kept; nil before entries were removed.
  private var bound: String?
  /// The number of values that no entry counts.
  private(set) var omittedCount = 0

  var isEmpty: Bool { list.isEmpty && omittedCount == 0 }

  /// The entries in the order of their ids.
  var entries: [Entry] { list.sorted(byBytesOf: \.id) }

  /// Changes an entry, which is created first if there is none. The change adds one value to its count.
  mutating func update(_ id: String, _ create: () -> Entry, _ change: (inout Entry) -> Void) {
    if let bound, bound.precedesByBytes(id) {
      omittedCount += 1
      return
    }
    let index = index(of: id, create)
    change(&list[index])
    // Twice the limit, so that sorting is rare.
    if list.count >= 2 * Audit.entryLimit { prune() }
  }

  /// Adds the counts of entries.
  mutating func add(_ entries: [Entry]) {
    for entry in entries {
      let count = list.count
      let index = index(of: entry.id) { entry }
      if index < count { list[index].add(entry) }
    }
    prune()
  }

  mutating func merge(_ other: AuditTable) {
    omittedCount += other.omittedCount
    add(other.list)
  }

  /// Returns the index of an entry, which is created if there is none.
  private mutating func index(of id: String, _ create: () -> Entry) -> Int {
    let id = ExactString(id)
    if let index = indexes[id] { return index }
    indexes[id] = list.count
    list.append(create())
    return list.count - 1
  }

  /// Removes all entries above the limit.
  mutating func prune() {
    guard list.count > Audit.entryLimit else { return }
    let sorted = entries
    omittedCount += sorted[Audit.entryLimit...].reduce(0) { $0 + $1.count }
    list = Array(sorted[..<Audit.entryLimit])
    indexes = [:]
    for (index, entry) in list.enumerated() { indexes[ExactString(entry.id)] = index }
    bound = list[Audit.entryLimit - 1].id
  }
}

/// An entry with the place of its first value.
protocol PlacedEntry: AuditEntry {
  var first: Audit.Place { get set }
}

extension AuditTable where Entry: PlacedEntry {
  /// The offsets of the first values.
  var byteOffsets: [Int] { list.map(\.first.byteOffset) }

  /// Sets the lines and columns of the first values.
  mutating func locate(_ position: (Int) -> (line: Int, column: Int)) {
    for index in list.indices { list[index].first.locate(position) }
  }
}

extension AuditTable: Hashable {
  static func == (one: AuditTable, other: AuditTable) -> Bool {
    one.omittedCount == other.omittedCount && one.entries == other.entries
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(omittedCount)
    hasher.combine(entries)
  }
}

extension AuditTable: Codable {
  private enum CodingKeys: String, CodingKey { case entries, omittedCount }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    omittedCount = try container.decode(Int.self, forKey: .omittedCount)
    add(try container.decode([Entry].self, forKey: .entries))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entries, forKey: .entries)
    try container.encode(omittedCount, forKey: .omittedCount)
  }
}
