import Foundation

extension Payload {
  /// The list as JSON.
  var json: Data {
    Data("[\(objects.map { Self.text($0) }.joined(separator: ","))]".utf8)
  }

  /// The first object as JSON.
  var elementJSON: Data { Data((objects.first.map { Self.text($0) } ?? "{}").utf8) }

  static func text(_ node: Node) -> String {
    let kind = node.kind
    var members = ["\"id\":\(kind.keyText(node.id))"]
    for member in node.members {
      let attribute = Attribute.of(kind)[Attribute.index(kind, member.name)]
      members.append("\"\(member.name)\":\(text(member.value, attribute, node.nested))")
    }
    // The key does not have to be first.
    if node.id % 2 == 1 { members.append(members.removeFirst()) }
    return "{\(members.joined(separator: ","))}"
  }

  static func text(_ value: Value, _ attribute: Attribute, _ nested: [Node] = []) -> String {
    func link(_ id: Int?) -> String {
      guard let id, let target = attribute.target else { return "null" }
      if let node = nested.first(where: { $0.id == id && $0.kind == target }) { return text(node) }
      return "{\"id\":\(target.keyText(id))}"
    }
    return switch value {
    case .plain(let number): attribute.texts[number]
    case .link(let id): link(id)
    case .links(let ids) where attribute.isMap:
      "{\(ids.enumerated().map { "\"k\($0)\":\(link($1))" }.joined(separator: ","))}"
    case .links(let ids): "[\(ids.map(link).joined(separator: ","))]"
    }
  }
}

extension Payload {
  /// Returns the values in a body, by their attributes. Throws a difference if it has anything else.
  static func values(of body: Data, _ kind: Kind, _ id: Int) throws -> [Int: Value] {
    let text = String(decoding: body, as: UTF8.self)
    guard var members = try JSONSerialization.jsonObject(with: body) as? [String: Any],
      let key = members.removeValue(forKey: "id"), kind.keyText(id) == "\(key)"
    else { throw Difference("the body is \(text)") }
    var values: [Int: Value] = [:]
    for (index, attribute) in Attribute.of(kind).enumerated() {
      guard let member = members.removeValue(forKey: attribute.name) else { continue }
      guard let value = value(of: member, attribute) else {
        throw Difference("the body has the \(attribute.name) \(member)")
      }
      values[index] = value
    }
    if let name = members.keys.first { throw Difference("the body has \(name): \(text)") }
    return values
  }

  /// Removes the members that are null: a creation does not contain them.
  private static func withoutNulls(_ any: Any) -> Any {
    switch any {
    case let members as [String: Any]:
      members.filter { !($0.value is NSNull) }.mapValues { withoutNulls($0) } as NSDictionary
    case let elements as [Any]: elements.map { withoutNulls($0) } as NSArray
    default: any
    }
  }

  private static func value(of any: Any, _ attribute: Attribute) -> Value? {
    func link(_ any: Any) -> Int? { ((any as? [String: Any])?["id"] as? NSNumber)?.intValue }
    switch attribute.content {
    case .plain(let count):
      let object = withoutNulls(any) as? NSObject
      return (0..<count).first { number in
        let value = try? JSONSerialization.jsonObject(
          with: Data(attribute.texts[number].utf8), options: .fragmentsAllowed)
        return value.map { withoutNulls($0) } as? NSObject == object
      }.map { .plain($0) }
    case .link: return any is NSNull ? .link(nil) : link(any).map { .link($0) }
    case .list, .set: return (any as? [Any]).map { .links($0.map(link)) }
    case .map: return nil
    }
  }
}
