import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Partial {
  final class Part: EmbeddedObject {
    @Persisted(.aliases("old.name")) var name: String?
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  final class Place: EmbeddedObject {
    @Persisted var city: String?
    @Persisted var zip: String?
    @Persisted var inner: Partial.Place?
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.inPlace) var place: Partial.Place?
    override class var tracksEdits: Bool { true }
  }

  final class Track: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/points/0/x") var x: Double?
    @Persisted(json: "/points/0/y", .aliases("y")) var y: Double?
    @Persisted(json: "/points/0/z", .writesNil) var z: Double?
    @Persisted(json: "/points/2/z", .writesNil, .null(.skip)) var lastZ: Double?
    @Persisted(json: "/points/1/x") var nextX: Double?
    @Persisted(json: "/names/0") var first: String?
    @Persisted(json: "/names/1") var second: String?
    @Persisted(json: "/tags/0", .aliases("tag")) var tag: String?
    @Persisted(json: "/tags/1", .aliases("next_tag")) var nextTag: String?
    @Persisted(json: "meta.created") var created: String?
    @Persisted(json: "meta.note") var note: String?
    @Persisted var part: Partial.Part?
    @Persisted(json: "far_off.away.far", .aliases("far")) var far: Int?
    @Persisted(.aliases("sizes")) var prices: Map<String, Int>
    override class var codableIgnoredAttributes: [String] { ["created"] }
    override class var tracksEdits: Bool { true }
  }
}

/// JSON Patches of objects of which payloads contain a part. Each applies to the server's own document.
@Suite struct `JSON Patches of partial documents` {
  private typealias Track = Partial.Track

  private let coder: StoreCoder

  init() throws {
    coder = try makeCoder()
  }

