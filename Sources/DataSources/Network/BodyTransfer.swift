import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request of a `URLSession` whose response is delivered in chunks.
///
/// The transfer does not wait for the reader: on Linux, a suspended task starts its request again when it is resumed.
/// Unread bytes are therefore kept in a ``BodySpool``.
final class BodyTransfer: NSObject, URLSessionDataDelegate {
  private struct State {
    var task: URLSessionDataTask?
    var header: CheckedContinuation<URLResponse, any Error>?
    var reader: CheckedContinuation<Data?, any Error>?
    var spool = BodySpool()
    /// The result of the transfer; nil until it has ended.
    var outcome: Result<Void, any Error>?

    /// Returns the next chunk, nil at the end, or an error; nil if the reader must wait.
    mutating func next() -> Result<Data?, any Error>? {
      do {
        if let chunk = try spool.next() { return .success(chunk) }
      } catch {
        return .failure(error)
      }
      return outcome.map { outcome in outcome.map { nil } }
    }

    /// Removes the reader if it need not wait.
    mutating func takeReader() -> (CheckedContinuation<Data?, any Error>, Result<Data?, any Error>)?
    {
      guard let reader, let next = next() else { return nil }
      self.reader = nil
      return (reader, next)
    }
  }

  private let state = Mutex(State())

  /// The reader of a transfer. The transfer is cancelled when the reader is released.
  final class Reading: Sendable {
    private let transfer: BodyTransfer

    init(_ transfer: BodyTransfer) {
      self.transfer = transfer
    }

    deinit {
      transfer.cancel()
    }

    /// Returns the next chunk of the body; nil at its end.
    /// - Throws: The error that ended the transfer; `CancellationError` if the task is cancelled.
    func next() async throws -> Data? {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { transfer.read($0) }
      } onCancel: {
        transfer.cancel()
      }
    }
  }

  /// Sends the request and returns the response when its header has arrived.
  func start(_ request: URLRequest, in session: URLSession) async throws -> URLResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.header = continuation }
        #if canImport(FoundationNetworking)
          // Delegates of tasks are not called.
          let session = URLSession(
            configuration: session.configuration, delegate: self, delegateQueue: nil)
          let task = session.dataTask(with: request)
          session.finishTasksAndInvalidate()
        #else
          let task = session.dataTask(with: request)
          task.delegate = self
        #endif
        let isCancelled = state.withLock { state in
          state.task = task
          return state.outcome != nil
        }
        task.resume()
        if isCancelled { task.cancel() }
      }
    } onCancel: {
      cancel()
    }
  }

  private func read(_ continuation: CheckedContinuation<Data?, any Error>) {
    let next: Result<Data?, any Error>? = state.withLock { state in
      if state.reader != nil {
        return .failure(
          DataSourceError.failed("the chunks of a response can be read by one task only"))
      }
      if let next = state.next() { return next }
      state.reader = continuation
      return nil
    }
    if let next { continuation.resume(with: next) }
  }

  /// Ends the transfer and drops the unread bytes. Does nothing if it has ended and everything was read.
  func cancel() {
    end(.failure(CancellationError()), dropsBytes: true)
    state.withLock { $0.task }?.cancelOutsideHandler()
  }

  private func end(_ outcome: Result<Void, any Error>, dropsBytes: Bool = false) {
    let (header, reader) = state.withLock { state in
      if state.outcome == nil || dropsBytes && !state.spool.isEmpty { state.outcome = outcome }
      if dropsBytes { state.spool = BodySpool() }
      let header = state.header
      state.header = nil
      return (header, state.takeReader())
    }
    if let header {
      header.resume(
        with: outcome.flatMap { .failure(URLError(.badServerResponse)) })
    }
    if let (reader, next) = reader { reader.resume(with: next) }
  }

  // MARK: - URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let header = state.withLock { state in
      defer { state.header = nil }
      return state.header
    }
    header?.resume(returning: response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    do {
      let reader = try state.withLock { state in
        if state.outcome == nil { try state.spool.append(data) }
        return state.takeReader()
      }
      if let (reader, next) = reader { reader.resume(with: next) }
    } catch {
      end(.failure(error))
      dataTask.cancel()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end(error.map { .failure($0) } ?? .success(()))
  }
}
