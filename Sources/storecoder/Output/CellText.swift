import ObjectStore

/// Formats values for tables.
enum CellText {
  static func text(_ value: Any?) -> String {
    switch value {
    case nil: "–"
    case let text as String: text.split(whereSeparator: \.isNewline).joined(separator: " ")
    case let flag as Bool: flag ? "true" : "false"
    case let json as JSONValue: json.jsonText
    case let values as List<JSONValue>: JSONValue.array(Array(values)).jsonText
    case let values as Map<String, JSONValue>:
      JSONValue.object(JSONObject(values.sorted { $0.key < $1.key })).jsonText
    case let object as DynamicObject: self.text(object)
    case let objects as List<DynamicObject>: "\(objects.count) × \(name(objects.first))"
    case let objects as Map<String, DynamicObject?>: Terminal.count(objects.count, "object")
    case let value?: "\(value)"
    }
  }

  private static func text(_ object: DynamicObject) -> String {
    let schema = object.objectSchema
    guard let key = schema.primaryKeyProperty else { return schema.className }
    return "\(schema.className) \(text(object[key.name]))"
  }

  private static func name(_ object: DynamicObject?) -> String {
    object?.objectSchema.className ?? "objects"
  }
}
