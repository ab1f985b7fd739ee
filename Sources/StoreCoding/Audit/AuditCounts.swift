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
