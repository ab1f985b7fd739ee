/// Finds what somebody meant who wrote something else.
package enum Suggestion {
  /// The candidate closest to `name` by edit distance, if it is close enough to be meant.
  package static func nearest(to name: String, among candidates: [String]) -> String? {
    let count = name.count
    let limit = max(2, count / 3)
    // A name may be as long as a payload: what differs more in length alone is not compared.
    let ranked = candidates.filter { abs($0.count - count) <= limit }
      .map { ($0, distance(name.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= limit ? best.0 : nil
  }

  /// Levenshtein's distance, O(|a| · |b|).
  private static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var previous = Array(0...b.count)
    for (i, first) in a.enumerated() {
      var current = [i + 1]
      for (j, second) in b.enumerated() {
        current.append(
          min(previous[j + 1] + 1, current[j] + 1, previous[j] + (first == second ? 0 : 1)))
      }
      previous = current
    }
    return previous[b.count]
  }
}
