import Foundation
import ObjectStore

/// The resources of a collection. ``ResourceServer`` guards it by a lock.
struct ResourceTable {
  struct Resource {
    let object: JSONObject
    /// The revision of the table after the last change of the resource.
    let revision: Int
    /// The serialized object.
    let body: Data

    var tag: String { "\"\(revision)\"" }
  }

  /// The state of one resource before the last change.
  private struct Undo {
    let id: ResourceID
    let resource: Resource?
    let wasDeleted: Bool
    let revision: Int
  }

  let collection: ResourceCollection
  private(set) var resources: [ResourceID: Resource] = [:]
  /// The ids of the resources that do not exist any more.
  private(set) var deleted: Set<ResourceID> = []
  /// The number of changes, which is the ETag of the list.
  private(set) var revision = 0
  /// The id of the next resource if the server assigns ids.
  private(set) var nextID: Int64 = 1
  private var undo: Undo?
  /// The serialized list; nil after a change.
  private var listBody: Data?

  init(_ collection: ResourceCollection) {
    self.collection = collection
  }

  /// The id of the resource that changed last.
  var lastChangedID: ResourceID? { undo?.id }

  // MARK: - Changes

  /// Stores a resource and sets the member with its id. A resource that is identical to the stored one is not stored
  /// again.
  @discardableResult
  mutating func set(_ object: JSONObject, id: ResourceID) -> Resource {
    var object = object
    if ResourceID(object[collection.idMember]) != id { object[collection.idMember] = id.json }
    if let resource = resources[id], resource.object.isIdentical(to: object) { return resource }
    noteChange(of: id)
    let resource = Resource(
      object: object, revision: revision, body: Data(JSONValue.object(object).jsonText.utf8))
    resources[id] = resource
    deleted.remove(id)
    if case .number(let number) = id { nextID = max(nextID, number + 1) }
    return resource
  }

  /// Removes a resource if it exists.
  mutating func remove(_ id: ResourceID) {
    if resources[id] == nil { return }
    noteChange(of: id)
    resources[id] = nil
    deleted.insert(id)
  }

  private mutating func noteChange(of id: ResourceID) {
    undo = Undo(
      id: id, resource: resources[id], wasDeleted: deleted.contains(id), revision: revision)
    listBody = nil
    revision += 1
  }

  /// The table before the last change.
  ///
  /// - Complexity: O(n), because the resources are copied.
  var previous: ResourceTable {
    guard let undo else { return self }
    var table = self
    table.resources[undo.id] = undo.resource
    if undo.wasDeleted { table.deleted.insert(undo.id) } else { table.deleted.remove(undo.id) }
    table.revision = undo.revision
    table.listBody = nil
    return table
  }

  // MARK: - Lists

  /// The list of all resources as JSON, ascending by id. It is kept until the next change.
  mutating func serializedList() -> Data {
    if let listBody { return listBody }
    var body = Data("[".utf8)
    for (_, resource) in resources.sorted(by: { $0.key < $1.key }) {
      if body.count > 1 { body.append(UInt8(ascii: ",")) }
      if let names = collection.listMembers {
        let summary = JSONObject(resource.object.filter { names.contains($0.key) })
        body += Data(JSONValue.object(summary).jsonText.utf8)
      } else {
        body += resource.body
      }
    }
    body.append(UInt8(ascii: "]"))
    listBody = body
    return body
  }
}
