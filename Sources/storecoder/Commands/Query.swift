import Foundation
import ObjectStore

/// `storecoder query`: shows the objects that match a condition, as rows, groups or a histogram.
struct Query {
  static let command = Command(
    name: "query", summary: "Show the objects of a store or a file that meet a condition.",
    arguments: [
      Command.Argument(
        name: "FILE", isOptional: true,
        help: "without --store: a store, or \(ImportOptions.fileHelp)"),
      Command.Argument(
        name: "CLASS", isOptional: true,
        help: "the class of the objects; without it, the classes of a store are listed"),
      Command.Argument(
        name: "CONDITION", isOptional: true,
        help: "a condition in NSPredicate format: 'rank > 3 AND name BEGINSWITH \"B\"'"),
    ],
    options: [Command.Option(name: "store", value: "STORE", help: "the file of the store")]
      + Selection.options + Grouping.options + [
        Command.Option(
          name: "histogram", value: "NAME",
          help: "a bar for each range of the attribute's values, or for the most frequent ones"),
        Command.Option(name: "count", help: "print only the number of objects"),
        OutputFormat.option,
        Command.Option(name: "json", help: "the same as --format json"),
      ] + ImportOptions.fileOptions + [CacheFile.acceptEdits],
    details: """
      Without CLASS, --edited lists the edits of all classes. The objects of a file that is not a store are read into memory,
      as import does; CLASS is then one of the inferred classes.
      """,
    example: "storecoder query --store cache.store User 'rank > 3' --sort -rank,name --limit 20"
  ) { try Query($0).run() }

  private let arguments: Arguments
  private let format: OutputFormat
  private let source: QuerySource
  private var cache: CacheFile { source.cache }
  private var store: Store { source.store }

  private init(_ arguments: Arguments) throws {
    self.arguments = arguments
    format = try arguments.format(["json": .json], else: .table, by: "query")
    source = try QuerySource(arguments, by: "query")
  }

  /// Refuses options that another one would make meaningless.
  private func checkOptions() throws {
    let groups = Grouping.options.map(\.name).filter { arguments.has($0) }
    let views = groups.prefix(1) + ["histogram", "count"].filter { arguments.has($0) }
    if views.count > 1 || !views.isEmpty && arguments.has("columns") {
      let others = views.count > 1 ? views[1] : "columns"
      throw UsageError(text: "--\(views[0]) and --\(others) exclude each other", command: "query")
    }
    let ofObjects =
      views.filter { $0 != "count" }
      + Selection.options.map(\.name).filter { $0 != "edited" && arguments.has($0) }
    if source.className == nil, let option = ofObjects.first {
      throw UsageError(text: "--\(option) needs CLASS", command: "query")
    }
  }

  private func run() throws {
    try checkOptions()
    guard let className = source.className else {
      guard format == .table || format == .json else {
        throw UsageError(
          text: "without CLASS, --format is table or json, not '\(format.rawValue)'",
          command: "query")
      }
      if arguments.has("edited") { return try showEdits() }
      return try format == .json ? writeClasses() : showClasses()
    }
    let schema = try cache.schema(className)
    let grouping = try Grouping(arguments, of: schema, in: cache.schemas)
    let selection = try Selection(
      arguments, of: schema, where: source.condition, isGrouped: grouping != nil, cache, store,
      by: "query")
    let results = selection.results
    if arguments.has("count") {
      let count = results.count
      try CacheFile.checkDamage(of: store)
      return Terminal.print("\(count)")
    }
    let output = JSONOutput(store, cache)
    if let grouping { return try grouping.write(results, store, output, format) }
    if let name = arguments[option: "histogram"] {
      return try showHistogram(
        of: QueryColumn(name, of: schema, in: cache.schemas), results, output)
    }
    if format == .table { return try showTable(selection) }
    try selection.write(format, store, output)
  }

  // MARK: - Classes and edits

