/// A value of an attribute in the model.
///
/// Values without links are numbered, because the model only compares them: ``Attribute`` translates the numbers.
enum Value: Hashable, Sendable, Codable {
  /// The number of a value in the attribute's table.
  case plain(Int)
  /// The target of a link; nil for none.
  case link(Int?)
  /// The targets of a list or a set. In a map, the position is the key, and nil is a key without an object.
  case links([Int?])

  /// Returns the value without an object that does not exist any more.
  func without(_ id: Int, isMap: Bool) -> Value {
    switch self {
    case .plain: self
    case .link(let target): target == id ? .link(nil) : self
    case .links(let targets):
      isMap ? .links(targets.map { $0 == id ? nil : $0 }) : .links(targets.filter { $0 != id })
    }
  }

  var targets: [Int] {
    switch self {
    case .plain: []
    case .link(let target): target.map { [$0] } ?? []
    case .links(let targets): targets.compactMap(\.self)
    }
  }
}
