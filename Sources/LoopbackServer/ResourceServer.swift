package import DataSources
import Foundation
package import ObjectStore
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An in-memory REST server for tests, with scripted faults.
///
///     let server = ResourceServer(ResourceCollection("animals", ids: .chosen))
///     server.set(["name": "Bella"], id: 7, in: "animals")
///     server.script([.lostResponse])
///     let loopback = try server.listen()
///     let source = NetworkDataSource<Animal>(base: loopback.url, …)
///
/// The resources are JSON objects. Tests call ``respond(to:)``, use the server as a `Transport`, or send requests to
/// the ``LoopbackServer`` that ``listen(port:)`` starts, also from other processes.
///
///     GET    /api/animals      200 with an array, ascending by id; 304 for its ETag
///     GET    /api/animals/7    200; 304 for its ETag; 404; 410 if it was deleted
///     POST   /api/animals      201; 409 if the id exists, but 200 if the resources are identical
///     PUT    /api/animals/7    200; 201 if it is new and the client chooses the ids
///     PATCH  /api/animals/7    200; 409 if an operation of a JSON Patch fails
///     DELETE /api/animals/7    204
///
/// A PUT, PATCH or DELETE gets 412 if its `If-Match` does not list the ETag of the resource, or if its `If-None-Match`
/// lists it. The bodies of 200, 201, 409 and 412 are the current resource, with its ETag; 412 has no body if there is
/// no resource. An invalid resource gets 422 with messages: `{"errors": {"name": ["is missing"]}}`. A malformed request
/// gets 400, 405 or 415.
///
/// The body of a PATCH is a JSON Merge Patch (RFC 7396), a JSON Patch (RFC 6902), or an object of the type
/// `application/json`. The members of this object replace those of the resource as a whole, and null removes a member.
package final class ResourceServer: Sendable {
  /// A request that changed a resource.
  package struct Change: Sendable, Hashable {
    /// The method of the request.
    package let method: NetworkRequest.Method
    /// The name of the collection.
    package let collection: String
    /// The id of the resource.
    package let id: ResourceID
    /// The body of the request; nil for a DELETE.
    package let body: JSONValue?
  }

  /// The response to a request and its delay.
  package struct Exchange: Sendable, Hashable {
    /// The response; nil if the request or the response is lost.
    package let response: NetworkResponse?
    /// The delay before the response arrives.
    package var delayMilliseconds = 0
  }

  private struct State {
    var tables: [String: ResourceTable] = [:]
    var changes: [Change] = []
    var requestCount = 0
  }

  private let state = Mutex(State())
  private let faults = FaultScript()

  /// Creates a server with empty collections.
  package init(_ collections: ResourceCollection...) {
    state.withLock { state in
      for collection in collections { state.tables[collection.name] = ResourceTable(collection) }
    }
  }

  // MARK: - Requests

  /// Responds to a request. Returns nil if the request or the response is lost.
  ///
  /// The thread is blocked during the delay that the script specifies.
  package func respond(to request: NetworkRequest) -> NetworkResponse? {
    let exchange = exchange(request)
    if exchange.delayMilliseconds > 0 {
      Thread.sleep(forTimeInterval: Double(exchange.delayMilliseconds) / 1000)
    }
    return exchange.response
  }

  /// Responds to a request without waiting for the delay that the script specifies.
  package func exchange(_ request: NetworkRequest) -> Exchange {
    state.withLock { $0.requestCount += 1 }
    switch faults.next(for: request) {
    case .none: return Exchange(response: apply(request))
    case .lostRequest: return Exchange(response: nil)
    case .lostResponse:
      _ = apply(request)
      return Exchange(response: nil)
    case .status(let status, let seconds):
      var response = NetworkResponse(status: status)
      response.headers["Retry-After"] = seconds.map { "\($0)" }
      return Exchange(response: response)
    case .delayed(let milliseconds):
      return Exchange(response: apply(request), delayMilliseconds: milliseconds)
    case .staleResponse: return Exchange(response: apply(request, isStale: true))
    }
  }

  private func apply(_ request: NetworkRequest, isStale: Bool = false) -> NetworkResponse {
    guard let (name, id) = Self.location(request.url) else { return NetworkResponse(status: 404) }
    let call = ResourceCall(request, id: id)
    return state.withLock { state in
      if isStale, request.method == .get, var table = state.tables[name]?.previous {
        return table.respond(to: call)
      }
      let revision = state.tables[name]?.revision
      guard let response = state.tables[name]?.respond(to: call) else {
        return NetworkResponse(status: 404)
      }
      if let table = state.tables[name], table.revision != revision, let id = table.lastChangedID {
        state.changes.append(
          Change(method: request.method, collection: name, id: id, body: call.json))
      }
      return response
    }
  }

  /// Returns the collection and the id in a URL; nil unless its path is `/api/collection` or `/api/collection/id`.
  private static func location(_ url: URL) -> (collection: String, id: ResourceID?)? {
    let components = url.path(percentEncoded: true).split(separator: "/")
    guard (2...3).contains(components.count), components[0] == "api" else { return nil }
    func decoded(_ component: Substring) -> String {
      component.contains("%") ? component.removingPercentEncoding ?? "" : String(component)
    }
    let id = components.count == 3 ? ResourceID(decoded(components[2])) : nil
    return (decoded(components[1]), id)
  }

  // MARK: - Faults

  /// Appends faults, one for each of the next requests.
  package func script(_ faults: [Fault]) {
    self.faults.append(faults)
  }

  /// Chooses the faults of the requests after those in the queue. `choose` can use the server, for example to change
  /// the requested resource as another client does.
  package func script(_ choose: @escaping @Sendable (NetworkRequest) -> Fault) {
    faults.choose(choose)
  }

  /// Chooses the faults of the requests after those in the queue at random. The same requests in the same order have
  /// the same faults. `choose` must not send requests to the server.
  package func script<Random: RandomNumberGenerator & Sendable>(
    random: Random, _ choose: @escaping @Sendable (NetworkRequest, inout Random) -> Fault
  ) {
    let random = SharedRandom(random)
    faults.choose { request in random.withGenerator { choose(request, &$0) } }
  }

  /// Removes the queue of faults and the closure that chooses them.
  package func clearScript() {
    faults.clear()
  }

  /// The number of queued faults.
  package var queuedFaultCount: Int { faults.count }

  // MARK: - State

  /// The requests that changed a resource, in order. A request that leaves its resource unchanged is not a change, nor
  /// are calls of ``set(_:id:in:)`` and ``remove(_:from:)``.
  package var changes: [Change] { state.withLock { $0.changes } }

  /// The number of requests, including lost ones.
  package var requestCount: Int { state.withLock { $0.requestCount } }

  /// The resources by collection and id.
  ///
  /// - Complexity: O(n) in the number of all resources.
  package var resources: [String: [ResourceID: JSONObject]] {
    state.withLock { $0.tables.mapValues { $0.resources.mapValues(\.object) } }
  }

  /// Creates or replaces a resource, as another client does. The resource is not validated.
  /// - Parameters:
  ///   - object: The resource. The server sets the member with the id.
  ///   - id: The id, which can be new.
  ///   - collection: The name of the collection.
  package func set(_ object: JSONObject, id: ResourceID, in collection: String) {
    edit(collection) { _ = $0.set(object, id: id) }
  }

  /// Deletes a resource, as another client does, if it exists.
  package func remove(_ id: ResourceID, from collection: String) {
    edit(collection) { $0.remove(id) }
  }

  private func edit(_ collection: String, _ body: (inout ResourceTable) -> Void) {
    state.withLock { state in
      guard var table = state.tables.removeValue(forKey: collection) else {
        misuse("The server has no collection '\(collection)'")
      }
      body(&table)
      state.tables[collection] = table
    }
  }
}

// MARK: - Transports

extension ResourceServer: Transport {
  /// Responds to a request in this process, after the delay that the script specifies.
  /// - Throws: `URLError` with the code `networkConnectionLost` if the request or the response is lost;
  ///   `CancellationError` if the task is cancelled during the delay.
  package func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    let exchange = exchange(request)
    if exchange.delayMilliseconds > 0 {
      try await Task.sleep(for: .milliseconds(exchange.delayMilliseconds))
    }
    guard let response = exchange.response else { throw URLError(.networkConnectionLost) }
    return response
  }

  /// Starts an HTTP server on 127.0.0.1 that responds for this one. If a request or a response is lost, it closes the
  /// connection immediately.
  /// - Parameter port: The port to listen on; 0 for a free port chosen by the system.
  /// - Returns: The server, which is stopped when its last reference is released.
  /// - Throws: `POSIXError`: `EADDRINUSE` if another process uses the port.
  package func listen(port: UInt16 = 0) throws -> LoopbackServer {
    try LoopbackServer(port: port, unanswered: .closed, handler: respond)
  }
}
