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
  /// The effect of all responses.
  private(set) var counts = Counts()

  /// - Parameter log: A closure that is called with a line for each request.
  init(_ store: Store, _ server: URL, log: @escaping @MainActor (String) -> Void) {
    self.store = store
    self.server = server
    self.log = log
    coder = StoreCoder(store: store)
  }

  // MARK: - Download

  func refreshList() async throws {
    // The list has all restaurants of the server. While there are edits, none is deleted, because the edits would be lost.
    try await refresh("restaurants") { list in
      hasEdits
        ? try Counts(coder.read([Restaurant].self, from: list))
        : try Counts(coder.read([Restaurant].self, from: list, complete: .all))
    }
  }

  func refreshDetail(of restaurant: Restaurant) async throws {
    try await refresh("restaurants/\(restaurant.id)") {
      try Counts(coder.read(Restaurant.self, from: $0))
    }
  }

  /// Requests a path. The response and its tag are stored in one transaction.
  /// - Parameter read: A closure that stores the response.
  private func refresh(_ path: String, read: (Data) throws -> Counts) async throws {
    var request = NetworkRequest(.get, server.appending(path: path))
    request.headers["If-None-Match"] =
      store.object(ofType: ResponseTag.self, forPrimaryKey: path)?.tag
    let response = try await send(request)
    if response.status == 304 { return log("GET \(path): 304, not modified") }
    try store.write {
      let read = try keepingEdits(of: Restaurant.self) { try read(response.body) }
      try store.update(
        ResponseTag.self, key: path, \.tag <- response.headers["ETag"], missing: .orInsert)
      counts += read
      log("GET \(path): \(response.status), \(read)")
    }
  }

  /// Runs `read`, which stores a response. Edited attributes keep their values; the others take the server's.
  private func keepingEdits<T: Editable, R>(of type: T.Type, _ read: () throws -> R) throws -> R {
    let edited = store.objects(type).where { $0.id > 0 && $0.edits.count > 0 }
    let edits = try edited.map { ($0, try coder.encode($0, only: $0.edits.keys)) }
    let result = try read()
    for (object, edit) in edits where !object.isInvalidated {
      try coder.decode(type, from: edit, at: "")
    }
    return result
  }

  // MARK: - Upload

  /// Sends the edits that the server does not have yet and has not refused.
  func upload() async throws {
    for restaurant in unsent(Restaurant.self) {
      try await upload(restaurant, to: "restaurants")
    }
    for review in unsent(Review.self) {
      // A review waits until its restaurant has an id.
      guard let restaurant = review.restaurant, restaurant.id > 0 else { continue }
      try await upload(review, to: "restaurants/\(restaurant.id)/reviews")
    }
  }

  /// True if there are edits or objects that the server does not have, also refused ones.
  private var hasEdits: Bool {
    func isEdited<T: Editable>(_ type: T.Type) -> Bool {
      !store.objects(type).where { $0.id < 0 || $0.edits.count > 0 }.isEmpty
    }
    return isEdited(Restaurant.self) || isEdited(Review.self)
  }

  private func unsent<T: Editable>(_ type: T.Type) -> Results<T> {
    store.objects(type).where { ($0.id < 0 || $0.edits.count > 0) && $0.refusal == nil }
  }

  private func upload<T: Editable>(_ object: T, to collection: String) async throws {
    let isNew = object.id < 0
    let edits = object.edits.dictionary
    let path = isNew ? collection : "\(collection)/\(object.id)"
    let body =
      isNew
      ? try coder.encode(object, useEnvelope: true)
      : try coder.encode(object, only: object.edits.keys, useEnvelope: true)
    let response = try await send(
      NetworkRequest(isNew ? .post : .patch, server.appending(path: path), body: body))
    log("\(isNew ? "POST" : "PATCH") \(path): \(response.status)")
    guard !object.isInvalidated else { return }
    try store.write {
      if response.isRefusal {
        // Edits made during the upload were not refused.
        if object.edits.dictionary == edits { object.refusal = reason(of: response, T.self) }
        return
      }
      if isNew {
        let values = try coder.updateDictionary(for: T.self, from: response.body)
        if case .int(let id)? = values["id"] {
          // A list that was loaded meanwhile may already have inserted the object.
          if let loaded = store.object(ofType: T.self, forPrimaryKey: Int(id)) {
            store.delete(loaded)
          }
          try store.rekey(object, to: Int(id))
        }
      }
      // An attribute that was edited again during the upload must be sent again.
      for (name, count) in edits where object.edits[name] == count { object.edits[name] = nil }
      _ = try keepingEdits(of: T.self) { try coder.decode(T.self, from: response.body) }
    }
  }

  /// The server's reason for refusing an object.
  private func reason<T: Editable>(of response: NetworkResponse, _ type: T.Type) -> String {
    let rejection = coder.rejection(of: type, in: response.body)
    return rejection.isEmpty ? response.statusText : rejection.description
  }

  /// - Throws: ``ClientError`` if the request failed in a way that would affect the next request as well;
  ///   `CancellationError`.
  private func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    guard let response = try? await transport.send(request) else {
      try Task.checkCancellation()
      throw ClientError(description: "offline")
    }
    guard [200, 201, 304].contains(response.status) || request.body != nil && response.isRefusal
    else { throw ClientError(description: response.statusText) }
    return response
  }
}

extension NetworkResponse {
  /// True if the server refuses this one object. A missing login (401), a timeout (408) and a busy server (429)
  /// concern all objects.
  fileprivate var isRefusal: Bool {
    (400..<500).contains(status) && ![401, 408, 429].contains(status)
  }

  fileprivate var statusText: String { "the server responded with status \(status)" }
}

/// A request without a usable response, described for users.
struct ClientError: Error, CustomStringConvertible {
  let description: String
}

/// The effect of responses on the restaurants in the store.
struct Counts: CustomStringConvertible {
  private var (inserted, updated, unchanged, deleted) = (0, 0, 0, 0)

  init() {}

  init(_ result: ReadResult<Restaurant>) {
    (inserted, updated, unchanged) = (result.inserted, result.updated, result.unchanged)
    deleted = result.deleted
  }

  static func += (sum: inout Counts, counts: Counts) {
    sum.inserted += counts.inserted
    sum.updated += counts.updated
    sum.unchanged += counts.unchanged
    sum.deleted += counts.deleted
  }

  var description: String {
    "\(inserted) new, \(updated) changed, \(unchanged) unchanged"
      + (deleted > 0 ? ", \(deleted) deleted" : "")
  }
}
