import DataSources
import Foundation
import ObjectStore

/// A request to a collection of a ``ResourceServer``.
struct ResourceCall {
  let method: NetworkRequest.Method
  /// The resource; nil for the collection.
  let id: ResourceID?
  let headers: NetworkResponse.Headers
  /// The body; nil if it is absent or invalid, and for a GET or DELETE.
  let json: JSONValue?

  init(_ request: NetworkRequest, id: ResourceID?) {
    method = request.method
    self.id = id
    headers = request.headers
    switch request.method {
    case .post, .put, .patch: json = request.body?.withUnsafeBytes { JSONValue(text: $0) }
    case .get, .delete: json = JSONValue?.none
    }
  }
}

/// The response to a request that is not applied.
struct Refusal: Error {
  let response: NetworkResponse

  init(_ response: NetworkResponse) {
    self.response = response
  }

  /// Creates a response with a message for people who read a failed test.
  init(_ status: Int, _ message: String, headers: NetworkResponse.Headers = [:]) {
    response = .json(status, ["message": .string(message)], headers)
  }
}

extension ResourceTable {
  /// Applies a request.
  mutating func respond(to call: ResourceCall) -> NetworkResponse {
    do throws(Refusal) {
      switch (call.method, call.id) {
      case (.get, nil): return list(call)
      case (.get, let id?): return try get(id, call)
      case (.post, nil): return try create(call)
      case (.put, let id?): return try replace(id, call)
      case (.patch, let id?): return try change(id, call)
      case (.delete, let id?): return try delete(id, call)
      case (_, nil): return NetworkResponse(status: 405, headers: ["Allow": "GET, POST"])
      case (.post, _?):
        return NetworkResponse(status: 405, headers: ["Allow": "GET, PUT, PATCH, DELETE"])
      }
    } catch {
      return error.response
    }
  }

  private mutating func list(_ call: ResourceCall) -> NetworkResponse {
    let tag = "\"\(revision)\""
    if call.lists(tag, in: "If-None-Match") { return .unchanged(tag) }
    return .json(200, serializedList(), ["ETag": tag])
  }

  private func get(_ id: ResourceID, _ call: ResourceCall) throws(Refusal) -> NetworkResponse {
    guard let resource = resources[id] else { throw missing(id) }
    if call.lists(resource.tag, in: "If-None-Match") { return .unchanged(resource.tag) }
    return .resource(200, resource)
  }

  private mutating func create(_ call: ResourceCall) throws(Refusal) -> NetworkResponse {
    var object = try Self.object(call.json)
    let id: ResourceID
    switch collection.ids {
    case .assigned:
      id = .number(nextID)
      object[collection.idMember] = id.json
    case .chosen:
      guard let chosen = ResourceID(object[collection.idMember]) else {
        throw Self.invalid([collection.idMember: ["is missing"]])
      }
      if let resource = resources[chosen] {
        let isRepetition = resource.object.isIdentical(to: object)
        return .resource(isRepetition ? 200 : 409, resource)
      }
      id = chosen
    }
    try validate(object)
    return created(set(object, id: id), id)
  }

  private mutating func replace(_ id: ResourceID, _ call: ResourceCall) throws(Refusal)
    -> NetworkResponse
  {
    let current = resources[id]
    if current == nil, collection.ids == .assigned { throw missing(id) }
    try checkPreconditions(call, current)
    let object = try checked(try Self.object(call.json), id)
    let resource = set(object, id: id)
    return current == nil ? created(resource, id) : .resource(200, resource)
  }

  private mutating func change(_ id: ResourceID, _ call: ResourceCall) throws(Refusal)
    -> NetworkResponse
  {
    guard let current = resources[id] else { throw missing(id) }
    try checkPreconditions(call, current)
    let object = try checked(try patched(current, call), id)
    return .resource(200, set(object, id: id))
  }

  private mutating func delete(_ id: ResourceID, _ call: ResourceCall) throws(Refusal)
    -> NetworkResponse
  {
    guard let current = resources[id] else { throw missing(id) }
    try checkPreconditions(call, current)
    remove(id)
    return NetworkResponse(status: 204)
  }

  // MARK: - Parts of requests

