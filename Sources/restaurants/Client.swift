import DataSources
import Foundation
import ObjectStore
import StoreCoding

/// Goes between the store and the server. What comes is decoded into the store; whoever shows it notices.
@MainActor final class Client {
  private let store: Store
  private let coder: StoreCoder
  private let server: URL
  private let transport: any Transport = URLSessionTransport()
  private let log: @MainActor (String) -> Void
  /// What all answers did.
  private(set) var counts = Counts()

  /// - Parameter log: is given a line for each request.
  init(_ store: Store, _ server: URL, log: @escaping @MainActor (String) -> Void) {
    self.store = store
    self.server = server
    self.log = log
    coder = StoreCoder(store: store)
  }

  // MARK: - Down

  func refreshList() async throws {
    try await refresh("restaurants") { try Counts(coder.read([Restaurant].self, from: $0)) }
  }

  func refreshDetail(of restaurant: Restaurant) async throws {
    try await refresh("restaurants/\(restaurant.id)") {
      try Counts(coder.read(Restaurant.self, from: $0))
    }
  }

  /// Asks for what is new at a path. The answer and its tag are stored in one transaction.
  /// - Parameter read: stores the answer.
  private func refresh(_ path: String, read: (Data) throws -> Counts) async throws {
    var request = NetworkRequest(.get, server.appending(path: path))
    request.headers["If-None-Match"] =
      store.object(ofType: AnswerTag.self, forPrimaryKey: path)?.tag
    let response = try await send(request)
    if response.status == 304 { return log("GET \(path): 304, nothing is new") }
    try store.write {
      // What the server has not got stays, whatever its answer says.
      let edited = store.objects(Restaurant.self).where { $0.unsentEdits > 0 }
      let edits = try edited.map { try coder.encode($0, useEnvelope: true) }
      let read = try read(response.body)
      for edit in edits { try coder.decode(Restaurant.self, from: edit) }
      try store.update(
        AnswerTag.self, key: path, \.tag <- response.headers["ETag"], missing: .orInsert)
      counts += read
      log("GET \(path): \(response.status), \(read)")
    }
  }

  // MARK: - Up

  /// Sends what the server has not got, and did not refuse.
  func upload() async throws {
    for restaurant in unsent(Restaurant.self) {
      try await upload(restaurant, to: "restaurants")
    }
    for review in unsent(Review.self) {
      // Not before its restaurant has an id.
      guard let restaurant = review.restaurant, restaurant.id > 0 else { continue }
      try await upload(review, to: "restaurants/\(restaurant.id)/reviews")
    }
  }

  private func unsent<T: Editable>(_ type: T.Type) -> Results<T> {
    store.objects(type).where { $0.unsentEdits > 0 && $0.refusal == nil }
  }

  private func upload<T: Editable>(_ object: T, to collection: String) async throws {
    let isNew = object.id < 0
    let edits = object.unsentEdits
    let path = isNew ? collection : "\(collection)/\(object.id)"
    let body = try coder.encode(object, useEnvelope: true)
    let response = try await send(
      NetworkRequest(isNew ? .post : .put, server.appending(path: path), body: body))
    log("\(isNew ? "POST" : "PUT") \(path): \(response.status)")
    guard !object.isInvalidated else { return }
    try store.write {
      if response.status == 422 {
        // What the user did meanwhile nobody has refused.
        guard object.unsentEdits == edits else { return }
        let answer = try JSONDecoder().decode([String: String].self, from: response.body)
        object.refusal = answer["error"]
        return
      }
      if isNew {
        let answer = try coder.updateDictionary(for: T.self, from: response.body)
        if case .int(let id)? = answer["id"] { try store.rekey(object, to: Int(id)) }
      }
      object.unsentEdits -= edits
      // Unless the user went on meanwhile, the server's version is the right one.
      if object.unsentEdits == 0 { try coder.decode(T.self, from: response.body) }
    }
  }

  /// - Throws: ``ClientError``; `CancellationError`.
  private func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    guard let response = try? await transport.send(request) else {
      try Task.checkCancellation()
      throw ClientError(description: "offline")
    }
    guard [200, 201, 304, 422].contains(response.status) else {
      throw ClientError(description: "the server answers \(response.status)")
    }
    return response
  }
}

/// Why there is no answer, for people.
struct ClientError: Error, CustomStringConvertible {
  let description: String
}

/// What answers did to the restaurants in the store.
struct Counts: CustomStringConvertible {
  private var (inserted, updated, unchanged) = (0, 0, 0)

  init() {}

  init(_ result: ReadResult<Restaurant>) {
    (inserted, updated, unchanged) = (result.inserted, result.updated, result.unchanged)
  }

  static func += (sum: inout Counts, counts: Counts) {
    sum.inserted += counts.inserted
    sum.updated += counts.updated
    sum.unchanged += counts.unchanged
  }

  var description: String { "\(inserted) new, \(updated) changed, \(unchanged) as before" }
}
