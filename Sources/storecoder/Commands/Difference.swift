import Foundation
import ObjectStore
import StoreCoding

/// `storecoder diff`: shows the effect that an import would have.
struct Difference {
  static let command = Command(
    name: "diff", summary: "Show what an import would change, without changing the store.",
    arguments: [
      ImportOptions.file
    ],
    options: ImportOptions.options + [
      Command.Option(name: "all", help: "list all objects, not only the first 100 of each kind"),
      Command.Option(name: "json", help: "print the counts as JSON"),
    ],
    details:
      "Objects of the class that are not in the file are reported as missing; an import keeps them.",
    example: "storecoder diff users.json --store cache.store --class User"
  ) { try Difference($0).run() }

  private let options: ImportOptions
  private let isJSON: Bool
  private let limit: Int

  private init(_ arguments: Arguments) throws {
    options = try ImportOptions(arguments, "diff")
    isJSON = arguments.has("json")
    limit = arguments.has("all") ? .max : 100
  }

  private struct Findings {
    var lines: [String: [String]] = [:]
    var counts: ImportCounts
    var keys: Set<String> = []

    mutating func add(_ mark: String, _ text: @autoclosure () -> String, limit: Int) {
      if lines[mark]?.count ?? 0 < limit { lines[mark, default: []].append("\(mark) \(text())") }
    }
  }

  private func run() throws {
    let progress = Progress()
    // A copy in memory: the store needs no lock and cannot change.
    var cache = try CacheFile(
      options.store, mustExist: true, inMemory: true, acceptsEdits: options.acceptsEdits)
    let inferred = try options.schema(progress, for: cache)
    let store = try cache.open(adding: inferred, of: options.source)
    // A second copy, which shows the state before the import.
    let before = try cache.open()
    let name = inferred.root.className
    let payload = ImportPayload(store, inferred)
    var findings = Findings(counts: ImportCounts(inferred))
    try store.beginWrite()
    defer { store.cancelWrite() }
    try options.source.forEachBatch { batch in
      let result = try payload.read(batch, options.source)
      findings.counts.add(result)
      for (object, outcome) in zip(result.objects, result.outcomes) {
        note(object, outcome, before, &findings)
      }
      progress.show(batch.progress, "comparing")
      return true
    }
    progress.clear()
    var missing = 0
    for object in try before.objects(dynamic: name) where !findings.keys.contains(key(object)) {
      missing += 1
      findings.add("-", title(object), limit: limit)
    }
    for store in [store, before] { try CacheFile.checkDamage(of: store) }
    report(findings, missing)
  }

  private func note(
    _ object: DynamicObject, _ outcome: ReadResult<DynamicObject>.Outcome, _ before: Store,
    _ findings: inout Findings
  ) {
    findings.keys.insert(key(object))
    switch outcome {
    case .inserted: findings.add("+", title(object), limit: limit)
    case .updated:
      findings.add("~", "\(title(object))  \(changes(object, before))", limit: limit)
    case .unchanged: break
    }
  }

  private func key(_ object: DynamicObject) -> String {
    let schema = object.objectSchema
    return schema.primaryKeyProperty.map { CellText.text(object[$0.name]) } ?? ""
  }

  /// The key and the name of an object.
  private func title(_ object: DynamicObject) -> String {
    let names = ["name", "title", "login", "screen_name"]
    let name = names.first { object.objectSchema[$0]?.type == .string }
    let text = name.map { CellText.text(object[$0]) }
    return key(object) + (text.map { "  \(Terminal.clipped($0, 40))" } ?? "")
  }

  private func changes(_ object: DynamicObject, _ before: Store) -> String {
    let schema = object.objectSchema
    guard let property = schema.primaryKeyProperty,
      let key = object[property.name] as? any PrimaryKeyValue,
      let old = try? self.old(schema.className, key, before)
    else { return "" }
    return schema.properties.compactMap { property in
      let (was, now) = (CellText.text(old[property.name]), CellText.text(object[property.name]))
      return was == now ? nil : "\(property.name) \(was) → \(now)"
    }.joined(separator: "; ")
  }

  private func old(
    _ name: String, _ key: some PrimaryKeyValue, _ before: Store
  ) throws -> DynamicObject? {
    try before.object(dynamic: name, forPrimaryKey: key)
  }

  private func report(_ findings: Findings, _ missing: Int) {
    let counts = findings.counts
    counts.warn()
    if isJSON {
      return Terminal.print(
        """
        {"inserted": \(counts.inserted), "updated": \(counts.updated), \
        "unchanged": \(counts.unchanged), "merged": \(counts.merged), "missing": \(missing)}
        """)
    }
    let totals = ["+": counts.inserted, "~": counts.updated, "-": missing]
    for mark in ["+", "~", "-"] {
      let lines = findings.lines[mark] ?? []
      for line in lines { Terminal.print(line) }
      let more = (totals[mark] ?? 0) - lines.count
      if more > 0 { Terminal.print("\(mark) … and \(more) more") }
    }
    Terminal.print(
      "\(counts.inserted) to insert, \(counts.updated) to update, \(counts.unchanged) equal, "
        + (counts.merged > 0 ? "\(counts.merged) merged, " : "") + "\(missing) not in the file")
  }
}
