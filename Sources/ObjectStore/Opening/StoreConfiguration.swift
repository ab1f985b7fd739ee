public import Foundation

/// Where a store keeps its objects.
///
/// Handles of equal configurations of one process share the store.
public struct StoreConfiguration: Sendable, Hashable {
  enum Location: Hashable, Sendable {
    case anonymous(UUID)
    case memory(String)
    /// By the path of the file, without links.
    case file(String)
  }

  let location: Location
  /// The file that a store in memory begins with.
  private(set) var original: String?
  /// Of a store in a file.
  var file = FileOptions()
  /// The classes that the file must fit when it is opened.
  private(set) var classes: [ClassID] = []
  private(set) var migration = MigrationBlock()

  /// What is run when an older file is opened; it takes no part in equality.
  struct MigrationBlock: Sendable, Hashable {
    private(set) var run: (@Sendable (Migration) throws -> Void)?

    static func == (a: Self, b: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  private init(_ location: Location) {
    self.location = location
  }

  /// In memory, shared by name within the process; gone with its last handle.
  public static func inMemory(identifier: String) -> StoreConfiguration {
    StoreConfiguration(.memory(identifier))
  }

  /// In memory, shared with nobody but handles of this very value.
  public static func inMemory() -> StoreConfiguration {
    StoreConfiguration(.anonymous(UUID()))
  }

  /// In memory, with what a file holds: a copy of its own, for previews, tests and drafts. The file is left as
  /// it is, also by one that shares it, and may be open.
  ///
  ///     let store = try Store(configuration: .inMemory(copyOf: url))
  ///
  /// A class of the file that cannot be read as it is declared now is empty, and ``Store/damage`` tells.
  /// - Parameters:
  ///   - url: The file.
  ///   - externalEdits: What becomes of rows that another tool changed.
  /// - Complexity: O(bytes of the file) at the opening, which stay in memory; then a class costs what its rows
  ///   do when it is first looked at.
  public static func inMemory(
    copyOf url: URL, externalEdits: ExternalEdits = .refuse
  ) -> StoreConfiguration {
    var configuration = StoreConfiguration.inMemory()
    configuration.file.externalEdits = externalEdits
    configuration.original = Self.path(url)
    return configuration
  }

  /// In a file, which is there tomorrow: an ordinary SQLite database (see <doc:FileFormat>).
  ///
  /// One process at a time may open it, but for reading; in it all handles share one store.
  /// - Parameters:
  ///   - url: The file. It is made where there is none, in a folder that is there. Beside it stand
  ///     files with `.lock`, `-wal` and `-shm` at the end of the name.
  ///   - durability: What a commit that returned promises.
  ///   - readOnly: Whether nothing can be written. The file may be open elsewhere then; what is read
  ///     is what stood there at the opening.
  ///   - classes: Classes that the file must fit when it is opened; others are looked at when they are
  ///     first used.
  ///   - schemaVersion: The number of the classes, which grows with them. A file with a higher one is not
  ///     opened; see <doc:Migrations>.
  ///   - isCache: Whether what cannot be read may be thrown away: a damaged file is set aside and the
  ///     store begins empty, and so does a class that is declared otherwise by now. ``Store/damage``
  ///     tells.
  ///   - externalEdits: What becomes of rows that another tool changed.
  ///   - migration: Run when a file with a lower number is opened: brings its objects to what the classes
  ///     are by now. What it throws, opening the store throws, and the file stays as it was. It takes no
  ///     part in equality.
  public static func file(
    _ url: URL, durability: Durability = .normal, readOnly: Bool = false,
    classes: [ObjectBase.Type] = [], schemaVersion: UInt64 = 0, isCache: Bool = false,
    externalEdits: ExternalEdits = .refuse,
    migration: (@Sendable (Migration) throws -> Void)? = nil
  ) -> StoreConfiguration {
    var configuration = StoreConfiguration(.file(Self.path(url)))
    configuration.file = FileOptions(
      durability: durability, isReadOnly: readOnly, isCache: isCache, externalEdits: externalEdits,
      schemaVersion: schemaVersion)
    configuration.migration = MigrationBlock(run: migration)
    configuration.classes = classes.map { ClassID(name: "\($0)", type: $0) }
    return configuration
  }

  /// The same file for a tool that has no classes of its own. It is opened whatever schema version it has, which it
  /// keeps. A damaged file is an error and stays in its place.
  ///
  /// - Parameter migration: Run whenever the file is opened, as for one with a lower number; nil for none.
  package func forTool(
    migration: (@Sendable (Migration) throws -> Void)? = nil
  ) -> StoreConfiguration {
    var configuration = self
    configuration.file.keepsSchemaVersion = true
    configuration.file.leavesDamagedFile = true
    configuration.migration = MigrationBlock(run: migration)
    return configuration
  }

  /// The absolute path of the file, whichever way it was named: links are followed, the file need not be there. Of a
  /// URL that is no file URL its text, which opening the store refuses.
  private static func path(_ url: URL) -> String {
    guard url.isFileURL else { return url.absoluteString }
    var url = url.standardizedFileURL
    // As many as systems follow.
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
