extension StoreConfiguration {
  /// The point at which a commit of a store in a file is durable.
  public enum Durability: Sendable, Hashable, CaseIterable {
    /// A commit is on disk when it returns: it survives a power failure.
    case full
    /// Once it has returned, a commit survives the end of the process, however it ends. A power failure may lose the
    /// last commits, but never only a part of a commit. ``Store/flush()`` forces all earlier commits to disk.
    case normal
    /// A commit returns as soon as it is in memory, and is written to the file in the background, in order. If the
    /// process is killed, the last commits may be lost. ``Store/flush()`` waits for all earlier ones.
    case background
  }
}
