package import DataSources
package import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1. It runs until it is stopped or its last reference is released.
///
///     let server = try LoopbackServer { request in
///       NetworkResponse(status: request.url.path == "/api/places" ? 200 : 404)
///     }
///
/// One thread accepts connections. Each connection has a thread that reads a request, writes the response and closes
/// the connection.
package final class LoopbackServer: Sendable {
  /// The end of a connection whose request the handler leaves unanswered.
  package enum UnansweredConnection: Sendable {
    /// The connection stays open until the client disconnects or the server stops.
    case open
    /// The server closes the connection immediately, as if the request or the response was lost.
    case closed
  }

  /// Returns the response to a request, or nil to leave it unanswered. It is called on several threads.
  package typealias Handler = @Sendable (NetworkRequest) -> NetworkResponse?
  /// Sends the response to a request. It is called on several threads.
  package typealias StreamHandler = @Sendable (NetworkRequest, ChunkedResponse) -> Void
  private typealias Exchange = @Sendable (NetworkRequest, TCPSocket) -> Void

  /// The base URL: 127.0.0.1, the port and `/api`.
  package let url: URL
  /// The port. Another server can use it after this one was stopped.
  package let port: UInt16
  private let shared: Shared

  /// The state shared with the threads, which do not retain the server.
  private final class Shared: Sendable {
    struct State {
      var requests: [NetworkRequest] = []
      var connections: Set<Int32> = []
      var isStopped = false
    }

    let exchange: Exchange
    let keepsRequests: Bool
    let limits: Limits
    let state = Mutex(State())
    /// Signalled when the port is free.
    let end = DispatchSemaphore(value: 0)
    /// The write end of a pipe. Closing it wakes the accepting thread.
    let alarm: Int32

    init(
      _ exchange: @escaping Exchange, keepsRequests: Bool, _ limits: Limits, alarm: Int32
    ) {
      self.exchange = exchange
      self.keepsRequests = keepsRequests
      self.limits = limits
      self.alarm = alarm
    }
  }

  /// The limits for one client.
  package struct Limits: Sendable {
    /// The maximum size of the body of a request in bytes.
    package var bodyByteCount: Int
    /// The time in milliseconds for which a connection may be idle; nil for any time.
    package var idleMilliseconds: Int?

    package init(bodyByteCount: Int = 64 << 20, idleMilliseconds: Int? = nil) {
      self.bodyByteCount = bodyByteCount
      self.idleMilliseconds = idleMilliseconds
    }
  }

  /// Starts a server.
  /// - Parameters:
  ///   - port: The port to listen on; 0 for a free port chosen by the system.
  ///   - unanswered: The end of a connection whose request `handler` leaves unanswered.
  ///   - keepsRequests: True to keep all ``requests`` in memory.
  ///   - limits: The limits for one client. A request that exceeds them is refused.
  ///   - handler: The function that responds to requests.
  /// - Throws: `POSIXError`: `EADDRINUSE` if another process uses the port.
  package convenience init(
    port: UInt16 = 0, unanswered: UnansweredConnection = .open, keepsRequests: Bool = true,
    limits: Limits = Limits(), handler: @escaping Handler
  ) throws {
    try self.init(port: port, keepsRequests: keepsRequests, limits) { request, connection in
      if let response = handler(request) {
        connection.send(response.bytes)
      } else if unanswered == .open {
        // Wait until the client disconnects or the server stops.
        while connection.receive() != nil {}
      }
    }
  }

  /// Starts a server on a free port that sends responses in chunks.
  /// - Parameter handler: The function that sends responses. The connection is closed when it returns.
  /// - Throws: `POSIXError`.
  package convenience init(streaming handler: @escaping StreamHandler) throws {
    try self.init(port: 0, keepsRequests: true, Limits()) { request, connection in
      handler(request, ChunkedResponse(connection))
    }
  }

  private init(
    port: UInt16, keepsRequests: Bool, _ limits: Limits, _ exchange: @escaping Exchange
  ) throws {
    let (listener, port) = try TCPSocket.listen(port)
    var pipeEnds: [Int32] = [-1, -1]
    guard pipe(&pipeEnds) == 0, let url = URL(string: "http://127.0.0.1:\(port)/api") else {
      let error = TCPSocket.lastError
      close(listener)
      throw error
    }
    self.url = url
    self.port = port
    let (alarmRing, alarm) = (pipeEnds[0], pipeEnds[1])
    let shared = Shared(exchange, keepsRequests: keepsRequests, limits, alarm: alarm)
    self.shared = shared
    Thread.detachNewThread {
      Self.accept(listener, until: alarmRing, shared)
      // A child process that is being started may briefly have a copy of the descriptor, which would keep the port in
      // use.
      shutdown(listener, Int32(SHUT_RDWR))
      close(listener)
      close(alarmRing)
      shared.end.signal()
    }
  }

  deinit {
    stop()
  }

  /// The received requests in order of arrival; empty unless they are kept.
  package var requests: [NetworkRequest] { shared.state.withLock { $0.requests } }

  /// Stops the server. Pending requests remain unanswered, and no new connection is accepted after this returns.
  package func stop() {
    let isFirst = shared.state.withLock { state in
      defer { state.isStopped = true }
      // Shutting down a connection wakes its thread, which closes it.
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      return !state.isStopped
    }
    guard isFirst else { return }
    // A byte, because a child process may have a copy of the descriptor, which would keep the pipe open.
    _ = withUnsafeBytes(of: UInt8(0)) { write(shared.alarm, $0.baseAddress, 1) }
    close(shared.alarm)
    shared.end.wait()
  }

  // MARK: - Threads

  /// Accepts connections until `alarm` can be read.
  private static func accept(_ listener: Int32, until alarm: Int32, _ shared: Shared) {
    var awaited = [
      pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&awaited, 2, -1) > 0 || errno == EINTR, awaited[1].revents == 0 else { return }
      guard awaited[0].revents != 0 else { continue }
      let connection = Foundation.accept(listener, nil, nil)
      guard connection >= 0 else {
        // With no descriptor left, the next attempt would fail at once.
        if errno == EMFILE || errno == ENFILE { usleep(50_000) }
        continue
      }
      shared.state.withLock { state in
        state.connections.insert(connection)
        if state.isStopped { shutdown(connection, Int32(SHUT_RDWR)) }
      }
      Thread.detachNewThread {
        serve(TCPSocket(connection), shared)
        shared.state.withLock { state in
          state.connections.remove(connection)
          _ = close(connection)
        }
      }
    }
  }

  private static func serve(_ connection: TCPSocket, _ shared: Shared) {
    if let limit = shared.limits.idleMilliseconds { connection.limitWaiting(milliseconds: limit) }
    do throws(NetworkRequest.Failure) {
      let request = try NetworkRequest(
        from: connection, bodyByteCountLimit: shared.limits.bodyByteCount)
      if shared.keepsRequests { shared.state.withLock { $0.requests.append(request) } }
      shared.exchange(request, connection)
    } catch {
      if let status = error.status { connection.send(NetworkResponse(status: status).bytes) }
    }
  }
}
