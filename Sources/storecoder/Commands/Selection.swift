import Foundation
import ObjectStore

/// The objects that the arguments of `query` and `export` select, and the columns to write.
struct Selection {
  static let options = [
    Command.Option(
      name: "sort", value: "NAMES", help: "attributes to sort by; -name sorts in descending order"
    ),
    Command.Option(name: "limit", value: "N", help: "at most N objects"),
    Command.Option(name: "offset", value: "N", help: "without the first N objects"),
    Command.Option(
      name: "columns", value: "NAMES",
      help: "only these attributes, or paths along links to one object: id,customer.name"),
    Command.Option(name: "edited", help: "only objects with unconfirmed edits"),
  ]

  let schema: ObjectSchema
  let results: Results<DynamicObject>
  /// The chosen columns; nil if none are chosen.
  let columns: [QueryColumn]?
  private let cache: CacheFile

  /// - Parameter isGrouped: True if `--sort`, `--limit` and `--offset` apply to groups, and not to objects.
  /// - Throws: `CommandError`, `UsageError`, `StoreError`.
  init(
    _ arguments: Arguments, of schema: ObjectSchema, where condition: String?, isGrouped: Bool,
    _ cache: CacheFile, _ store: Store, by command: String
  ) throws {
    self.schema = schema
    self.cache = cache
    var results = try store.objects(dynamic: schema.className)
    if arguments.has("edited") {
      // A file without a base table has no edits of the class.
      results = schema.tracksEdits ? results.edited : results.limit(0)
    }
    if let condition { results = try results.filter(StorePredicate(condition)) }
    if !isGrouped {
      if let sort = arguments[option: "sort"] {
        results = try results.sorted(
          by: SortKey.keys(sort).map { key in
            let column = try QueryColumn(key.name, of: schema, in: cache.schemas)
            return StoreSortDescriptor(
              names: column.links + [column.attribute.name], ascending: key.isAscending)
          })
      }
      let limit = try arguments.number("limit", by: command)
      let offset = try arguments.number("offset", by: command) ?? 0
      if limit != nil || offset > 0 { results = results.limit(limit ?? .max, offset: offset) }
    }
    self.results = results
    columns = try arguments[option: "columns"].map { names in
      try QueryColumn.columns(names, of: schema, in: cache.schemas)
    }
  }

  /// The columns of all attributes, except a synthetic key.
  var allColumns: [QueryColumn] {
    schema.properties.filter { $0.name != cache.syntheticKey(of: schema.className) }
      .map { QueryColumn($0) }
  }
}

/// A name in `--sort`.
struct SortKey {
  let name: String
  let isAscending: Bool

  /// Parses names that are separated by commas.
  static func keys(_ text: String) -> [SortKey] {
    text.split(separator: ",").map {
      SortKey(
        name: String($0.hasPrefix("-") ? $0.dropFirst() : $0), isAscending: !$0.hasPrefix("-"))
    }
  }
}

extension Selection {
  /// Writes the objects: their JSON form in JSON formats, unless columns are chosen, and rows otherwise.
  /// Precondition: `format` is not `.table`.
  func write(_ format: OutputFormat, _ store: Store, _ output: JSONOutput) throws {
    if columns == nil, format == .json || format == .ndjson {
      return try output.write(results, asLines: format == .ndjson, to: .standardOutput)
    }
    let reader = RowReader(columns ?? allColumns, store, output)
    let numeric = reader.columns.indices.filter { reader.columns[$0].isNumeric }
    var writer = RowWriter(format, reader.columns.map(\.name), alignedRight: Set(numeric))
    try reader.forEachRow(of: results, "writing") { try writer.write($0) }
    try writer.finish("")
  }
}
