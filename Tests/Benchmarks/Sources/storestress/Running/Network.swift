import Foundation
import ObjectStore

/// The server, and the messages between it and the store.
struct Network {
  /// The server's objects of each class, with all their values.
  var objects: [[[Value]?]] = Kind.allCases.map { _ in
    Array(repeating: nil, count: World.idCount)
  }
  /// The responses under way.
  var responses: [Response] = []
  /// The edits under way.
  var requests: [Request] = []

  struct Response {
    let kind: Kind
    let payload: Payload
    /// The version of the store at the time of the request; nil for a request of an earlier process.
    var version: StoreVersion?
    /// The objects of that version.
    let world: World
  }

  struct Request {
    let edit: Edit
    let kind: Kind
    let id: Int
    let sent: Sent
    /// The identity of the object.
    let identity: Int
    var editKind = Edit.Kind.edited
    var isApplied = false
  }

  subscript(kind: Kind, id: Int) -> [Value]? {
    get { objects[kind.rawValue][id] }
    set { objects[kind.rawValue][id] = newValue }
  }

  func ids(_ kind: Kind) -> [Int] {
    objects[kind.rawValue].indices.filter { objects[kind.rawValue][$0] != nil }
  }

  /// The process has ended.
  mutating func restart() {
    requests = []
    for index in responses.indices { responses[index].version = nil }
  }

  /// Creates an object of the server, and those to which it links.
  mutating func ensure(_ kind: Kind, _ id: Int) {
    if self[kind, id] == nil { self[kind, id] = Attribute.of(kind).map(\.initial) }
  }

  mutating func set(_ kind: Kind, _ id: Int, _ index: Int, _ value: Value) {
    ensure(kind, id)
    let attribute = Attribute.of(kind)[index]
    if let target = attribute.target { for id in value.targets { ensure(target, id) } }
    self[kind, id]?[index] = value
  }

  /// The server has what it sends.
  mutating func receive(_ payload: Payload) { for node in payload.objects { receive(node) } }

  private mutating func receive(_ node: Payload.Node) {
    ensure(node.kind, node.id)
    for member in node.members {
      let index = Attribute.index(node.kind, member.name)
      set(node.kind, node.id, index, member.value)
      guard let target = Attribute.of(node.kind)[index].target else { continue }
      for nested in node.nested
      where nested.kind == target && member.value.targets.contains(nested.id) {
        receive(nested)
      }
    }
  }

  mutating func delete(_ kind: Kind, _ id: Int) {
    self[kind, id] = nil
    for other in Kind.allCases {
      for (index, attribute) in Attribute.of(other).enumerated() where attribute.target == kind {
        for owner in ids(other) {
          guard let value = self[other, owner]?[index] else { continue }
          self[other, owner]?[index] = value.without(id, isMap: attribute.isMap)
        }
      }
    }
  }

  /// The list of all objects of a class, with some of their attributes.
  func payload(_ kind: Kind, _ mask: Record.Mask) -> Payload {
    let attributes = Attribute.of(kind)
    return Payload(
      kind: kind,
      objects: ids(kind).map { id in
        let values = self[kind, id] ?? []
        return Payload.Node(
          kind: kind, id: id,
          members: attributes.indices.filter { mask[$0] }
            .map { Member(attributes[$0].name, values[$0]) })
      })
  }
}
