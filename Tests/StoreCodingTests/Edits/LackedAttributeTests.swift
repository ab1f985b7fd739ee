import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Files that a class with fewer attributes opens in between, as an older version of an app does. K6, R30
@Suite struct `Payloads and edits of a class that lacks attributes of its file` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Opens the file with optional integers, besides the key.
  private func open(_ names: String...) throws -> StoreCoder {
    let attributes = names.map { Property($0, .int, isOptional: true) }
    let schema = ObjectSchema(
      "Thing", [Property("id", .int, isPrimaryKey: true)] + attributes, tracksEdits: true)
    return StoreCoder(
      store: try Store(configuration: .file(folder.file("things.store")), schemas: [schema]))
  }

  private func thing(_ coder: StoreCoder) throws -> DynamicObject {
    try #require(try coder.store.object(dynamic: "Thing", forPrimaryKey: 1))
  }

  @discardableResult
  private func decode(
    _ json: String, _ coder: StoreCoder, absent: AbsentAttributes = .keep
  ) throws -> DynamicObject {
    try coder.decode(DynamicObject.self, dynamic: "Thing", from: Data(json.utf8), absent: absent)
  }

  /// Stores an object with an edit of `b`.
  private func editB() throws {
    let coder = try open("a", "b")
    let object = try decode(#"{"id":1,"a":1,"b":1}"#, coder)
    try coder.store.write { object["b"] = 2 }
  }

  @Test func `an object is not whole any more once a class with another attribute has written it`()
    throws
  {
    try decode(#"{"id":1,"a":1}"#, try open("a", "b"), absent: .clear)
    for number in 2...3 {
      let coder = try open("a", "c")
      #expect(try thing(coder).unknownAttributes == ["c"])
      try coder.store.write(as: .server) { try thing(coder)["a"] = number }
    }
    #expect(try thing(try open("a", "b", "c")).unknownAttributes == ["b", "c"])
  }

  @Test(arguments: [false, true])
  func `a value that only the file had does not return with a reverted deletion`(
    isConfirmed: Bool
  ) throws {
    do {
      let coder = try open("a", "b")
      try coder.store.write {
        try coder.store.create(dynamic: "Thing", value: ["id": 1, "a": 1, "b": 5])
      }
    }
    do {
      let coder = try open("a")
      if isConfirmed {
        try coder.settle(try #require(try coder.store.takeEdits().first), .confirmed)
      } else {
        try decode(#"{"id":1,"a":1}"#, coder)
      }
      try coder.store.write { coder.store.delete(try thing(coder)) }
    }
    let coder = try open("a", "b")
    try coder.store.settle(try #require(try coder.store.takeEdits().first), .reverted)
    let object = try thing(coder)
    #expect(object.unknownAttributes == ["b"] && object["a"] as? Int == 1)
    #expect(String(decoding: try coder.encode(object), as: UTF8.self) == #"{"id":1,"a":1}"#)
  }

  @Test(arguments: [false, true])
  func `an edit that only the file has ends when the class deletes the object`(
    isCreatedAgain: Bool
  ) throws {
    try editB()
    do {
      let coder = try open("a")
      let object = try thing(coder)
      try coder.store.write { object["a"] = 3 }
      try coder.store.settle(try #require(try coder.store.takeEdits().first), .later)
      try coder.store.write { coder.store.delete(object) }
      if isCreatedAgain {
        try coder.store.write {
          try coder.store.create(dynamic: "Thing", value: ["id": 1, "a": 8])
        }
      } else {
        try coder.store.settle(try #require(try coder.store.takeEdits().first), .reverted)
      }
    }
    let coder = try open("a", "b")
    let object = try thing(coder)
    #expect(object.editedAttributes == ["a"] && object.unknownAttributes == ["b"])
    // The server's new value is not withheld.
    try decode(#"{"id":1,"b":70}"#, coder)
    #expect(object["b"] as? Int == 70)
    let edit = try #require(try coder.store.takeEdits().first)
    #expect(
      String(decoding: try coder.encode(edit, as: .mergePatch), as: UTF8.self)
        == (isCreatedAgain ? #"{"a":8}"# : #"{"a":1}"#))
  }

  @Test(arguments: ["complete list", "eviction", "deletion"])
  func `an object whose only edit is one that the file has can be removed`(_ way: String) throws {
    try editB()
    do {
      let coder = try open("a")
      switch way {
      case "complete list":
        let result = try coder.read(
          [DynamicObject].self, dynamic: "Thing", from: Data(#"[{"id":2,"a":5}]"#.utf8),
          complete: .all)
        #expect(result.deleted == 1 && result.conflicts.isEmpty)
      case "eviction":
        try coder.store.evict(by: [.policy(.whileLinked, ofClass: "Thing")])
      default:
        try coder.store.write(as: .server) { coder.store.delete(try thing(coder)) }
      }
      #expect(try coder.store.object(dynamic: "Thing", forPrimaryKey: 1) == nil)
    }
    let coder = try open("a", "b")
    try decode(#"{"id":1,"a":7,"b":7}"#, coder)
    #expect(try coder.store.pendingEdits().isEmpty)
  }
}
