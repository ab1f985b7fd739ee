/// An attribute as a file stores it.
struct FileAttribute: Sendable {
  var name: String
  /// The name of the column, or of the table if the attribute is a collection.
  var sqlName: String
  let form: AttributeShape.Form
  /// The type of the value or of the elements; nil for objects.
  let kind: ScalarKind?
  /// The name of the linked class; nil for values.
  var target: String?
  let isOptional: Bool
  let isPrimaryKey: Bool
  /// Its 1-based position in the compound key; 0 if it is not part of one.
  var keyPart = 0
  let isIndexed: Bool
  /// The checksum of its values.
  var sum: UInt64 = 0

  var isCollection: Bool { form == .list || form == .set || form == .map }

  var type: FileType { kind.map { FileType($0) } ?? .link }

  var shape: AttributeShape {
    AttributeShape(
      form, scalar: kind.map { ScalarType($0) }, target: target.map { ClassID(name: $0) },
      isOptional: isOptional)
  }

  /// The name of its type, for messages: `Int8?`, `List<Animal>`.
  var typeName: String { shape.name }

  var parts: [String] {
    [
      name, sqlName, form.fileName, kind?.fileName ?? "", target ?? "",
      "\(isOptional) \(isPrimaryKey) \(isIndexed)" + (keyPart > 0 ? " \(keyPart)" : ""),
    ]
  }
}
