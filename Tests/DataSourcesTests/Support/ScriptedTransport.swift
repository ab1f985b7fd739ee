import DataSources
import Foundation
import Synchronization

/// Answers as a script says, and remembers what it was sent.
final class ScriptedTransport: Transport {
  private let sent = Mutex<[NetworkRequest]>([])
  private let answer: @Sendable (NetworkRequest, Int) async throws -> NetworkResponse

  /// - Parameter answer: is given the request and how many came before it.
  init(_ answer: @escaping @Sendable (NetworkRequest, Int) async throws -> NetworkResponse) {
    self.answer = answer
  }

  /// Answers with each of these in turn, the last again and again.
  convenience init(_ answers: [Result<NetworkResponse, any Error>]) {
    self.init { _, index in try answers[min(index, answers.count - 1)].get() }
  }

  var requests: [NetworkRequest] { sent.withLock { $0 } }

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    let index = sent.withLock { sent in
      sent.append(request)
      return sent.count - 1
    }
    return try await answer(request, index)
  }
}

extension NetworkResponse {
  /// An answer with a text.
  init(_ status: Int, _ text: String = "", _ headers: HeaderFields = [:]) {
    self.init(status: status, headers: headers, body: Data(text.utf8))
  }
}

/// A base URL that nobody answers at.
func nowhere() throws -> URL {
  guard let url = URL(string: "http://server/api/") else { throw TestError() }
  return url
}
