/// A part of a generated payload before it is written as text.
indirect enum PayloadNode {
  case text(String)
  case object([(key: String, value: PayloadNode)])
  case array([Int: PayloadNode])

  /// Sets the value at a path. A number in the path is the index of an element.
  mutating func set(_ path: ArraySlice<String>, _ value: PayloadNode) {
    guard let step = path.first else {
      self = value
      return
    }
    if let index = Int(step) {
      var elements: [Int: PayloadNode] = [:]
      if case .array(let known) = self { elements = known }
      elements[index, default: .object([])].set(path.dropFirst(), value)
      self = .array(elements)
      return
    }
    var members: [(key: String, value: PayloadNode)] = []
    if case .object(let known) = self { members = known }
    if let index = members.firstIndex(where: { $0.key == step }) {
      members[index].value.set(path.dropFirst(), value)
    } else {
      var child = PayloadNode.object([])
      child.set(path.dropFirst(), value)
      members.append((step, child))
    }
    self = .object(members)
  }

  /// The text of an array; `filler` stands for an element that is not set.
  static func array(
    _ elements: [Int: PayloadNode], without filler: String, _ text: (PayloadNode) -> String
  ) -> String {
    let count = (elements.keys.max() ?? -1) + 1
    return "[\((0..<count).map { elements[$0].map(text) ?? filler }.joined(separator: ","))]"
  }
}
