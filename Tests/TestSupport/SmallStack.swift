import Foundation

/// Runs `body` on a thread with a small stack of 512 KB, like that of a thread pool.
public func onSmallStack(_ body: @escaping @Sendable () -> String) -> String {
  // Sendable: written by the thread, and read only after it has ended.
  final class Box: @unchecked Sendable { var text = "" }
  let box = Box()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    box.text = body()
    done.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  done.wait()
  return box.text
}
