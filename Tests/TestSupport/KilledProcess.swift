import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Kills the calling process after a delay.
///
/// The delay makes the kill independent of the progress of the process: the tests pass a random delay, so that the kill
/// happens at any point.
public func killProcess(afterMicroseconds delay: Int) {
  Thread.detachNewThread {
    usleep(UInt32(delay))
    kill(getpid(), SIGKILL)
  }
}

/// Suspends the thread until the process is killed.
public func waitUntilKilled() -> Never {
  while true { pause() }
}
