@testable import ObjectStore

/// Random queries and random writes on one store.
protocol QueryRun {
  var store: Store { get }

  /// Makes `times` rounds of random queries and checks their results.
  mutating func ask(times: Int) throws
  /// Updates, inserts and deletes `count` objects.
  mutating func change(_ count: Int) throws
}

extension QueryRun {
  /// Queries after each change of a write, with savepoints that are kept or undone.
  ///
  /// Precondition: a write is open.
  mutating func askInsideWrite(changing count: Int) throws {
    try change(count)
    try ask(times: 1)
    store.undone {
      try change(4)
      try ask(times: 1)
      store.undone { try change(3) }
      try ask(times: 1)
    }
    try store.write { try change(2) }
    try ask(times: 1)
  }

  /// Queries inside a write that is undone.
  mutating func askInsideUndoneWrite() {
    store.undone {
      try change(5)
      try ask(times: 1)
    }
  }
}
