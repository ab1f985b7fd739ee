/// The signs of an incomplete list that make a call fail instead of deleting objects.
///
///     try coder.read([Order].self, from: data, complete: .all, guard: ListGuard(count: 100))
///     let storage = StoreDataSource(Item.self, store: store, pruning: ListGuard(allowsEmpty: true))
///
/// The calls of a `StoreCoder` also refuse each list with an element that was skipped, or with any issue other than a
/// repeated element.
public struct ListGuard: Sendable, Hashable {
  /// A Boolean value that indicates whether an empty list may remove objects; false by default.
  public var allowsEmpty = false
  /// The number of objects that a list may remove whatever their share; 10 by default.
  public var count = 10
  /// The share of the scope that a list may remove if this is more than ``count`` objects, from 0 to 1; one half by
  /// default.
  public var share = 0.5
  /// Paths in the payload, from its top, to values that indicate more pages: `["paging.next"]`. The list is incomplete
  /// if one of them has a value other than null, false, an empty string, an empty array and an empty object.
  ///
  /// Only a `StoreCoder` reads them. A data source has values and no payload, so it ignores them.
  public var morePaths: [String] = []
  /// The path in the payload, from its top, to the total number of elements that the server states: `"count"`. The list
  /// is incomplete if it has fewer elements with different keys, or if no total is stated. Of several pages, the largest
  /// total counts. Nil to compare no total.
  ///
  /// Only a `StoreCoder` reads it, as with ``morePaths``.
  public var totalPath: String?

  /// Creates a guard.
  public init(
    allowsEmpty: Bool = false, count: Int = 10, share: Double = 0.5, morePaths: [String] = [],
    totalPath: String? = nil
  ) {
    self.allowsEmpty = allowsEmpty
    self.count = count
    self.share = share
    self.morePaths = morePaths
    self.totalPath = totalPath
  }

  /// Returns the reason not to remove objects that a list lacks; nil if they may be removed.
  ///
  /// - Parameters:
  ///   - elementCount: The number of elements of the list.
  ///   - missingCount: The number of objects that the list lacks, at least 1.
  ///   - scopeCount: The number of objects in the scope.
  package func refusal(elementCount: Int, missingCount: Int, scopeCount: Int) -> String? {
    if elementCount == 0 { return allowsEmpty ? nil : "it is empty" }
    // A share that is not a number allows nothing.
    if missingCount <= count || Double(missingCount) <= share * Double(scopeCount) { return nil }
    return "it lacks \(missingCount) of \(scopeCount) objects"
  }
}