  /// Applies the body of a PATCH according to its media type.
  private func patched(_ current: Resource, _ call: ResourceCall) throws(Refusal) -> JSONObject {
    let type = call.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard let patch = call.json else { throw Refusal(400, "The body is not JSON.") }
    switch type {
    case "application/merge-patch+json":
      return try Self.object(JSONValue.object(current.object).merging(patch))
    case "application/json-patch+json":
      let document: JSONValue
      do throws(JSONPatchFailure) {
        document = try JSONValue.object(current.object).applying(jsonPatch: patch)
      } catch {
        switch error {
        case .malformed: throw Refusal(400, "The body is not a JSON Patch.")
        case .conflict: throw Refusal(.resource(409, current))
        }
      }
      return try Self.object(document)
    case "application/json", nil:
      return current.object.replacingMembers(try Self.object(patch))
    default:
      let types = "application/merge-patch+json, application/json-patch+json, application/json"
      throw Refusal(
        415, "The media type \(type ?? "") is not supported.", headers: ["Accept-Patch": types])
    }
  }

  /// Throws 412 if the ETags of the request exclude the current resource.
  private func checkPreconditions(_ call: ResourceCall, _ current: Resource?) throws(Refusal) {
    let isMatch =
      call.headers["If-Match"] == nil
      || current.map { call.lists($0.tag, in: "If-Match") } ?? false
    let isExcluded = current.map { call.lists($0.tag, in: "If-None-Match") } ?? false
    if isMatch, !isExcluded { return }
    throw Refusal(current.map { .resource(412, $0) } ?? NetworkResponse(status: 412))
  }

  /// Returns the new state of a resource if its id is unchanged and it is valid.
  private func checked(_ object: JSONObject, _ id: ResourceID) throws(Refusal) -> JSONObject {
    var object = object
    if let value = object[collection.idMember] {
      guard ResourceID(value) == id else { throw Refusal(400, "The id \(id) cannot change.") }
    } else {
      object[collection.idMember] = id.json
    }
    try validate(object)
    return object
  }

  private func validate(_ object: JSONObject) throws(Refusal) {
    let messages = collection.validate(object)
    if !messages.isEmpty { throw Self.invalid(messages) }
  }

  private static func invalid(_ messages: [String: [String]]) -> Refusal {
    let errors = JSONObject(
      messages.map { (key: $0, value: JSONValue.array($1.map { .string($0) })) })
    return Refusal(.json(422, ["errors": .object(errors)]))
  }

  private static func object(_ json: JSONValue?) throws(Refusal) -> JSONObject {
    guard case .object(let object)? = json else { throw Refusal(400, "A resource is an object.") }
    return object
  }

  private func missing(_ id: ResourceID) -> Refusal {
    Refusal(NetworkResponse(status: deleted.contains(id) ? 410 : 404))
  }

  private func created(_ resource: Resource, _ id: ResourceID) -> NetworkResponse {
    var response = NetworkResponse.resource(201, resource)
    let component = id.description.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    response.headers["Location"] = "/api/\(collection.name)/\(component ?? "")"
    return response
  }
}

extension ResourceCall {
  /// True if a header field is `*` or lists the ETag (RFC 9110 §13.1).
  fileprivate func lists(_ tag: String, in field: String) -> Bool {
    guard let tags = headers[field] else { return false }
    return tags == "*" || tags == tag
      || tags.split(separator: ",").contains { $0.filter { $0 != " " } == tag }
  }
}

extension NetworkResponse {
  static func json(
    _ status: Int, _ json: JSONObject, _ headers: NetworkResponse.Headers = [:]
  ) -> NetworkResponse {
    .json(status, Data(JSONValue.object(json).jsonText.utf8), headers)
  }

  fileprivate static func json(
    _ status: Int, _ body: Data, _ headers: NetworkResponse.Headers
  ) -> NetworkResponse {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return NetworkResponse(status: status, headers: headers, body: body)
  }

  /// The resource with its ETag.
  fileprivate static func resource(_ status: Int, _ resource: ResourceTable.Resource) -> Self {
    .json(status, resource.body, ["ETag": resource.tag])
  }

  fileprivate static func unchanged(_ tag: String) -> NetworkResponse {
    NetworkResponse(status: 304, headers: ["ETag": tag])
  }
}
