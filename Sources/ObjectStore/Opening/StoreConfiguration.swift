public import Foundation
import Synchronization

/// The location of a store's objects, and the options for opening the store.
///
/// Handles of equal configurations share the store within a process.
public struct StoreConfiguration: Sendable, Hashable {
  enum Location: Hashable, Sendable {
    /// A number that only copies of the configuration have.
    case anonymous(UInt64)
    case memory(String)
    /// The path of the file, with symbolic links resolved.
    case file(String)
  }

  let location: Location
  /// The path of the file that an in-memory store copies when it is opened; nil for none.
  private(set) var original: String?
  /// The options of a store in a file.
  var file = FileOptions()
  /// The classes that the file must fit when it is opened.
  private(set) var classes: [ClassID] = []
  private(set) var migration = MigrationBlock()

  /// The code that runs when an older file is opened. It does not affect equality.
  struct MigrationBlock: Sendable, Hashable {
    private(set) var run: (@Sendable (Migration) throws -> Void)?

    static func == (a: Self, b: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  private init(_ location: Location) {
    self.location = location
  }

  /// Returns the configuration of an in-memory store that all handles with this identifier share within the process.
  /// The store exists until its last handle is released.
  public static func inMemory(identifier: String) -> StoreConfiguration {
    StoreConfiguration(.memory(identifier))
  }

  /// Returns the configuration of a new in-memory store. Only handles that are opened with this value or copies of it
  /// share the store.
  public static func inMemory() -> StoreConfiguration {
    StoreConfiguration(
      .anonymous(anonymousCount.wrappingAdd(1, ordering: .relaxed).newValue))
  }

  /// The number of configurations of new in-memory stores in this process.
  private static let anonymousCount = Atomic<UInt64>(0)

  /// Returns the configuration of an in-memory store that begins with a private copy of a file, for previews, tests and
  /// drafts. The file may be open, and the store never changes it.
  ///
  ///     let store = try Store(configuration: .inMemory(copyOf: url))
  ///
  /// A class of the file that is damaged or does not fit its current declaration is empty, ``Store/damage`` reports it,
  /// and each `write` throws it from then on.
  /// - Parameters:
  ///   - url: The file.
  ///   - externalEdits: The treatment of rows that another tool changed.
  /// - Complexity: O(n) in the bytes of the file when the store is opened; all of them are kept in memory. O(n) in the
  ///   rows of a class when it is first used.
  public static func inMemory(
    copyOf url: URL, externalEdits: ExternalEdits = .refuse
  ) -> StoreConfiguration {
    var configuration = StoreConfiguration.inMemory()
    configuration.file.acceptsExternalEdits = externalEdits == .accept
    configuration.original = Self.path(url)
    return configuration
  }

  /// Returns the configuration of a store in a file, an ordinary SQLite database (see <doc:FileFormat>).
  ///
  /// Only one process at a time may open it for writing. Within a process, all handles share one store.
  /// - Parameters:
  ///   - url: The file. It is created if it does not exist, in an existing folder. Files whose names end with `.lock`,
  ///     `-wal` and `-shm`, and for many objects a folder whose name ends with `.columns`, are created next to it.
  ///   - durability: The point at which a commit is durable.
  ///   - readOnly: A Boolean value that indicates whether the store is read-only. The file may then be open elsewhere,
  ///     and the store shows the content that the file had when it was opened, or last refreshed; see
  ///     <doc:Files#Access-from-several-processes>.
  ///   - refreshInterval: The interval at which a read-only store looks for commits of the process that writes the file, at
  ///     least a millisecond. Its handles that follow an actor then advance. If nil, only ``Store/refresh()`` looks for commits.
  ///   - classes: Classes that the file must fit when it is opened. Other classes are checked when they are first used.
  ///   - schemaVersion: The version of the classes. Increase it when they change. Opening a file with a higher version
  ///     throws; see <doc:Migrations>.
  ///   - isCache: A Boolean value that indicates whether content that cannot be read may be discarded. A damaged file
  ///     is renamed and the store begins empty; a class whose declaration no longer fits the file begins empty, too.
  ///     ``Store/damage`` reports both.
  ///   - externalEdits: The treatment of rows that another tool changed.
  ///   - migration: Code that runs when a file with a lower version is opened, and adapts its objects to the current
  ///     classes. If it throws, opening the store throws the same error and the file stays unchanged. It does not
  ///     affect the equality of configurations.
  public static func file(
    _ url: URL, durability: Durability = .normal, readOnly: Bool = false,
    refreshInterval: Duration? = nil, classes: [ObjectBase.Type] = [], schemaVersion: UInt64 = 0,
    isCache: Bool = false,
    externalEdits: ExternalEdits = .refuse,
    migration: (@Sendable (Migration) throws -> Void)? = nil
  ) -> StoreConfiguration {
    var configuration = StoreConfiguration(.file(Self.path(url)))
    configuration.file = FileOptions(
      forcesCommits: durability == .full, writesInBackground: durability == .background,
      isReadOnly: readOnly, isCache: isCache, acceptsExternalEdits: externalEdits == .accept,
      schemaVersion: schemaVersion)
    configuration.file.refreshNanoseconds = refreshInterval.map {
      Int(min(max($0, .milliseconds(1)), .seconds(1 << 30)) / .nanoseconds(1))
    }
    configuration.migration = MigrationBlock(run: migration)
    configuration.classes = classes.map { ClassID(name: "\($0)", type: $0) }
    return configuration
  }

  /// Returns the configuration of the same file for a tool that has no classes of its own. The file is opened
  /// regardless of its schema version, which it keeps. Opening a damaged file throws and leaves the file in place.
  ///
  /// - Parameter migration: Code that runs whenever the file is opened, as for a file with a lower version; nil for
  ///   none.
  package func forTool(
    migration: (@Sendable (Migration) throws -> Void)? = nil
  ) -> StoreConfiguration {
    var configuration = self
    configuration.file.keepsSchemaVersion = true
    configuration.file.leavesDamagedFile = true
    configuration.migration = MigrationBlock(run: migration)
    return configuration
  }

  /// Returns the absolute path of a file, the same for all paths that lead to it: symbolic links are resolved even if
  /// the file does not exist. For other URLs, returns their string, which is rejected when the store is opened.
  private static func path(_ url: URL) -> String {
    guard url.isFileURL else { return url.absoluteString }
    var url = url.standardizedFileURL
    // The limit of Linux on symbolic links in a path.
    for _ in 0..<40 {
      let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
      url = folder.appending(path: url.lastPathComponent)
      let path = url.path(percentEncoded: false)
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return path
      }
      url =
        URL(filePath: target, relativeTo: URL(filePath: folder.path, directoryHint: .isDirectory))
        .standardizedFileURL
    }
    return url.path(percentEncoded: false)
  }

  /// The path of the file; nil in memory.
  var path: String? {
    if case .file(let path) = location { path } else { nil }
  }
}
