import Foundation

/// Runs `body` on a thread whose stack is small, as those of a thread pool are: 512 KB.
public func onSmallStack(_ body: @escaping @Sendable () -> String) -> String {
  // Sendable: written by the thread, read after it ended.
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
