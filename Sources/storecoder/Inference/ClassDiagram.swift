import ObjectStore

/// Writes classes and their links as a Mermaid diagram: https://mermaid.js.org/syntax/classDiagram.html
struct ClassDiagram {
  private let schema: ModelSchema

  init(_ schema: ModelSchema) {
    self.schema = schema
  }

  var text: String {
    var lines = ["classDiagram"]
    for entry in schema.classes {
      lines.append("  class \(entry.className) {")
      for property in entry.properties {
        let type = schema.typeName(of: property, in: entry.className).replacing("<", with: "~")
          .replacing(">", with: "~")
        lines.append(
          "    \(type) \(Self.identifier(property.name))\(property.isPrimaryKey ? " key" : "")")
      }
      lines.append("  }")
    }
    let embedded = Set(schema.classes.filter(\.isEmbedded).map(\.className))
    for entry in schema.classes {
      for property in entry.properties {
        guard let target = property.objectClassName else { continue }
        let isOwned = embedded.contains(target)
        let many = property.shape.isCollection ? " \"*\"" : ""
        lines.append(
          "  \(entry.className) \(isOwned ? "*--" : "-->")\(many) \(target) : "
            + Self.identifier(property.name))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
