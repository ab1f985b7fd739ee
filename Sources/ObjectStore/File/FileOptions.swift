/// The options for opening a store's file.
struct FileOptions: Hashable, Sendable {
  /// True if a commit is forced to disk before it returns.
  var forcesCommits = false
  /// True if commits are written in the background, after they have returned.
  var writesInBackground = false
  var isReadOnly = false
  /// The interval at which a store that is only read looks for commits; nil for none.
  var refreshNanoseconds: Int?
  /// True if content that cannot be read may be discarded.
  var isCache = false
  /// True if rows that another tool changed are accepted; otherwise they count as damage.
  var acceptsExternalEdits = false
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
