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

/// What becomes of rows that another tool changed in a store's file.
public enum ExternalEdits: Sendable, Hashable, CaseIterable {
  /// They are damage: they cannot be told from it.
  case refuse
  /// They count, if they are such as the store could have written; otherwise they are damage. The file is read
  /// as a whole when it is opened, about a microsecond for each row.
  case accept
}

/// How a store's file is opened.
struct FileOptions: Hashable, Sendable {
  var durability = Durability.normal
  var isReadOnly = false
  /// Whether what cannot be read may be thrown away.
  var isCache = false
  var externalEdits = ExternalEdits.refuse
  /// The number of the classes: a new file gets it, an older file is migrated to it.
  var schemaVersion: UInt64 = 0
  /// Whether a file keeps its number whatever it is: for a tool that has no classes of its own.
  var keepsSchemaVersion = false
  /// True if a damaged file is left in its place, for a tool that only reports it. Otherwise it is renamed.
  var leavesDamagedFile = false
}
