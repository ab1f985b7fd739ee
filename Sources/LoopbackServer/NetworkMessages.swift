package import DataSources
import Foundation

// Parses and serializes requests and responses (RFC 9112) as far as local clients need it: one exchange for each
// connection, bodies with a `Content-Length` or in chunks.

extension NetworkRequest {
  /// A request that cannot be read.
  struct Failure: Error {
    /// The status of the response; nil if the connection has ended.
    let status: Int?
  }

  /// The maximum size of the request line and the header in bytes.
  private static var headByteCountLimit: Int { 64 << 10 }

  /// Reads a request from a connection.
  /// - Parameter bodyByteCountLimit: The maximum size of the body in bytes.
  init(from connection: TCPSocket, bodyByteCountLimit: Int) throws(Failure) {
    var received = Data()
    let blankLine = Data("\r\n\r\n".utf8)
    var end: Range<Int>?
    while end == nil {
      // The first bytes of the blank line may have arrived before.
      let searched = max(0, received.count - (blankLine.count - 1))
      received += try Self.receive(from: connection)
      end = received.range(of: blankLine, in: searched..<received.count)
      let length = end?.lowerBound ?? received.count
      if length > Self.headByteCountLimit { throw Failure(status: 431) }
    }
    guard let end else { throw Failure(status: nil) }
    self = try Self(head: received[..<end.lowerBound])
    let length = headers["Content-Length"].map { Int($0) ?? -1 } ?? 0
    if length < 0 { throw Failure(status: 400) }
    if length > bodyByteCountLimit { throw Failure(status: 413) }
    while received.count < end.upperBound + length {
      received += try Self.receive(from: connection)
    }
    if length > 0 { body = Data(received[end.upperBound...].prefix(length)) }
  }

  private static func receive(from connection: TCPSocket) throws(Failure) -> Data {
    guard let bytes = connection.receive() else { throw Failure(status: nil) }
    return bytes
  }

  /// Parses the request line and the header fields.
  private init(head: Data) throws(Failure) {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3, let url = URL(string: String(words[1])) else {
      throw Failure(status: 400)
    }
    guard let method = Method(rawValue: String(words[0])) else { throw Failure(status: 501) }
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
