import Foundation
import ObjectStore

/// `storecoder export`: writes all objects of a class in their original JSON form.
struct Export {
  static let command = Command(
    name: "export", summary: "Write the objects of a class as JSON.",
    arguments: [Command.Argument(name: "CLASS", help: "the class of the objects")],
    options: [
      Command.Option(name: "store", value: "STORE", help: "the file of the store"),
      Command.Option(name: "lines", help: "one object per line (NDJSON) instead of an array"),
      CacheFile.acceptEdits,
    ],
    example: "storecoder export --store cache.store User > users.json"
  ) { arguments in
    let cache = try CacheFile(toRead: arguments, by: "export")
    let schema = try cache.schema(arguments[0] ?? "")
    if schema.isEmbedded {
      throw CommandError(text: "\(schema.className): its objects are embedded in others")
    }
    let store = try cache.open()
    try JSONOutput(store, cache).write(
      try store.objects(dynamic: schema.className), asLines: arguments.has("lines"),
      to: .standardOutput)
  }
}
