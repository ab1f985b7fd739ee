import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// A request under way, for Linux: there, `URLSession.data(for:)` can hang if its task is cancelled while the response
  /// arrives.
  final class RunningRequest: Sendable {
    private struct State {
      var task: URLSessionDataTask?
      var isCancelled = false
    }

    private let state = Mutex(State())

    /// Sends a request and returns the response with its body.
    static func data(
      for request: URLRequest, in session: URLSession
    ) async throws -> (Data, URLResponse) {
      let running = RunningRequest()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let task = session.dataTask(with: request) { data, response, error in
            if let response, error == nil {
              continuation.resume(returning: (data ?? Data(), response))
            } else {
              continuation.resume(throwing: error ?? URLError(.unknown))
            }
          }
          running.start(task)
        }
      } onCancel: {
        running.cancel()
      }
    }

    private func start(_ task: URLSessionDataTask) {
      let isCancelled = state.withLock { state in
        state.task = task
        return state.isCancelled
      }
      task.resume()
      if isCancelled { task.cancelOutsideHandler() }
    }

    private func cancel() {
      let task = state.withLock { state in
        state.isCancelled = true
        return state.task
      }
      task?.cancelOutsideHandler()
    }
  }
#endif

extension URLSessionTask {
  /// Cancels the task. On Linux, `cancel()` waits for the queue of the session, which may wait for the Swift task whose
  /// cancellation is being handled, so it is called on another queue.
  func cancelOutsideHandler() {
    #if canImport(FoundationNetworking)
      DispatchQueue.global().async { self.cancel() }
    #else
      cancel()
    #endif
  }
}
