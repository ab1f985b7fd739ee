/// The point at which a commit of a store in a file is durable.
public enum Durability: Sendable, Hashable, CaseIterable {
  /// A commit is on disk when it returns: it survives a power failure.
  case full
  /// Once it has returned, a commit survives the end of the process, however it ends. A power failure may lose the last
  /// commits, but never only a part of a commit. ``Store/flush()`` forces all earlier commits to disk.
  case normal
  /// A commit returns as soon as it is in memory, and is written to the file in the background, in order. If the
  /// process is killed, the last commits may be lost. ``Store/flush()`` waits for all earlier ones.
  case background
}

/// The treatment of rows that another tool changed in a store's file.
public enum ExternalEdits: Sendable, Hashable, CaseIterable {
  /// Changed rows count as damage, because the two cannot be distinguished.
  case refuse
  /// Changed rows are accepted if the store could have written them; otherwise they count as damage. The whole file is
  /// read when it is opened, which takes about a microsecond per row.
  case accept
}

/// The options for opening a store's file.
struct FileOptions: Hashable, Sendable {
  var durability = Durability.normal
  var isReadOnly = false
  /// True if content that cannot be read may be discarded.
  var isCache = false
  var externalEdits = ExternalEdits.refuse
  /// The schema version of the classes. A new file gets it; an older file is migrated to it.
  var schemaVersion: UInt64 = 0
  /// True if the file is opened regardless of its schema version and keeps it, for a tool that has no classes of its
  /// own.
  var keepsSchemaVersion = false
  /// True if a damaged file is left in place, for a tool that only reports the damage. Otherwise it is renamed.
  var leavesDamagedFile = false
  /// The number of bytes of the log from which a reader copies the state that it shows, so that the log can be truncated.
  var readerLogLimit = 64 << 20
  /// The number of rows from which a class has a column file. Fewer are read in a few milliseconds.
  var columnFileRows = 8192
}
