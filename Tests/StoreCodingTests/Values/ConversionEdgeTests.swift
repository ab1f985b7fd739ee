import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Limits of conversions by code` {
  final class Wrapped: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.coding(decode: { $0["w"] ?? .null }, encode: { ["w": $0] })) var maybe: JSONValue?
    @Persisted(.coding(decode: { $0["w"] ?? "none" }, encode: { ["w": $0] })) var some: JSONValue
    @Persisted(.coding(decode: { $0["w"] ?? "none" }, encode: { ["w": $0] }), .omitsEmpty)
    var list: List<JSONValue>
  }

  @Test func `a JSON null inside a converted value is not nil`() throws {
    let coder = try makeCoder()
    let wrapped = try coder.decode(Wrapped.self, #"{"id":1,"maybe":{"w":null},"some":{"w":null}}"#)
    #expect(wrapped.maybe == .some(.null))
    let text = try coder.text(wrapped)
    #expect(text == #"{"id":1,"maybe":{"w":null},"some":{"w":null}}"#)
    #expect(try makeCoder().decode(Wrapped.self, text).maybe == .some(.null))
    #expect(try coder.read(Wrapped.self, from: Data(text.utf8)).unchanged == 1)
  }

  @Test func `a conversion does not receive null as a value or an element`() throws {
    let wrapped = try makeCoder().decode(Wrapped.self, #"{"id":1,"some":null,"list":[null,3]}"#)
    #expect(wrapped.some == .null)
    #expect(Array(wrapped.list) == [.null, "none"])
  }

  struct Empty: ValueCoding {
    let json: JSONValue
    func decode(_ json: JSONValue) throws -> Int { try json.decode(Int.self) }
    func encode(_ number: Int) -> JSONValue { number == 0 ? json : .int(Int64(number)) }
  }

  final class Counted: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.coding(Empty(json: "")), .emptyAsNil) var text: Int?
    @Persisted(.coding(Empty(json: .null))) var null: Int = 1
    @Persisted(.coding(Empty(json: [])), .emptyAsNil, .omitsEmpty) var list: List<Int?>
  }

  @Test(arguments: [
    (
      #"{"id":1,"text":0}"#,
      #"text (Counted.text): expected JSON from Empty that is not read as nil, found string("")"#
    ),
    (
      #"{"id":1,"null":0}"#,
      "null (Counted.null): expected JSON from Empty that is not read as nil, found null"
    ),
    (
      #"{"id":1,"list":[1,0]}"#,
      "list[1] (Counted.list): expected JSON from Empty that is not read as nil, found array([])"
    ),
  ])
  func `a conversion may not encode a value as JSON that is read as nil`(
    text: String, expected: String
  ) throws {
    let coder = try makeCoder()
    let counted = try coder.decode(Counted.self, text)
    #expect(message { _ = try coder.encode(counted) } == expected)
  }

  final class Keyed: Object {
    @Persisted(
      primaryKey: true, .coding(decode: { try $0.decode(Int.self) }, encode: { .int(Int64($0)) }))
    var id: Int
    @Persisted(.keyed) var others: List<Keyed>
  }

  @Test func `a keyed collection of a class with a converted key is refused`() throws {
    #expect(
      message { try makeCoder().check(Keyed.self) }
        == "Keyed.others: 'keyed' cannot be combined with the 'coding' of the primary key Keyed.id")
  }

  final class Measured: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.coding(decode: { _ in .nan }, encode: { .double($0) })) var size: Double?
    @Persisted(
      .coding(decode: { throw Loud(text: $0.stringValue ?? "") }, encode: { .int(Int64($0)) }))
    var loud: Int?
  }

  struct Loud: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }

  @Test func `the messages of conversions are clipped and escaped`() throws {
    let coder = try makeCoder()
    #expect(
      message { try coder.decode(Measured.self, #"{"id":1,"size":1}"#) }
        == "size (Measured.size, id 1): expected a finite Double from its closures, found number 1 at line 1, column 16"
    )
    let long = String(repeating: #"\n"#, count: 10_000)
    let error = message { try coder.decode(Measured.self, #"{"id":1,"loud":"\#(long)"}"#) }
    #expect(error.utf8.count < 600)
    #expect(!error.contains("\n"))
    #expect(coder.explain(Measured.self).contains("coding: its closures"))
  }

  // MARK: - The store in conversions

  struct Acting: ValueCoding {
    /// The action that runs whenever a value is encoded.
    @TaskLocal static var action: (@Sendable () throws -> Void)?

    func decode(_ json: JSONValue) throws -> String { try json.decode(String.self) }
    func encode(_ text: String) throws -> JSONValue {
      try Self.action?()
      return .string(text)
    }
  }

  final class Acted: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.coding(Acting())) var first = ""
    @Persisted var tail = ""
  }

  private static let body =
    #"{"id":1,"first":"\#(String(repeating: "first", count: 20))","tail":"\#(String(repeating: "tail", count: 20))"}"#

  @Test(arguments: [true, false])
  func `a conversion for encoding cannot write to the store of its object`(inWrite: Bool) throws {
    let store = try Store()
    let coder = StoreCoder(store: store)
    let acted = try coder.decode(Acted.self, Self.body)
    nonisolated(unsafe) let writing = store
    let action: @Sendable () throws -> Void = {
      try writing.write {
        for id in 2..<3_000 { try writing.create(Acted.self, value: ["id": .int(Int64(id))]) }
      }
    }
    if inWrite { try store.beginWrite() }
    #expect(
      message { try Acting.$action.withValue(action) { _ = try coder.encode(acted) } }
        == "first (Acted.first): expected a value that Acting can encode, found a default value, an "
        + "initializer, a conversion for encoding, or a resolver of conflicts cannot write to the store that "
        + "evaluates it")
    if inWrite { try store.commitWrite() }
    #expect(store.objects(Acted.self).count == 1)
  }

  @Test func `a conversion for encoding may read the store, which shows the same version`() throws {
    let configuration = StoreConfiguration.inMemory(identifier: "read while encoding")
    let store = try Store(configuration: configuration)
    let coder = StoreCoder(store: store)
    let acted = try coder.decode(Acted.self, Self.body)
    nonisolated(unsafe) let reading = store
    let text = try Acting.$action.withValue({
      let other = try Store(configuration: configuration)
      try other.write {
        for id in 2..<3_000 {
          try other.create(Acted.self, value: ["id": .int(Int64(id)), "tail": "other"])
        }
        try other.update(Acted.self, key: 1, \.tail <- "changed")
      }
      reading.refresh()
      #expect(reading.objects(Acted.self).count == 1)
    }) { try coder.text(acted) }
    #expect(text == Self.body)
    store.refresh()
    #expect(store.objects(Acted.self).count == 2_999)
  }
}
