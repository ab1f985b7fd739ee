/// Returns a value as Swift code.
func literal(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional {
    return mirror.children.first.map { literal($0.value) } ?? "nil"
  }
  switch value {
  case let text as String: return text.debugDescription
  case is Int, is UInt64, is UInt32, is Bool: return "\(value)"
  case let member as Member: return "Member(\(literal(member.name)), \(literal(member.value)))"
  default: break
  }
  switch mirror.displayStyle {
  case .collection: return "[\(mirror.children.map { literal($0.value) }.joined(separator: ", "))]"
  case .enum:
    guard let child = mirror.children.first, let name = child.label else { return ".\(value)" }
    let payload = Mirror(reflecting: child.value)
    let isTuple = payload.displayStyle == .tuple
    let arguments = isTuple ? arguments(payload) : literal(child.value)
    return ".\(name)(\(arguments))"
  case .struct: return "\(type(of: value))(\(arguments(mirror)))".replacing("Node(", with: ".init(")
  default: return "\(value)"
  }

  func arguments(_ mirror: Mirror) -> String {
    mirror.children.map { label, value in
      guard let label, !label.hasPrefix(".") else { return literal(value) }
      return "\(label): \(literal(value))"
    }.joined(separator: ", ")
  }
}
