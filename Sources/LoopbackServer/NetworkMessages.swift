package import DataSources
import Foundation

// Parses and serializes requests and responses (RFC 9112) as far as local clients need it: one exchange for each
// connection, bodies with a `Content-Length` or in chunks.

extension NetworkRequest {
  /// The maximum size of a request in bytes.
  private static var byteCountLimit: Int { 64 << 20 }

  /// Reads a request from a connection; nil if the connection ends early, or the request is invalid or too large.
  init?(from connection: TCPSocket) {
    var received = Data()
    while true {
      guard received.count < Self.byteCountLimit, let bytes = connection.receive() else {
        return nil
      }
      received += bytes
      guard let head = received.range(of: Data("\r\n\r\n".utf8)) else { continue }
      guard var request = Self(head: received[..<head.lowerBound]) else { return nil }
      let length = request.headers["Content-Length"].flatMap { Int($0) } ?? 0
      guard (0...Self.byteCountLimit).contains(length) else { return nil }
      while received.count < head.upperBound + length {
        guard let bytes = connection.receive() else { return nil }
        received += bytes
      }
      if length > 0 { request.body = Data(received[head.upperBound...].prefix(length)) }
      self = request
      return
    }
  }

  /// Parses the request line and the header fields.
  private init?(head: Data) {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3, let method = Method(rawValue: String(words[0])),
      let url = URL(string: String(words[1]))
    else { return nil }
    var headers = NetworkResponse.Headers()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        headers[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    self.init(method, url, headers: headers)
  }
}

extension NetworkResponse {
  /// The serialized response.
  var bytes: Data { head("Content-Length: \(body.count)") + body }

  /// The serialized status line and header, with a field for the length of the body.
  func head(_ length: String) -> Data {
    var head = "HTTP/1.1 \(status) \(status == 200 ? "OK" : "-")\r\n"
    for (name, value) in headers.fields { head += "\(name): \(value)\r\n" }
    head += "\(length)\r\nConnection: close\r\n\r\n"
    return Data(head.utf8)
  }
}

/// A response whose body a ``LoopbackServer`` sends in chunks (RFC 9112 §7.1).
package struct ChunkedResponse {
  private let connection: TCPSocket

  init(_ connection: TCPSocket) {
    self.connection = connection
  }

  /// Sends the status and the header. The body of `response` is not used.
  package func begin(_ response: NetworkResponse = NetworkResponse()) {
    connection.send(response.head("Transfer-Encoding: chunked"))
  }

  /// Sends a part of the body. Returns false if the client has disconnected.
  package func send(_ text: String) -> Bool {
    let chunk = Data(text.utf8)
    if chunk.isEmpty { return true }
    return connection.send(
      Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8))
  }

  /// Sends the end of the body. Without it, the client receives a truncated body.
  package func end() {
    connection.send(Data("0\r\n\r\n".utf8))
  }
}
