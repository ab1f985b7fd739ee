import Foundation
import ObjectStore
import StoreCoding

/// `storecoder import`: stores the objects of files, whose classes it infers.
struct Import {
  static let command = Command(
    name: "import", summary: "Import the objects of JSON or CSV files into a store.",
    arguments: [Command.Argument(name: "FILE", isRepeated: true, help: ImportOptions.fileHelp)],
    options: ImportOptions.options + [
      Command.Option(
        name: "dry-run", help: "print the changes as diff does, without changing the store"),
      Command.Option(
        name: "all", help: "with --dry-run: list all objects, not only the first 100 of each kind"),
      Command.Option(name: "json", help: "print the result as JSON"),
    ],
    details: """
      Several files are imported one after the other; --json then prints one result per line. The classes
      are inferred from the file: nested objects with keys become linked objects, others are embedded in
      their owners. An object whose key is already in the store is updated; importing the same file twice
      changes nothing. A large file is stored in several transactions; Ctrl-C stops the import after the
      current one. With --complete, objects that the file lacks are deleted at the end; an empty file, or
      one that lacks more than half of the objects and more than ten, deletes nothing and fails. The
      status is 0 even if --dry-run finds changes; that of diff is then 1.
      """,
    example: "storecoder import twitter.json --envelope statuses --store cache.store"
  ) { arguments in
    if arguments.has("all"), !arguments.has("dry-run") {
      throw UsageError(text: "--all needs --dry-run", command: "import")
    }
    for name in ["complete", "dry-run"] where arguments.has(name) && arguments.values.count > 1 {
      throw UsageError(text: "--\(name) takes one file", command: "import")
    }
    if arguments.has("dry-run") {
      _ = try Difference(arguments, by: "import").run()
      return
    }
    Interruption.shared.watch()
    let paths = arguments.values
    for (index, path) in paths.enumerated() {
      do {
        try Import(arguments, of: path).run()
      } catch let error where paths.count > 1 && !(error is UsageError) {
        let rest = paths[(index + 1)...]
        throw CommandError(
          error,
          then: (index == 0 ? "" : "\(paths[..<index].joined(separator: ", ")): in the store\n")
            + (rest.isEmpty ? "" : "\(rest.joined(separator: ", ")): not imported"))
      }
    }
  }

  private let options: ImportOptions
  private let isJSON: Bool

  private init(_ arguments: Arguments, of path: String) throws {
    options = try ImportOptions(
      arguments, of: path, into: arguments.needed("store", by: "import"), by: "import")
    isJSON = arguments.has("json")
  }

  private func run() throws {
    let progress = Progress()
    var cache = try CacheFile(
      options.store, mustExist: false, acceptsEdits: options.acceptsEdits)
    let inferred: InferredSchema
    do {
      inferred = try options.schema(progress, for: cache)
    } catch is Interruption.Stopped {
      progress.clear()
      throw CommandError.interrupted(options.source.name)
    }
    let store = try cache.open(adding: inferred, of: options.source)
    let payload = try ImportPayload(store, inferred, options)
    var counts = ImportCounts(inferred)
    do {
      try options.source.forEachBatch { batch in
        let result = try store.write {
          try cache.writeOptions(store)
          let result = try payload.read(batch, options.source)
          try CacheFile.checkDamage(of: store)
          return result
        }
        counts.add(result)
        progress.show(batch.progress, "importing")
        try Interruption.shared.check()
        return true
      }
    } catch is Interruption.Stopped {
      progress.clear()
      throw CommandError(
        text:
          "interrupted: \(counts.stored(of: options.source.name)) in the store, which is consistent"
      )
    } catch {
      progress.clear()
      if counts.total > 0 {
        let before =
          counts.total == 1 ? "object before it is" : "\(counts.total) objects before it are"
        throw CommandError(error, then: "the \(before) in the store")
      }
      throw error
    }
    progress.clear()
    let deleted: Int?
    do {
      deleted = try options.finish(payload.list)
    } catch {
      throw CommandError(error, then: "\(counts.stored(of: "the file")) in the store")
    }
    try report(counts, deleted: deleted, inferred, cache, store)
  }

  /// - Parameter deleted: The number of deleted objects; nil without `--complete`.
  private func report(
    _ counts: ImportCounts, deleted: Int?, _ inferred: InferredSchema, _ cache: CacheFile,
    _ store: Store
  ) throws {
    let classes = try cache.schemas.filter { !$0.isEmbedded }
      .map { ($0.className, try store.objects(dynamic: $0.className).count) }
      .sorted { $0.0 < $1.0 }
    do {
      try CacheFile.checkDamage(of: store)
    } catch {
      throw CommandError(
        error, then: "\(counts.stored(of: options.source.name)) in the store")
    }
    counts.warn()
    if isJSON {
      let members = classes.map { "\(JSONOutput.text($0.0)): \($0.1)" }.joined(separator: ", ")
      Terminal.print(
        """
        {"class": \(JSONOutput.text(inferred.root.className)), "inserted": \(counts.inserted), \
        "updated": \(counts.updated), "unchanged": \(counts.unchanged), \
        "merged": \(counts.merged), \
        \(deleted.map { "\"deleted\": \($0), " } ?? "")"objects": {\(members)}}
        """)
      return
    }
    Terminal.print(
      """
      \(options.source.name) → \(options.store), class \(inferred.root.className)
      \(Terminal.count(counts.total, "object")): \(counts.inserted) inserted, \(counts.updated) updated, \
      \(counts.unchanged) unchanged\
      \(counts.merged > 0 ? ", \(counts.merged) merged" : "")\
      \(deleted.map { ", \($0) deleted" } ?? "")
      """)
    var table = TextTable(["class", "objects"])
    table.alignedRight = [1]
    table.rows = classes.map { [$0.0, "\($0.1)"] }
    table.print()
  }
}
