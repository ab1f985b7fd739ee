extension Audit {
  /// The calls of a coder that are audited.
  public struct Sampling: Sendable, Hashable {
    /// The number of calls from one audited call to the next; 0 if none is audited.
    let interval: Int

    /// No calls.
    public static let never = Audit.Sampling(interval: 0)

    /// One call of `interval` calls: `every(100)` selects the 100th call, the 200th, and so on. `every(1)` selects all
    /// calls, and an interval below 1 none.
    public static func every(_ interval: Int) -> Audit.Sampling {
      Audit.Sampling(interval: max(0, interval))
    }
  }
}
