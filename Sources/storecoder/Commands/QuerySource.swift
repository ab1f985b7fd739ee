import Foundation
import ObjectStore

/// The store that a query reads, and the class and condition among its arguments.
///
/// The arguments are `CLASS CONDITION` with `--store`, and `FILE CLASS CONDITION` without. A file that is no store is read into
/// a store in memory; its own objects are queried unless CLASS names another class.
struct QuerySource {
  let cache: CacheFile
  let store: Store
  let className: String?
  let condition: String?

  /// - Throws: `UsageError`, `CommandError`, `StoreError`.
  init(_ arguments: Arguments, by command: String) throws {
    var rest = arguments.values[...]
    guard let path = arguments[option: "store"] ?? rest.popFirst() else {
      throw UsageError(text: "\(command) needs FILE or --store", command: command)
    }
    if rest.count > 2 {
      throw UsageError(text: "\(command) takes no '\(rest[rest.startIndex + 2])'", command: command)
    }
    if arguments[option: "store"] == nil, !Self.isStore(path) {
      self = try Self(file: path, arguments, rest, by: command)
      return
    }
    try Self.refuseFileOptions(arguments, by: command)
    cache = try CacheFile(
      path, mustExist: true, readOnly: true,
      acceptsEdits: arguments.has(CacheFile.acceptEdits.name))
    store = try cache.open()
    className = rest.popFirst()
    condition = rest.popFirst()
  }

  /// Reads the objects of a file.
  init(
    file path: String, _ arguments: Arguments, _ rest: ArraySlice<String>, by command: String
  ) throws {
    let options = try ImportOptions(
      arguments, of: path, into: path, isInMemory: true, by: command)
    let progress = Progress()
    defer { progress.clear() }
    var cache = CacheFile(forObjectsOf: path)
    let inferred = try options.schema(progress, for: cache)
    store = try cache.open(adding: inferred, of: options.source)
    let payload = try ImportPayload(store, inferred, options)
    var counts = ImportCounts(inferred)
    let store = store
    try options.source.forEachBatch { batch in
      counts.add(try store.write { try payload.read(batch, options.source) })
      progress.show(batch.progress, "reading")
      return true
    }
    progress.clear()
    counts.warn()
    self.cache = cache
    var rest = rest
    let isClass = rest.count == 2 || cache.schemas.contains { $0.className == rest.first }
    className = isClass ? rest.popFirst() : inferred.root.className
    condition = rest.popFirst()
  }

  /// - Throws: `UsageError` if an option describes a file that is not a store.
  static func refuseFileOptions(_ arguments: Arguments, by command: String) throws {
    for option in ImportOptions.fileOptions where arguments.has(option.name) {
      throw UsageError(
        text: "--\(option.name) is an option for files that are not stores", command: command)
    }
  }

  /// True if a file is a SQLite database.
  static func isStore(_ path: String) -> Bool {
    // Reading from a pipe would take its beginning from the command.
    guard path != "-", !InputFile.isReadOnce(path),
      let handle = try? FileHandle(forReadingFrom: URL(filePath: path))
    else {
      return false
    }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
  }
}
