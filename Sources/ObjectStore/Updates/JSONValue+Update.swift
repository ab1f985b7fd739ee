import Foundation

extension JSONValue {
  /// Creates the JSON value for an update's value; nil for values that JSON cannot represent, including numbers that
  /// are not finite.
  ///
  /// - Parameter levels: The maximum nesting depth.
  init?(_ value: UpdateValue, levels: Int = JSONValue.depthLimit) {
    if levels == 0 {
      switch value {
      case .array, .object: return nil
      default: break
      }
    }
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = JSONValue(exactNumber: "\(value)")
    case .double(let value) where value.isFinite: self = .double(value)
    case .decimal(let value) where value.isFinite: self = JSONValue(exactNumber: "\(value)")
    case .string(let value): self = .string(value)
    case .json(let value): self = value
    case .array(let values):
      var elements: [JSONValue] = []
      for value in values {
        guard let element = JSONValue(value, levels: levels - 1) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case .object(let update):
      var members: [(key: String, value: JSONValue)] = []
      for (name, value) in update {
        guard let member = JSONValue(value, levels: levels - 1) else { return nil }
        members.append((name, member))
      }
      self = .object(JSONObject(members))
    case .double, .decimal, .data, .date, .uuid, .reference, .unencodable: return nil
    }
  }
}
