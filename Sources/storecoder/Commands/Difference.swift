import Foundation
import ObjectStore
import StoreCoding

/// `storecoder diff`: shows the effect that an import would have.
struct Difference {
  static let command = Command(
    name: "diff", summary: "Show what an import would change, without changing the store.",
    arguments: [Command.Argument(name: "FILE", help: ImportOptions.fileHelp)],
    options: ImportOptions.options + [
      Command.Option(name: "all", help: "list all objects, not only the first 100 of each kind"),
      Command.Option(name: "json", help: "print the changes as JSON"),
    ],
    details: """
      Objects of the class that are not in the file are counted as missing; an import keeps them, and deletes
      them only with --complete. If the store has no class that is named after the file, the objects are those
      of the class with the same keys. The status is 1 if an import would change something, and 2 if the file or
      the store cannot be compared.
      """,
    example: "storecoder diff users.json --store cache.store --class User"
  ) { arguments in
    let isChanged = try CommandError.withStatus(2) {
      try Difference(arguments, by: "diff").run()
    }
    if isChanged { throw ChangesFound() }
  }

  private let options: ImportOptions
  private let isJSON: Bool
  private let limit: Int

  /// - Parameter command: The name of the command in error messages.
  init(_ arguments: Arguments, by command: String) throws {
    options = try ImportOptions(
      arguments, of: arguments[0] ?? "", into: arguments.needed("store", by: command), by: command)
    isJSON = arguments.has("json")
    limit = arguments.has("all") ? .max : 100
  }

  /// Prints the changes. Returns false if no value changes.
  func run() throws -> Bool {
    let progress = Progress()
    // A copy in memory: the store needs no lock and cannot change.
    var cache = try CacheFile(
      options.store, mustExist: true, inMemory: true, acceptsEdits: options.acceptsEdits)
    let inferred = try options.schema(progress, for: cache)
    let store = try cache.open(adding: inferred, of: options.source)
    let objectCount = try store.objects(dynamic: inferred.root.className).count
    let payload = try ImportPayload(store, inferred, options)
    var counts = ImportCounts(inferred)
    var deleted: Int?
    let plan = try store.plan {
      try options.source.forEachBatch { batch in
        counts.add(try payload.read(batch, options.source))
        progress.show(batch.progress, "comparing")
        return true
      }
      deleted = try options.finish(payload.list)
    }
    progress.clear()
    let missing = deleted ?? (objectCount - counts.updated - counts.unchanged)
    let text =
      isJSON
      ? json(plan.changes, counts, missing, of: inferred.root.className)
      : lines(plan.changes, counts, missing)
    // Values are read when they are formatted.
    try CacheFile.checkDamage(of: store)
    counts.warn()
    if isJSON { Terminal.print(text) } else { Terminal.printChanges(text) }
    return plan.changes.contains { $0.kind != .known }
  }

  private func lines(_ changes: PlannedChanges, _ counts: ImportCounts, _ missing: Int) -> String {
    var lines: [String] = []
    for (kind, mark) in [
      (PlannedChanges.Change.Kind.inserted, "+"), (.updated, "~"), (.known, "="),
      (.deleted, "-"),
    ] {
      let matches = changes.lazy.filter { $0.kind == kind }
      lines += matches.prefix(limit).map(\.description)
      let rest = matches.dropFirst(limit).count
      if rest > 0 { lines.append("\(mark) … and \(rest) more") }
    }
    let merged = counts.merged > 0 ? "\(counts.merged) merged, " : ""
    let rest = options.isComplete ? "to delete" : "not in the file"
    lines.append(
      "\(counts.inserted) to insert, \(counts.updated) to update, \(counts.unchanged) equal, "
        + "\(merged)\(missing) \(rest)")
    return lines.joined(separator: "\n")
  }

  private func json(
    _ changes: PlannedChanges, _ counts: ImportCounts, _ missing: Int, of className: String
  ) -> String {
    let lines = changes.map { "\n  \(JSONOutput.text($0.json))" }
    return """
      {"class": \(JSONOutput.text(className)), "inserted": \(counts.inserted), "updated": \(counts.updated), \
      "unchanged": \(counts.unchanged), "merged": \(counts.merged), "missing": \(missing), \
      "changes": [\(lines.joined(separator: ","))\(lines.isEmpty ? "" : "\n")]}
      """
  }
}
