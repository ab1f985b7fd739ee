package import DataSources
package import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1, for tests and the example: until it is stopped, or its last reference goes.
///
///     let server = try LoopbackServer { request in
///       NetworkResponse(status: request.url.path == "/api/places" ? 200 : 404)
///     }
///
/// A thread waits for connections, and each of them has one: it reads a request, writes the answer and
/// closes.
package final class LoopbackServer: Sendable {
  /// What it says to a request; nil for never saying anything. It is called on many threads.
  package typealias Answer = @Sendable (NetworkRequest) -> NetworkResponse?

  /// Where it is: 127.0.0.1, its port and `/api`.
  package let url: URL
  /// Its port; another server can take it when this one is stopped.
  package let port: UInt16
  private let shared: Shared

  /// What the threads have, which do not keep the server itself.
  private final class Shared: Sendable {
    struct State {
      var requests: [NetworkRequest] = []
      var connections: Set<Int32> = []
      var isStopped = false
    }

    let answer: Answer
    let state = Mutex(State())
    /// Is signalled when the port is free again.
    let end = DispatchSemaphore(value: 0)
    /// A pipe whose end wakes the thread that waits for connections.
    let alarm: Int32

    init(_ answer: @escaping Answer, alarm: Int32) {
      self.answer = answer
      self.alarm = alarm
    }
  }

  /// - Parameters:
  ///   - port: where to listen; 0 for a port that the system chooses.
  ///   - answer: what to say.
  /// - Throws: `POSIXError`: `EADDRINUSE` if somebody else has the port.
  package init(port: UInt16 = 0, answer: @escaping Answer) throws {
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
    let shared = Shared(answer, alarm: alarm)
    self.shared = shared
    Thread.detachNewThread {
      Self.accept(listener, until: alarmRing, shared)
      // A process that is being started may have a copy for a moment, which would keep the port.
      shutdown(listener, Int32(SHUT_RDWR))
      close(listener)
      close(alarmRing)
      shared.end.signal()
    }
  }

  deinit {
    stop()
  }

  /// What it was asked, in the order in which the requests came.
  package var requests: [NetworkRequest] { shared.state.withLock { $0.requests } }

  /// Ends it: what is asked and not answered yet will not be, and nobody can connect any more when this returns.
  package func stop() {
    let isFirst = shared.state.withLock { state in
      defer { state.isStopped = true }
      // Each is closed by its own thread, which wakes up.
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      return !state.isStopped
    }
    guard isFirst else { return }
    close(shared.alarm)
    shared.end.wait()
  }

  // MARK: - Threads

  /// Takes connections until the other end of `alarm` is closed.
  private static func accept(_ listener: Int32, until alarm: Int32, _ shared: Shared) {
    var awaited = [
      pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&awaited, 2, -1) > 0 || errno == EINTR, awaited[1].revents == 0 else { return }
      guard awaited[0].revents != 0 else { continue }
      let connection = Foundation.accept(listener, nil, nil)
      guard connection >= 0 else { continue }
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
    guard let request = NetworkRequest(from: connection) else { return }
    shared.state.withLock { $0.requests.append(request) }
    if let response = shared.answer(request) {
      connection.send(response.bytes)
    } else {
      // Until the one who asked leaves, or the server stops.
      while connection.receive() != nil {}
    }
  }
}
