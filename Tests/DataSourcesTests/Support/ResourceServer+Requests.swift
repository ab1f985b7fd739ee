import DataSources
import Foundation
import LoopbackServer
import ObjectStore

extension ResourceServer {
  /// A server with animals, whose ids are chosen by the client, and farms, whose ids are assigned by the server. Animal
  /// 7 and farm 1 exist, animal 8 and farm 2 are deleted.
  static func farms(validate: @escaping ResourceCollection.Validator = { _ in [:] })
    -> ResourceServer
  {
    let server = ResourceServer(
      ResourceCollection("animals", ids: .chosen, validate: validate),
      ResourceCollection("farms", ids: .assigned, validate: validate))
    for (collection, id) in [("animals", 8), ("farms", 2)] as [(String, ResourceID)] {
      server.set([:], id: id, in: collection)
      server.remove(id, from: collection)
    }
    server.set(["name": "Bella"], id: 7, in: "animals")
    server.set(["name": "Hill"], id: 1, in: "farms")
    return server
  }

  /// Sends a request like `GET animals/7` with a JSON body.
  func request(
    _ line: String, _ body: String? = nil, _ headers: NetworkResponse.Headers = [:]
  ) -> NetworkResponse? {
    NetworkRequest(line, body, headers).flatMap { respond(to: $0) }
  }

  /// The `ETag` of the response to a GET; nil for none.
  func tag(_ path: String) -> String? { request("GET \(path)")?.headers["ETag"] }

  /// The changes as request lines with bodies.
  var changeLines: [String] {
    changes.map { change in
      let line = "\(change.method.rawValue) \(change.collection)/\(change.id)"
      return change.body.map { "\(line) \($0.jsonText)" } ?? line
    }
  }
}

extension NetworkRequest {
  /// Creates a request from a line like `GET animals/7`.
  init?(
    _ line: String, _ body: String? = nil, _ headers: NetworkResponse.Headers = [:],
    base: String = "http://server/api"
  ) {
    let words = line.split(separator: " ")
    guard words.count == 2, let method = Method(rawValue: String(words[0])),
      let url = URL(string: "\(base)/\(words[1])")
    else { return nil }
    self.init(method, url, headers: headers, body: body.map { Data($0.utf8) })
  }
}

extension NetworkResponse? {
  /// The status and the body: `200 {"id":7}`; "none" for no response.
  var line: String {
    guard let self else { return "none" }
    let body = String(decoding: self.body, as: UTF8.self)
    return body.isEmpty ? "\(self.status)" : "\(self.status) \(body)"
  }
}
