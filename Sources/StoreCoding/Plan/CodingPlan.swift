import JSONText
import ObjectStore

/// How one class maps to JSON for one coder: compiled once from its declarations, then only read.
///
/// Decoding walks a tree of nodes. A node has the keys of one object shape as a key table, and per
/// key either a field (an attribute) or another node (a part of a dotted path):
///
///     codableKeys ["city": "address.city", "street": "address.street"]
///
///     root node ── "id"      ▶ field id
///               └─ "address" ▶ node ── "city"   ▶ field city
///                                    └─ "street" ▶ field street
final class CodingPlan {
  let codingClass: CodingClass
  let className: String
  /// The fields in declared order; also the order of encoding.
  let fields: [CodingField]
  let root: PlanNode
  let objectEnvelope: JSONPath?
  let listEnvelope: JSONPath?
  /// The primary key's field; nil without one.
  let keyField: CodingField?
  /// Its cell in a row; -1 without one.
  let keyAttribute: Int
  /// The fields that the primary key is made of, in order; empty for a key of its own.
  let keyParts: [CodingField]
  let hasCompoundKey: Bool
  /// The members in the order they are written; nil before an object of the class was encoded.
  var encodeNode: EncodeNode?

  init(
    _ codingClass: CodingClass, fields: [CodingField], root: PlanNode,
    objectEnvelope: JSONPath?, listEnvelope: JSONPath?
  ) {
    self.codingClass = codingClass
    self.fields = fields
    self.root = root
    self.objectEnvelope = objectEnvelope
    self.listEnvelope = listEnvelope
    className = codingClass.schema.className
    keyField = fields.first { $0.property.isPrimaryKey }
    keyAttribute = keyField?.attribute ?? -1
    keyParts = codingClass.schema.keyParts.map { fields[$0] }
    hasCompoundKey = !keyParts.isEmpty
  }

  /// The primary key of a row as messages show it, `id 7`; nil if it was not read.
  func keyText(of row: BatchRow) -> String? {
    let fields = hasCompoundKey ? keyParts : keyField.map { [$0] } ?? []
    guard !fields.isEmpty, fields.allSatisfy({ row[$0.attribute].state == .value }) else {
      return nil
    }
    return fields.map { "\($0.path) \(KeyDescription.describe(row[$0.attribute], $0.scalar))" }
      .joined(separator: ", ")
  }
}
