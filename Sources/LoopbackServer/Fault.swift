import DataSources
import Synchronization

/// The failure that a ``ResourceServer`` simulates for a request.
package enum Fault: Sendable, Hashable {
  /// No failure.
  case none
  /// The request does not arrive: it is not applied and has no response.
  case lostRequest
  /// The request is applied, but its response does not arrive.
  case lostResponse
  /// The request is not applied. The response has this status, the header field `Retry-After` unless
  /// `retryAfterSeconds` is nil, and no body.
  case status(Int, retryAfterSeconds: Int? = nil)
  /// The request is applied immediately, and its response arrives after this delay.
  case delayed(milliseconds: Int)
  /// A GET receives the resource or list as it was before the last change of the collection, with the former ETag, as
  /// from a cache on the way. Requests with other methods have no failure.
  case staleResponse
}

/// The faults of the next requests.
final class FaultScript: Sendable {
  typealias Choice = @Sendable (NetworkRequest) -> Fault

  private struct State {
    var queue: ArraySlice<Fault> = []
    var choice: Choice?
  }

  private let state = Mutex(State())

  /// The number of queued faults.
  var count: Int { state.withLock { $0.queue.count } }

  func append(_ faults: [Fault]) {
    state.withLock { $0.queue += faults }
  }

  /// Sets the closure that chooses faults while the queue is empty; nil for none.
  func choose(_ choice: Choice?) {
    state.withLock { $0.choice = choice }
  }

  func clear() {
    state.withLock { $0 = State() }
  }

  /// Returns the fault for a request, and removes it from the queue.
  func next(for request: NetworkRequest) -> Fault {
    let (fault, choice) = state.withLock { state -> (Fault?, Choice?) in
      if let fault = state.queue.popFirst() { return (fault, nil) }
      return (nil, state.choice)
    }
    // Called without the lock, so that the closure can use the server.
    return fault ?? choice?(request) ?? Fault.none
  }
}

/// A random number generator that is shared by the requests of a server.
final class SharedRandom<Generator: RandomNumberGenerator & Sendable>: Sendable {
  private let generator: Mutex<Generator>

  init(_ generator: Generator) {
    self.generator = Mutex(generator)
  }

  func withGenerator<R: Sendable>(_ body: (inout Generator) -> R) -> R {
    generator.withLock { body(&$0) }
  }
}
