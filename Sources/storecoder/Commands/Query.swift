import Foundation
import ObjectStore

/// `storecoder query`: shows the objects that match a condition, as a table or as JSON.
struct Query {
  static let command = Command(
    name: "query", summary: "Show the objects of a store that meet a condition.",
    arguments: [
      Command.Argument(
        name: "CLASS", isOptional: true,
        help: "the class of the objects; without it, the classes are listed"),
      Command.Argument(
        name: "CONDITION", isOptional: true,
        help: "a condition in NSPredicate format: 'rank > 3 AND name BEGINSWITH \"B\"'"),
    ],
    options: [
      Command.Option(name: "store", value: "STORE", help: "the file of the store"),
      Command.Option(
        name: "sort", value: "NAMES", help: "attributes to sort by; -name sorts in descending order"
      ),
      Command.Option(name: "limit", value: "N", help: "show at most N objects"),
      Command.Option(name: "offset", value: "N", help: "skip the first N objects"),
      Command.Option(
        name: "columns", value: "NAMES",
        help: "the attributes to show, or paths along links to one object: id,customer.name"),
      Command.Option(
        name: "edited",
        help: "show only objects with unconfirmed edits; without CLASS, the edits of all classes"),
      Command.Option(name: "count", help: "print only the number of objects"),
      Command.Option(name: "json", help: "print a JSON array"),
      CacheFile.acceptEdits,
    ],
    example: "storecoder query --store cache.store User 'rank > 3' --sort -rank,name --limit 20"
  ) { try Query($0).run() }

  private let arguments: Arguments
  private let cache: CacheFile
  private let store: Store

  private init(_ arguments: Arguments) throws {
    self.arguments = arguments
    cache = try CacheFile(toRead: arguments, by: "query")
    store = try cache.open()
  }

  private func run() throws {
    guard let className = arguments[0] else {
      if arguments.has("edited") { return try showEdits() }
      return try arguments.has("json") ? writeClasses() : showClasses()
    }
    let schema = try cache.schema(className)
    var results = try store.objects(dynamic: className)
    if arguments.has("edited") {
      // A file without a base table has no edits of the class.
      results = schema.tracksEdits ? results.edited : results.limit(0)
    }
    if let condition = arguments[1] { results = try results.filter(StorePredicate(condition)) }
    if let sort = arguments[option: "sort"] {
      results = try results.sorted(
        by: sort.split(separator: ",").map {
          StoreSortDescriptor(
            String($0.hasPrefix("-") ? $0.dropFirst() : $0), ascending: !$0.hasPrefix("-"))
        })
    }
    let limit = try arguments.number("limit", by: "query")
    let offset = try arguments.number("offset", by: "query") ?? 0
    if limit != nil || offset > 0 { results = results.limit(limit ?? .max, offset: offset) }
    if arguments.has("count") {
      let count = results.count
      try CacheFile.checkDamage(of: store)
      return Terminal.print("\(count)")
    }
    let columns = try arguments[option: "columns"].map { names in
      try names.split(separator: ",", omittingEmptySubsequences: false).map {
        try QueryColumn(String($0), of: schema, in: cache.schemas)
      }
    }
    if arguments.has("json") {
      return try JSONOutput(store, cache).write(
        results, columns: columns, asLines: false, to: .standardOutput)
    }
    try showTable(results, schema, columns)
  }

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
    Terminal.print(table.text(width: Terminal.width))
  }

  /// Prints the edits of all classes, in the order in which they would be sent.
  private func showEdits() throws {
    let edits = try store.pendingEdits()
    try CacheFile.checkDamage(of: store)
    if arguments.has("count") { return Terminal.print("\(edits.count)") }
    if arguments.has("json") {
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

  private func showTable(
    _ results: Results<DynamicObject>, _ schema: ObjectSchema, _ chosen: [QueryColumn]?
  ) throws {
    let attributes = schema.properties.filter {
      $0.name != cache.syntheticKey(of: schema.className)
    }
    var columns = chosen ?? attributes.map { QueryColumn($0) }
    if chosen == nil, let width = Terminal.width {
      // At least ten characters for each attribute, and two between them.
      columns = Array(columns.prefix(max(1, width / 12)))
    }
    var table = TextTable(columns.map(\.name))
    for (index, column) in columns.enumerated() {
      let type = column.attribute.type
      if type == .int || type == .double { table.alignedRight.insert(index) }
    }
    for object in results {
      table.rows.append(columns.map { CellText.text($0.value(of: object)) })
    }
    try CacheFile.checkDamage(of: store)
    Terminal.print(table.text(width: Terminal.width))
    let leftOutCount = chosen == nil ? attributes.count - columns.count : 0
    let leftOut = "; \(leftOutCount) of \(attributes.count) attributes left out, see --columns"
    Terminal.print(
      Terminal.count(results.count, "object") + (leftOutCount > 0 ? leftOut : ""))
  }
}
