import ObjectStore
import StoreCoding

/// `storecoder explain`: shows the mapping between the JSON of a class and its attributes.
struct Explain {
  static let command = Command(
    name: "explain", summary: "Show how the JSON of a class maps to its attributes.",
    arguments: [Command.Argument(name: "CLASS", help: "the name of the class")],
    options: [
      Command.Option(name: "store", value: "STORE", help: "the file of the store"),
      CacheFile.acceptEdits,
    ],
    example: "storecoder explain --store cache.store User"
  ) { arguments in
    let cache = try CacheFile(toRead: arguments, by: "explain")
    let schema = try cache.schema(arguments[0] ?? "")
    Terminal.print(StoreCoder(store: try cache.open()).explain(dynamic: schema.className))
  }
}
