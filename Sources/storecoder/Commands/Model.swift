import Foundation

/// `storecoder model`: writes Swift classes for the objects of a JSON file.
struct Model {
  static let command = Command(
    name: "model", summary: "Write Swift classes for the objects of JSON files.",
    arguments: [
      Command.Argument(
        name: "FILE", isRepeated: true,
        help: "JSON documents, or files of objects that follow each other; - for the standard input"
      )
    ],
    options: [
      Command.Option(
        name: "class", value: "NAME",
        help: "the class of the objects; default: named after the envelope or the file"),
      Command.Option(
        name: "key", value: "NAME",
        help: "the member that is the key; default: id, _id, uuid, guid or identifier"),
      Command.Option(
        name: "envelope", value: "PATH",
        help: "the path of the objects in the document, as in data.users"
      ),
      ImportOptions.links,
      Command.Option(
        name: "enums", help: "declare enums for strings of which few different ones repeat often"),
      Command.Option(
        name: "mermaid", help: "a Mermaid diagram of the classes and their links instead"),
    ],
    details: """
      Several files contain objects of one class, such as a list of summaries and an object with all details.
      """,
    example: "storecoder model users.json --class User > User.swift"
  ) { arguments in
    let schema = try schema(
      of: arguments.values.map { try JSONSource($0, envelope: arguments[option: "envelope"]) },
      named: arguments.className(by: "model"), key: arguments[option: "key"],
      hasLinks: arguments.has("links"), hasEnums: arguments.has("enums"))
    Terminal.write(
      arguments.has("mermaid")
        ? ClassDiagram(schema).text
        : SwiftModels(schema, envelope: arguments[option: "envelope"]).text, to: .standardOutput)
  }

  /// Reads the files and returns the classes of their objects.
  static func schema(
    of sources: [JSONSource], named className: String? = nil, key: String? = nil,
    hasLinks: Bool = false, hasEnums: Bool = false
  ) throws -> ModelSchema {
    let progress = Progress()
    let shapes = try sources.enumerated().map { index, source in
      try source.shape(progress, notesKeys: hasLinks, notesValues: true, fileIndex: index)
    }
    let inferred = try SchemaMaker.schema(
      of: shapes.count == 1 ? shapes[0] : SpellingAliases.join(shapes),
      named: className ?? sources[0].className, key: key, links: hasLinks ? [:] : nil, unwraps: true
    )
    return ModelSchema(inferred, hasEnums: hasEnums)
  }
}