  /// Expects that the patch and the edit of a change, applied to a document, result in another document.
  private func expect(
    _ payload: String, _ result: String, hasEdit: Bool = true, _ change: (Track) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let track = try coder.decode(Track.self, payload)
    let before = track.frozen()
    try coder.store.write { change(track) }
    let document = try parsedJSON(Data(payload.utf8))
    var bodies = [try coder.patch(from: before, to: track, as: .jsonPatch())]
    if hasEdit {
      let edit = try #require(try coder.store.takeEdit(of: track))
      bodies.append(try coder.encode(edit, as: .jsonPatch()))
    }
    for body in bodies {
      let patch = try parsedJSON(#require(body))
      let changed = try PatchReference.applying(patch, to: document)
      #expect(
        changed == (try parsedJSON(Data(result.utf8))), "\(patch)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [
    (#"{"id":1}"#, #"{"id":1,"points":[{"x":5}]}"#),
    (#"{"id":1,"points":[{"x":null}]}"#, #"{"id":1,"points":[{"x":5}]}"#),
    (#"{"id":1,"points":[{"y":1},{"x":2}]}"#, #"{"id":1,"points":[{"x":5,"y":1},{"x":2}]}"#),
    (#"{"id":1,"points":[null,{"x":2}]}"#, #"{"id":1,"points":[{"x":5,"z":null},{"x":2}]}"#),
    (
      #"{"id":1,"points":[{"z":null},{"x":2}]}"#,
      #"{"id":1,"points":[{"x":5,"z":null},{"x":2}]}"#
    ),
  ])
  func `an object in an array is replaced in its position`(payload: String, result: String) throws {
    try expect(payload, result) { $0.x = 5 }
  }

  @Test(arguments: [
    (#"{"id":1}"#, #"{"id":1,"names":[]}"#),
    (#"{"id":1,"names":["a"]}"#, #"{"id":1,"names":[null]}"#),
    (#"{"id":1,"names":["a","b"]}"#, #"{"id":1,"names":[null,"b"]}"#),
    (#"{"id":1,"names":[]}"#, #"{"id":1,"names":[]}"#),
  ])
  func `an element of an array is set to nil`(payload: String, result: String) throws {
    try expect(payload, result, hasEdit: false) { $0.first = nil }
  }

  @Test func `an element of an array whose attributes are not known is not added`() throws {
    let document = #"{"id":1,"points":[{"x":1},{"x":2},{"z":null}]}"#
    try expect(document, document.replacing("1}", with: "5}")) { $0.x = 5 }
    let track = try coder.decode(Track.self, document)
    let before = track.frozen()
    for format in [StoreCoder.BodyFormat.changes, .mergePatch, .jsonPatch()] {
      #expect(try coder.patch(from: before, to: track, as: format) == nil)
    }
  }

  @Test(arguments: [
    (#"{"id":1,"tag":"a"}"#, #"{"id":1,"tag":"a","tags":["a","b"]}"#),
    (#"{"id":1,"tags":["a"]}"#, #"{"id":1,"tags":["a","b"]}"#),
    (#"{"id":1,"tags":["a","c"]}"#, #"{"id":1,"tags":["a","b"]}"#),
    (#"{"id":1,"tags":["a"],"next_tag":"c"}"#, #"{"id":1,"tags":["a","b"],"next_tag":"c"}"#),
  ])
  func `an array is added whole if its values may come from aliases`(
    payload: String, result: String
  ) throws {
    try expect(payload, result) { $0.nextTag = "b" }
  }

  @Test func `an attribute with aliases below an object or in an array is set to null`() throws {
    try expect(
      #"{"id":1,"far":2}"#, #"{"id":1,"far":2,"far_off":{"away":{"far":null}}}"#
    ) { $0.far = nil }
    try expect(
      #"{"id":2,"tag":"a","next_tag":"b"}"#,
      #"{"id":2,"tag":"a","next_tag":"b","tags":["b",null]}"#
    ) {
      $0.tag = "b"
      $0.nextTag = nil
    }
  }

  @Test(arguments: [
    (#"{"id":1,"meta":{"created":"c"}}"#, #"{"id":1,"meta":{"created":"c","note":"n"}}"#),
    (#"{"id":1,"meta":{"created":null}}"#, #"{"id":1,"meta":{"note":"n"}}"#),
  ])
  func `an object on a path keeps the value of an attribute that is not encoded`(
    payload: String, result: String
  ) throws {
    try expect(payload, result) { $0.note = "n" }
  }

  @Test func `an object of which an alias reads a part is not tested`() throws {
    try expect(
      #"{"id":1,"part":{"old":{"name":"a","size":1},"u":2}}"#,
      #"{"id":1,"part":{"name":"b","old":{"size":1},"u":2}}"#
    ) { $0.part?.name = "b" }
  }

  @Test func `a merge patch contains all members of a map that may be at another path`() throws {
    let track = try coder.decode(Track.self, #"{"id":1,"sizes":{"a":1,"b":2,"c":3}}"#)
    let before = track.frozen()
    try coder.store.write {
      track.prices["a"] = 5
      track.prices["c"] = nil
    }
    let patch = #"{"prices":{"a":5,"b":2,"c":null}}"#
    #expect(try coder.patch(from: before, to: track, as: .mergePatch)?.text == patch)
    let edit = try #require(try coder.store.takeEdit(of: track))
    #expect(try coder.encode(edit, as: .mergePatch).text == patch)
  }

  // MARK: - Embedded objects

  @Test func `a patch of an embedded object that is known in part changes its members alone`()
    throws
  {
    let owner = try coder.decode(
      Partial.Owner.self, #"{"id":1,"place":{"city":"U","inner":{"city":"I"}}}"#)
    let before = owner.frozen()
    try coder.store.write {
      owner.place?.city = "V"
      owner.place?.inner?.city = nil
    }
    let patch = try coder.patch(from: before, to: owner, as: .jsonPatch())?.text
    #expect(
      patch == """
        [{"op":"test","path":"/place/city","value":"U"},{"op":"test","path":"/place/inner/city","value":"I"},\
        {"op":"add","path":"/place/city","value":"V"},{"op":"remove","path":"/place/inner/city"}]
        """)
    try coder.decode(Partial.Owner.self, #"{"id":1,"place":{"zip":"89073","inner":{"zip":"1"}}}"#)
    let edit = try #require(try coder.store.takeEdit(of: owner))
    #expect(try coder.encode(edit, as: .jsonPatch()).text == patch)
    let document = try parsedJSON(
      Data(#"{"id":1,"place":{"city":"U","zip":"89073","inner":{"city":"I","zip":"1"}}}"#.utf8))
    #expect(
      try PatchReference.applying(parsedJSON(coder.encode(edit, as: .jsonPatch())), to: document)
        == parsedJSON(
          Data(#"{"id":1,"place":{"city":"V","zip":"89073","inner":{"zip":"1"}}}"#.utf8)))
  }

  @Test func `a patch keeps members that the server adds to an edited embedded object`() throws {
    let owner = try coder.decode(
      Partial.Owner.self, from: Data(#"{"id":1,"place":{"city":"U","inner":{"city":"I"}}}"#.utf8),
      absent: .clear)
    try coder.store.write { owner.place?.inner?.city = "J" }
    let document = #"{"id":1,"place":{"city":"U","new":1,"inner":{"city":"I","old":[2]}}}"#
    try coder.decode(Partial.Owner.self, document)
    let edit = try #require(try coder.store.takeEdit(of: owner))
    #expect(
      try coder.encode(edit, as: .mergePatch).text == #"{"place":{"inner":{"city":"J"}}}"#)
    #expect(
      try coder.encode(edit, as: .jsonPatch(tests: .none)).text
        == #"[{"op":"add","path":"/place/inner/city","value":"J"}]"#)
  }

  @Test
  func `a patch of an object that is updated in place and that code assigns sets its members`()
    throws
  {
    let owner = try coder.decode(Partial.Owner.self, #"{"id":1,"place":{"city":"U"}}"#)
    let before = owner.frozen()
    try coder.store.write {
      let place = Partial.Place()
      place.zip = "2"
      owner.place = place
    }
    #expect(
      try coder.patch(from: before, to: owner, as: .jsonPatch())?.text == """
        [{"op":"test","path":"/place/city","value":"U"},{"op":"remove","path":"/place/city"},\
        {"op":"add","path":"/place/zip","value":"2"}]
        """)
  }
}

/// Paths into an array of an array.
private enum Nested {
  final class Number: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted(json: "/deep/0/0") var x: Int?
    override class var tracksEdits: Bool { true }
  }

  final class Member: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted(json: "/deep/0/1/x") var x: Int?
    @Persisted(json: "/deep/1/y") var y: Int?
    override class var tracksEdits: Bool { true }
  }
}

@Suite struct `Patches of objects with an unknown attribute in an array of an array` {
  private func expectOnlyName<T: Object>(
    _ type: T.Type, _ payload: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let coder = try makeCoder()
    let object = try coder.decode(type, payload)
    let before = object.frozen()
    try coder.store.write { object["name"] = "b" }
    let edit = try #require(try coder.store.takeEdit(of: object))
    for body in [
      try coder.patch(from: before, to: object, as: .mergePatch),
      try coder.encode(edit, as: .mergePatch),
    ] {
      #expect(
        body.map { String(decoding: $0, as: UTF8.self) } == #"{"name":"b"}"#,
        sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: ["", #","deep":[[]]"#, #","deep":[[7]]"#, #","deep":[[1,{"x":2}]]"#])
  func `contain only what was changed`(rest: String) throws {
    try expectOnlyName(Nested.Number.self, #"{"id":1,"name":"a"\#(rest)}"#)
    try expectOnlyName(Nested.Member.self, #"{"id":1,"name":"a"\#(rest)}"#)
  }
}
