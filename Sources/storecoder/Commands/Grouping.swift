import Foundation
import ObjectStore

/// Groups of objects that have the same values, each with its count and with aggregates of other values.
struct Grouping {
  static let options =
    [
      Command.Option(
        name: "group-by", value: "NAMES",
        help:
          "one row for the objects with the same values, with their count; --sort, --limit and --offset apply to the rows"
      )
    ]
    + Aggregate.Function.allCases.map { function in
      Command.Option(
        name: function.rawValue, value: "NAMES",
        help: "the \(function.noun) of these attributes, in each group or of all objects")
    }

  private let keys: [QueryColumn]
  private let aggregates: [(function: Aggregate.Function, column: QueryColumn)]
  private let arguments: Arguments

  /// Returns nil if the arguments have neither `--group-by` nor an aggregate.
  /// - Throws: `CommandError`.
  init?(_ arguments: Arguments, of schema: ObjectSchema, in schemas: [ObjectSchema]) throws {
    self.arguments = arguments
    keys =
      try arguments[option: "group-by"].map {
        try QueryColumn.columns($0, of: schema, in: schemas)
      } ?? []
    var aggregates: [(Aggregate.Function, QueryColumn)] = []
    for function in Aggregate.Function.allCases {
      guard let names = arguments[option: function.rawValue] else { continue }
      aggregates += try QueryColumn.columns(names, of: schema, in: schemas).map { (function, $0) }
    }
    self.aggregates = aggregates
    if !arguments.has("group-by"), aggregates.isEmpty { return nil }
  }

  /// Writes the groups of objects.
  func write(
    _ results: Results<DynamicObject>, _ store: Store, _ output: JSONOutput, _ format: OutputFormat
  ) throws {
    let names =
      keys.map(\.name) + [keys.contains { $0.name == "count" } ? "count()" : "count"]
      + aggregates.map { "\($0.function.rawValue)(\($0.column.name))" }
    var groups: [[Cell]: Group] = [:]
    let reader = RowReader(keys + aggregates.map(\.column), store, output)
    // Without keys, all objects are one group, even if there are none.
    if keys.isEmpty { groups[[]] = Group(aggregates) }
    try reader.forEachRow(of: results, "grouping") { row in
      try groups[Array(row[..<keys.count]), default: Group(aggregates)].add(row[keys.count...])
    }
    var rows = groups.map { key, group in key + group.cells }
    try sort(&rows, names)
    let offset = try arguments.number("offset", by: "query") ?? 0
    let limit = try arguments.number("limit", by: "query") ?? .max
    let numeric = names.indices.filter { index in
      index >= keys.count && !rows.contains { if case .string = $0[index] { true } else { false } }
        || index < keys.count && keys[index].isNumeric
    }
    var writer = RowWriter(format, names, alignedRight: Set(numeric))
    for row in rows.dropFirst(offset).prefix(limit) { try writer.write(row) }
    try writer.finish(Terminal.count(writer.rowCount, keys.isEmpty ? "row" : "group"))
  }

  /// Sorts rows by the columns of `--sort`, and those that are equal by the keys.
  private func sort(_ rows: inout [[Cell]], _ names: [String]) throws {
    var order = try SortKey.keys(arguments[option: "sort"] ?? "").map { key in
      guard let index = names.firstIndex(of: key.name) else {
        throw CommandError(
          text: "there is no column '\(key.name)'; the columns are \(names.joined(separator: ", "))"
            + Suggestion.clause(Suggestion.nearest(to: key.name, among: names)))
      }
      return (index, key.isAscending)
    }
    order += keys.indices.map { ($0, true) }
    rows.sort { a, b in
      for (index, isAscending) in order where a[index] != b[index] {
        return isAscending ? a[index] < b[index] : b[index] < a[index]
      }
      return false
    }
  }
}

/// The number of objects in a group and the aggregates of their values.
private struct Group {
  private var count = 0
  private var aggregates: [Aggregate]

  init(_ aggregates: [(function: Aggregate.Function, column: QueryColumn)]) {
    self.aggregates = aggregates.map { Aggregate($0.function, of: $0.column.name) }
  }

  mutating func add(_ values: ArraySlice<Cell>) throws {
    count += 1
    for (index, value) in values.enumerated() { try aggregates[index].add(value) }
  }

  var cells: [Cell] { [Cell(count)] + aggregates.map(\.value) }
}
