import Foundation

/// `storecoder model`: writes Swift classes for the objects of a JSON file.
struct Model {
  static let command = Command(
    name: "model", summary: "Write Swift classes for the objects of a JSON file.",
    arguments: [
      ImportOptions.file
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
        name: "mermaid", help: "a Mermaid diagram of the classes and their links instead"),
    ],
    example: "storecoder model users.json --class User > User.swift"
  ) { arguments in
    let className = try arguments.className(by: "model")
    let source = try JSONSource(arguments[0] ?? "", envelope: arguments[option: "envelope"])
    let progress = Progress()
    let inferred = try SchemaMaker.schema(
      of: source.shape(progress, notesKeys: arguments.has("links")),
      named: className ?? source.className, key: arguments[option: "key"],
      links: arguments.has("links") ? [:] : nil)
    Terminal.write(
      arguments.has("mermaid")
        ? ClassDiagram(inferred).text
        : SwiftModels(inferred, envelope: arguments[option: "envelope"]).text, to: .standardOutput)
  }
}
