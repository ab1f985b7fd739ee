/// Finds the probable spelling of a misspelled name.
package enum Suggestion {
  /// Returns the text that appends a suggestion to a message; empty for nil.
  package static func clause(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Returns the candidate with the smallest edit distance from `name`, if it is close enough: at most one edit per
  /// three letters (but at least one edit), with a letter in common.
  package static func nearest(to name: String, among candidates: [String]) -> String? {
    let count = name.count
    let limit = max(1, count / 3)
    // Skip names whose lengths differ too much, since `name` may be as long as a payload.
    let ranked = candidates.filter { abs($0.count - count) <= limit }
      .map { ($0, distance(name.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= limit && best.1 < max(count, best.0.count) ? best.0 : nil
  }

  /// Returns the optimal string alignment distance: the number of insertions, deletions, substitutions and
  /// transpositions of adjacent letters. O(|a| · |b|).
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      for j in b.indices {
        var best = min(
          previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforePrevious[j - 1] + 1)
        }
        current.append(best)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[b.count]
  }
}
