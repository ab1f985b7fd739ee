import DataSources
import Foundation
import ObjectStore
import StoreCoding

/// Synchronizes the store with the server. Responses are decoded into the store, which notifies the screens.
@MainActor final class Client {
  private let store: Store
  private let coder: StoreCoder
  private let server: URL
  private let transport: any Transport = URLSessionTransport()
  private let log: @MainActor (String) -> Void

  /// - Parameter log: A closure that is called with a line for each request.
  init(_ store: Store, _ server: URL, log: @escaping @MainActor (String) -> Void) {
    self.store = store
    self.server = server
    self.log = log
    coder = StoreCoder(store: store)
  }

  // MARK: - Download

  /// Loads the lists. They have all objects of the server: the store deletes the others, except those with edits.
  func refreshLists() async throws {
    try await refresh("restaurants") {
      try coder.read([Restaurant].self, from: $0, complete: .all)
    }
    try await refresh("reviews") {
      try coder.read([Review].self, from: $0, complete: .all, guard: ListGuard(allowsEmpty: true))
    }
  }

  /// Loads a detail, which has everything that the server has of a restaurant: what it lacks does not exist.
  func refreshDetail(of restaurant: Restaurant) async throws {
    try await refresh("restaurants/\(restaurant.id)") {
      try coder.read(Restaurant.self, from: $0, absent: .clear)
    }
  }

  /// Requests a path. The response and its tag are stored in one transaction.
  /// - Parameter read: A closure that stores the response.
  private func refresh<T: Editable>(
    _ path: String, read: (Data) throws -> ReadResult<T>
  ) async throws {
    var request = NetworkRequest(.get, server.appending(path: path))
    request.headers["If-None-Match"] =
      store.object(ofType: ResponseTag.self, forPrimaryKey: path)?.tag
    let response = try await send(request)
    if response.status == 304 { return log("GET \(path): 304, not modified") }
    guard response.status == 200 else { throw ClientError(response) }
    try store.write {
      let result = try read(response.body)
      try rejectEdits(in: result)
      // Without a tag, the next refresh deletes the objects that were kept only because of their edits.
      let tag = result.kept.isEmpty ? response.headers["ETag"] : nil
      try store.update(ResponseTag.self, key: path, \.tag <- tag, missing: .orInsert)
      log("GET \(path): 200, \(result.counts.summary)")
    }
  }

  /// Rejects the edits that conflict with a response, so that they are not sent until the user has seen the conflict.
  private func rejectEdits<T: Editable>(in result: ReadResult<T>) throws {
    for (key, conflicts) in Dictionary(grouping: result.conflicts, by: \.key) {
      guard let object = store.object(ofType: T.self, forPrimaryKey: key),
        let edit = try store.takeEdit(of: object)
      else { continue }
      try store.settle(edit, .rejected(Edit.Rejection(changedElsewhere: conflicts)))
    }
  }

  // MARK: - Upload

  /// Sends the edits that the server does not have yet and has not rejected.
  func upload() async throws {
    try await coder.upload { edit in
      switch edit.className {
      case "Restaurant": try await upload(edit, of: Restaurant.self, to: "restaurants")
      case "Review": try await upload(edit, of: Review.self, to: "reviews")
      default: .unapplied
      }
    }
  }

  private func upload<T: Editable>(
    _ edit: Edit, of type: T.Type, to collection: String
  ) async throws -> Edit.Outcome {
    let path = edit.kind == .created ? collection : "\(collection)/\(edit.keyText)"
    var request = NetworkRequest(.delete, server.appending(path: path))
    switch edit.kind {
    case .created:
      request.method = .post
      request.body = try coder.encode(edit, includesKey: false)
    case .edited where type == Review.self:
      guard let object = store.object(ofType: type, forPrimaryKey: edit.key) else {
        return .unapplied
      }
      let (conflicts, tag) = try await load(object, at: path)
      if !conflicts.isEmpty { return .rejected(.init(changedElsewhere: conflicts)) }
      request.method = .put
      request.headers["If-Match"] = tag
      request.body = try coder.encode(object)
    case .edited:
      // The server refuses the patch with 409 if one of the values that it replaces has changed.
      let format = StoreCoder.BodyFormat.jsonPatch(tests: .all)
      request.method = .patch
      request.headers["Content-Type"] = format.contentType
      request.body = try coder.encode(edit, as: format)
    case .deleted: break
    }
    let response = try await send(request)
    log("\(request.method.rawValue) \(path): \(response.status)")
    switch response.status {
    case 200..<300: return .confirmed(response.body)
    case 404, 410: return .gone
    case 409 where edit.kind == .edited:
      return .rejected(
        .init(changedElsewhere: try coder.read(type, from: response.body).conflicts))
    // Another device was faster: the next upload loads the object again.
    case 412: return .unapplied
    // A missing login, a timeout and a busy or broken server concern all edits.
    case 401, 408, 429, 500...: throw ClientError(response)
    // The object is visible again.
    case _ where edit.kind == .deleted: return .reverted
    default:
      let rejection = coder.rejection(of: type, in: response.body)
      return .rejected(
        rejection.isEmpty ? .init(general: [ClientError(response).description]) : rejection)
    }
  }

  /// Loads everything that the server has of an object, because a body that replaces it must contain all of it. Returns the
  /// conflicts with the edits of the object, and the tag of the response.
  private func load<T: Editable>(
    _ object: T, at path: String
  ) async throws -> (conflicts: [Edit.Conflict], tag: String?) {
    let response = try await send(NetworkRequest(.get, server.appending(path: path)))
    log("GET \(path): \(response.status)")
    guard response.status == 200 else { throw ClientError(response) }
    let result = try coder.read(T.self, from: response.body, absent: .clear)
    return (result.conflicts, response.headers["ETag"])
  }

  private func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    do {
      return try await transport.send(request)
    } catch {
      try Task.checkCancellation()
      throw ClientError(description: "offline")
    }
  }
}

extension ReadResult.Counts {
  fileprivate var summary: String {
    "\(inserted) new, \(updated) changed, \(unchanged) unchanged"
      + (deleted > 0 ? ", \(deleted) deleted" : "")
  }
}

extension Edit.Rejection {
  /// The values that others gave to edited attributes.
  fileprivate init(changedElsewhere conflicts: [Edit.Conflict]) {
    let values = conflicts.map { "\($0.attribute ?? "object") \($0.server ?? .null)" }
    self.init(general: ["changed on another device: \(values.joined(separator: ", "))"])
  }
}

/// A request without a usable response, described for users.
struct ClientError: Error, CustomStringConvertible {
  let description: String
}

extension ClientError {
  init(_ response: NetworkResponse) {
    description = "the server responded with status \(response.status)"
  }
}