  private var classes: [ObjectSchema] { cache.schemas.sorted { $0.className < $1.className } }

  /// The number of objects of a class; nil for embedded objects.
  private func count(_ schema: ObjectSchema) throws -> Int? {
    schema.isEmbedded ? nil : try store.objects(dynamic: schema.className).count
  }

  private func writeClasses() throws {
    let objects = try classes.map { schema in
      let count = try count(schema).map { "\($0)" } ?? "null"
      func list(_ names: [String]) -> String {
        JSONOutput.text(.array(names.map { .string($0) }))
      }
      return "{\"class\":\(JSONOutput.text(schema.className)),\"objects\":\(count),"
        + "\"key\":\(list(schema.keyNames)),\"attributes\":\(list(schema.properties.map(\.name)))}"
    }
    try CacheFile.checkDamage(of: store)
    let text = objects.isEmpty ? "[]\n" : "[\n\(objects.joined(separator: ",\n"))\n]\n"
    Terminal.write(text, to: .standardOutput)
  }

  private func showClasses() throws {
    var table = TextTable(["class", "objects", "key", "attributes"])
    table.alignedRight = [1]
    for schema in classes {
      table.rows.append([
        schema.className, try count(schema).map { "\($0)" } ?? "",
        schema.keyNames.isEmpty
          ? schema.isEmbedded ? "(embedded)" : "–" : schema.keyNames.joined(separator: ", "),
        schema.properties.map(\.name).joined(separator: ", "),
      ])
    }
    try CacheFile.checkDamage(of: store)
    table.print()
  }

  /// Prints the edits of all classes, in the order in which they would be sent.
  private func showEdits() throws {
    let edits = try store.pendingEdits()
    try CacheFile.checkDamage(of: store)
    if arguments.has("count") { return Terminal.print("\(edits.count)") }
    if format == .json {
      let lines = edits.map { JSONOutput.text($0.json) }
      let text = lines.isEmpty ? "[]\n" : "[\n\(lines.joined(separator: ",\n"))\n]\n"
      return Terminal.write(text, to: .standardOutput)
    }
    for edit in edits {
      let rejection = edit.rejection.map { "  (rejected: \($0))" } ?? ""
      Terminal.print("\(edit)\(rejection)")
    }
    Terminal.print(Terminal.count(edits.count, "edit"))
  }

  // MARK: - Objects

  private func showTable(_ selection: Selection) throws {
    let all = selection.allColumns
    var columns = selection.columns ?? all
    if selection.columns == nil, let width = Terminal.width {
      // At least ten characters for each attribute, and two between them.
      columns = Array(columns.prefix(max(1, width / 12)))
    }
    var table = TextTable(columns.map(\.name))
    table.alignedRight = Set(columns.indices.filter { columns[$0].isNumeric })
    try selection.results.forEachWithProgress("reading") { object in
      table.rows.append(columns.map { CellText.text($0.value(of: object)) })
    }
    try CacheFile.checkDamage(of: store)
    table.print()
    let leftOutCount = selection.columns == nil ? all.count - columns.count : 0
    let leftOut = "; \(leftOutCount) of \(all.count) attributes left out, see --columns"
    Terminal.print(
      Terminal.count(selection.results.count, "object") + (leftOutCount > 0 ? leftOut : ""))
  }

  private func showHistogram(
    of column: QueryColumn, _ results: Results<DynamicObject>, _ output: JSONOutput
  ) throws {
    guard format == .table else {
      throw UsageError(
        text: "--histogram is a picture; --group-by gives the numbers of other formats",
        command: "query")
    }
    var values: [Cell] = []
    try RowReader([column], store, output).forEachRow(of: results, "reading") {
      values.append($0[0])
    }
    let histogram = Histogram(values)
    let text = histogram.text(width: Terminal.width ?? 80)
    Terminal.print(
      (text.isEmpty ? "" : text + "\n")
        + "\(column.name) of \(Terminal.count(values.count, "object"))")
  }
}
