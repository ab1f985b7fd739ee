/// One step of a simulated program. It names objects by numbers, so that it also makes sense when steps before it are
/// removed; a step that does not apply does nothing.
enum Step: Hashable, Sendable, Codable {
  /// A write through a handle.
  case write(on: Int, as: Writer, [Change], end: Ending)
  /// A payload that decodes to changes of the server.
  case decode(Payload, on: Int, by: Way)
  /// Shows the newest version in a handle, and notifies its observers.
  case refresh(on: Int)
  /// Keeps a frozen view of all objects.
  case freeze(on: Int)
  case dropView(Int)
  /// Starts or ends an observer.
  case observe(Int, on: Int)
  /// Evicts the customers to which no other object links.
  case evict(on: Int)
  case deleteAll(on: Int)

  // The network.

  /// Another client changes an object of the server, or creates it.
  case serverSets(Kind, Int, String, Value)
  case serverDeletes(Kind, Int)
  /// Requests a list of all objects of a class. The response arrives later.
  case request(Kind, attributes: UInt32)
  /// A response arrives: the oldest, or a later one. It may arrive again.
  case respond(Int, on: Int, complete: Bool, late: Bool, again: Bool)
  /// Takes an edit to send it.
  case take(Kind, on: Int)
  /// The server applies the edit that is under way.
  case apply(Int)
  /// The edit that is under way gets its outcome.
  case settle(Int, on: Int, Outcome)
  case revert(Kind, Int, on: Int)
  case revertDeletion(Kind, Int, on: Int)

  // Files.

  case reopen
  case flush
  case compact
  /// Copies the store, and compares the copy.
  case copy
  /// Opens the store with a newer schema version and a migration.
  case migrate(Migrating)
  /// A reading process shows the newest commit.
  case read
  /// Makes the file system fail.
  case fail(Fault, at: Int, lasting: Bool)
  /// Ends the process during the next steps, and continues with what is left.
  case crash(Crash, at: Int)

  enum Writer: Hashable, Sendable, Codable { case user, server }
  enum Ending: Hashable, Sendable, Codable { case commit, rollBack }
  enum Outcome: Int, Hashable, Sendable, CaseIterable, Codable {
    case confirmed, confirmedTwice, later, unapplied, rejected, reverted, gone
  }
  enum Migrating: Int, Hashable, Sendable, CaseIterable, Codable {
    case nothing, change, delete, fail
  }
  enum Way: Int, Hashable, Sendable, CaseIterable, Codable {
    /// `clearing`: attributes that the objects lack are cleared, if their class tracks no edits.
    case objects, list, clearing, document, stream, dictionaries, plan, insideWrite
  }
}

/// A change inside a write.
enum Change: Hashable, Sendable, Codable {
  case set(Kind, Int, String, Value)
  /// Creates an object with some values, or updates it if it exists.
  case create(Kind, Int, [Member])
  /// Updates an object if it exists.
  case update(Kind, Int, [Member])
  case delete(Kind, Int)
  /// Changes the staff of a shop or the guests of an order.
  case append(Kind, Int, Int)
  case insert(Kind, Int, Int, at: Int)
  case remove(Kind, Int, at: Int)
  case move(Kind, Int, from: Int, to: Int)
  case rekey(Kind, Int, to: Int)
  case receive(Payload)
  case savepoint([Change], end: Step.Ending)
}

/// An attribute with a value.
struct Member: Hashable, Sendable, Codable {
  var name: String
  var value: Value

  init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }
}

/// A list of objects from the server.
struct Payload: Hashable, Sendable, Codable {
  var kind: Kind
  var objects: [Node]

  struct Node: Hashable, Sendable, Codable {
    var kind: Kind
    var id: Int
    var members: [Member]
    /// Objects with more than their key, in place of links to them.
    var nested: [Node] = []
  }
}
