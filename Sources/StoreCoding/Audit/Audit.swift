import JSONText

/// The differences between payloads and the mapping of a class: keys that no attribute reads, attributes that payloads
/// lack, and values that attributes refuse.
///
///     var audit = try coder.audit([Order].self, from: data)
///     audit.formUnion(try coder.audit([Order].self, from: later))
///     print(audit)
///     print(audit.suggestions)
///
/// Audits of any number of payloads can be merged, also from several processes: an audit is `Codable`. Each result has at
/// most ``entryLimit`` entries, those whose paths sort first; ``omittedCount`` counts the values of all others.
///
/// Paths start at the decoded object and have no indices: `friends.nick`. `*` stands for a key of a map or of a keyed
/// collection.
///
/// - Important: An audit contains parts of payloads: up to 40 characters of the first value that was found at a path, and
///   raw values that no enum case has.
public struct Audit: Sendable, Hashable, Codable {
  /// The maximum number of entries of each result.
  public static let entryLimit = 1_000

  /// The number of payloads.
  public internal(set) var payloadCount = 0
  /// The number of objects at the top of the payloads: the elements of lists, and single objects.
  public internal(set) var objectCount = 0

  var unread = AuditTable<Key>()
  var kept = AuditTable<Key>()
  var attributeTable = AuditTable<Attribute>()
  var mismatchTable = AuditTable<Mismatch>()
  var rawValueTable = AuditTable<RawValues>()

  private enum CodingKeys: String, CodingKey {
    case payloadCount, objectCount
    case unread = "unreadKeys"
    case kept = "keptKeys"
    case attributeTable = "attributes"
    case mismatchTable = "mismatches"
    case rawValueTable = "unknownRawValues"
  }

  /// Creates an audit of no payloads, to merge others into.
  public init() {}

  /// Adds the results of another audit, whose payloads count as later ones: first values and places of this audit are
  /// kept. The order of audits does not affect other results.
  public mutating func formUnion(_ other: Audit) {
    payloadCount += other.payloadCount
    objectCount += other.objectCount
    unread.merge(other.unread)
    kept.merge(other.kept)
    attributeTable.merge(other.attributeTable)
    mismatchTable.merge(other.mismatchTable)
    rawValueTable.merge(other.rawValueTable)
  }

  /// Returns an audit with the results of both; see ``formUnion(_:)``.
  public func union(_ other: Audit) -> Audit {
    var union = self
    union.formUnion(other)
    return union
  }

  /// Sets the lines and columns of the first places, which have offsets in the text, and applies ``entryLimit``.
  mutating func finish(_ text: JSONInput) {
    let offsets =
      unread.byteOffsets + kept.byteOffsets + mismatchTable.byteOffsets + rawValueTable.byteOffsets
    var walk = JSONLineWalk(text)
    var positions: [Int: (line: Int, column: Int)] = [:]
    for offset in Set(offsets).sorted() { positions[offset] = walk.lineAndColumn(at: offset) }
    let position = { positions[$0] ?? (0, 0) }
    unread.locate(position)
    kept.locate(position)
    mismatchTable.locate(position)
    rawValueTable.locate(position)
    unread.prune()
    kept.prune()
    attributeTable.prune()
    mismatchTable.prune()
    rawValueTable.prune()
  }

  // MARK: - Results

  /// The keys that no attribute reads, by path.
  public var unreadKeys: [Key] { unread.entries }

  /// The keys that no attribute reads, but that an attribute with the option `.unread` keeps, by path.
  public var keptKeys: [Key] { kept.entries }

  /// The attributes of all objects that occurred, by path.
  public var attributes: [Attribute] { attributeTable.entries }

  /// The attributes of which no object had a value, not even null.
  public var unseenAttributes: [Attribute] { attributes.filter { $0.valueCount == 0 } }

  /// The attributes whose values were all null.
  public var nullAttributes: [Attribute] {
    attributes.filter { $0.valueCount > 0 && $0.nullCount == $0.valueCount }
  }

  /// The values that attributes refuse, or that a policy skips or replaces, by path.
  public var mismatches: [Mismatch] { mismatchTable.entries }

  /// The raw values that no case of an enum has, by path.
  public var unknownRawValues: [RawValues] { rawValueTable.entries }

  /// The number of values at paths that are not listed, because of ``entryLimit``.
  public var omittedCount: Int {
    unread.omittedCount + kept.omittedCount + attributeTable.omittedCount
      + mismatchTable.omittedCount + rawValueTable.omittedCount
  }

  /// True if attributes read or keep each key and accept each value, without a policy that skips or replaces it.
  ///
  /// Attributes without a value are ignored, because few payloads contain all attributes.
  public var isClean: Bool {
    unread.isEmpty && mismatchTable.isEmpty && rawValueTable.isEmpty
  }
}
