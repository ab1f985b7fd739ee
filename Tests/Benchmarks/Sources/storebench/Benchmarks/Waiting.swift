import Dispatch
import Synchronization

/// Runs asynchronous work on another thread and waits for it.
func waiting<R: Sendable>(
  _ work: @escaping @Sendable () async throws -> R
) throws -> R {
  let result = Eventual<R>()
  Task.detached {
    do {
      let value = try await work()
      result.value.withLock { $0 = .success(value) }
    } catch {
      result.value.withLock { $0 = .failure(error) }
    }
    result.isKnown.signal()
  }
  result.isKnown.wait()
  guard let value = result.value.withLock({ $0 }) else {
    throw ChildFailure(text: "the task ended without a result")
  }
  return try value.get()
}

private final class Eventual<R: Sendable>: Sendable {
  let value = Mutex<Result<R, any Error>?>(nil)
  let isKnown = DispatchSemaphore(value: 0)
}
