import DataSources
import Foundation
import Synchronization

/// A transport with scripted responses, which records the requests.
final class ScriptedTransport: Transport {
  private let sent = Mutex<[NetworkRequest]>([])
  private let respond: @Sendable (NetworkRequest, Int) async throws -> NetworkResponse

  /// - Parameter respond: A closure that receives the request and the number of requests before it.
  init(_ respond: @escaping @Sendable (NetworkRequest, Int) async throws -> NetworkResponse) {
    self.respond = respond
  }

  /// Creates a transport that returns these responses in order and repeats the last one.
  convenience init(_ responses: [Result<NetworkResponse, any Error>]) {
    self.init { _, index in try responses[min(index, responses.count - 1)].get() }
  }

  var requests: [NetworkRequest] { sent.withLock { $0 } }

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    let index = sent.withLock { sent in
      sent.append(request)
      return sent.count - 1
    }
    return try await respond(request, index)
  }
}

extension NetworkResponse {
  /// Creates a response with a string as its body.
  init(_ status: Int, _ text: String = "", _ headers: NetworkResponse.Headers = [:]) {
    self.init(status: status, headers: headers, body: Data(text.utf8))
  }
}

/// A base URL without a server.
func nowhere() throws -> URL {
  guard let url = URL(string: "http://server/api/") else { throw TestError() }
  return url
}
