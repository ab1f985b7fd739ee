import Foundation
import ObjectStore

/// `storecoder export`: writes the objects of a class, by default all of them in their original JSON form.
struct Export {
  static let command = Command(
    name: "export", summary: "Write the objects of a class as JSON, CSV or Markdown.",
    arguments: [
      Command.Argument(name: "CLASS", help: "the class of the objects"),
      Command.Argument(
        name: "CONDITION", isOptional: true,
        help: "only the objects that meet a condition in NSPredicate format"),
    ],
    options: [Command.Option(name: "store", value: "STORE", help: "the file of the store")]
      + Selection.options + [
        OutputFormat.optionWithoutTable,
        Command.Option(
          name: "lines", help: "one object per line, the same as --format ndjson"),
        CacheFile.acceptEdits,
      ],
    example: "storecoder export --store cache.store User 'rank > 3' --format csv > users.csv"
  ) { arguments in
    let format = try arguments.format(["lines": .ndjson], else: .json, by: "export")
    if format == .table {
      throw UsageError(text: "query shows tables; export writes other formats", command: "export")
    }
    let cache = try CacheFile(toRead: arguments, by: "export")
    let schema = try cache.schema(arguments[0] ?? "")
    if schema.isEmbedded {
      throw CommandError(text: "\(schema.className): its objects are embedded in others")
    }
    let store = try cache.open()
    let selection = try Selection(
      arguments, of: schema, where: arguments[1], isGrouped: false, cache, store, by: "export")
    try selection.write(format, store, JSONOutput(store, cache))
  }
}
