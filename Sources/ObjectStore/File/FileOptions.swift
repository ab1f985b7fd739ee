/// How the commits of a store in a file are kept.
public enum Durability: Sendable, Hashable, CaseIterable {
  /// A commit that returned is on the disk: it is there after a power failure, too.
  case full
  /// A commit that returned is there when the process ends, however it ends; after a power failure the
  /// last ones may be missing, never a part of one. ``Store/flush()`` makes sure of all before it.
  case normal
  /// A commit returns when it is in memory and is written behind it, in order. The last ones may be
  /// missing after the process was killed; ``Store/flush()`` waits for all before it.
  case background
}

/// How a store's file is opened.
struct FileOptions: Hashable, Sendable {
  var durability = Durability.normal
  var isReadOnly = false
  /// Whether what cannot be read may be thrown away.
  var isCache = false
}
