import Dispatch
import Synchronization

/// Runs an asynchronous preparation on another thread, and waits for its end.
func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
  let end = DispatchSemaphore(value: 0)
  let failure = Mutex<(any Error)?>(nil)
  Task.detached {
    do { try await body() } catch { failure.withLock { $0 = error } }
    end.signal()
  }
  end.wait()
  if let failure = failure.withLock({ $0 }) { throw failure }
}
