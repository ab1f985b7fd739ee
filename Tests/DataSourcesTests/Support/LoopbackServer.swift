import DataSources
import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1, at a port that the system chooses, until its last reference goes.
final class LoopbackServer: Sendable {
  /// Where it is.
  let url: URL
  private let shared: Shared

  private final class Shared: Sendable {
    let listener: Int32
    let answer: @Sendable (NetworkRequest) -> NetworkResponse?
    let state = Mutex((requests: [NetworkRequest](), unanswered: [Int32]()))

    init(_ listener: Int32, _ answer: @escaping @Sendable (NetworkRequest) -> NetworkResponse?) {
      self.listener = listener
      self.answer = answer
    }
  }

  /// - Parameter answer: what to say; nil for never saying anything.
  init(_ answer: @escaping @Sendable (NetworkRequest) -> NetworkResponse?) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      guard let address = bytes.bindMemory(to: sockaddr.self).baseAddress else { return false }
      return bind(listener, address, length) == 0 && listen(listener, 16) == 0
        && getsockname(listener, address, &length) == 0
    }
    guard listener >= 0, isListening,
      let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/api")
    else { throw TestError(text: "no server: errno \(errno)") }
    self.url = url
    let shared = Shared(listener, answer)
    self.shared = shared
    Thread.detachNewThread {
      while true {
        let connection = accept(shared.listener, nil, nil)
        guard connection >= 0 else { break }
        Thread.detachNewThread { Self.serve(connection, shared) }
      }
      close(shared.listener)
    }
  }

  deinit {
    shutdown(shared.listener, Int32(SHUT_RDWR))
    for connection in shared.state.withLock({ $0.unanswered }) { close(connection) }
  }

  /// What it was asked.
  var requests: [NetworkRequest] { shared.state.withLock { $0.requests } }

  private static func serve(_ connection: Int32, _ shared: Shared) {
    guard let request = read(connection) else {
      close(connection)
      return
    }
    shared.state.withLock { $0.requests.append(request) }
    guard let response = shared.answer(request) else {
      shared.state.withLock { $0.unanswered.append(connection) }
      return
    }
    var head = "HTTP/1.1 \(response.status) \(response.status == 200 ? "OK" : "-")\r\n"
    for (name, value) in response.headers.fields { head += "\(name): \(value)\r\n" }
    head += "Content-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
    var bytes = Array(head.utf8) + response.body
    while !bytes.isEmpty {
      let count = send(connection, bytes, bytes.count, 0)
      guard count > 0 else { break }
      bytes.removeFirst(count)
    }
    close(connection)
  }

  private static func read(_ connection: Int32) -> NetworkRequest? {
    var received = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    let end = Data("\r\n\r\n".utf8)
    var expected = Int.max
    var head: (lines: [String], bodyStart: Int)?
    while received.count < expected {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received.append(contentsOf: buffer[..<count])
      if head == nil, let range = received.range(of: end) {
        let text = String(decoding: received[..<range.lowerBound], as: UTF8.self)
        let lines = text.components(separatedBy: "\r\n")
        head = (lines, range.upperBound)
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        expected = range.upperBound + (length ?? 0)
      }
    }
    guard let head else { return nil }
    let words = head.lines[0].split(separator: " ")
    guard words.count == 3, let method = NetworkRequest.Method(rawValue: String(words[0])),
      let url = URL(string: String(words[1]))
    else { return nil }
    var headers = HeaderFields()
    for line in head.lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        headers[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    let body = received[head.bodyStart...]
    return NetworkRequest(method, url, headers: headers, body: body.isEmpty ? nil : Data(body))
  }
}
