import Foundation

/// A connected TCP socket.
struct TCPSocket {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Ends the connection when the peer neither sends nor receives anything for some time.
  func limitWaiting(milliseconds: Int) {
    var limit = timeval()
    limit.tv_sec = .init(milliseconds / 1_000)
    limit.tv_usec = .init(milliseconds % 1_000 * 1_000)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// The error of the last system call.
  static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// Creates a socket that listens on 127.0.0.1.
  /// - Parameter port: The port; 0 for a free port chosen by the system.
  static func listen(_ port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw lastError }
    // Allow a port whose previous connections are in TIME_WAIT.
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && Foundation.listen(descriptor, 16) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isListening else {
      let error = lastError
      close(descriptor)
      throw error
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// Receives data; nil at the end of the connection, or if nothing arrives in time.
  func receive() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Data(buffer[..<count]) : nil
  }

  /// Sends all data, or stops if the peer has closed the connection. Returns true if all data was sent.
  @discardableResult
  func send(_ data: Data) -> Bool {
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }
}
