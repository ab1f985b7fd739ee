import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Edits of classes whose rows have bits of unknown attributes in several columns.
@Suite struct `Edits of classes with many attributes` {
  @Test(arguments: [1, 27, 28, 29, 31, 60, 63, 64, 65, 127, 200])
  func `edits and deletions are those of the objects that the user changed`(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let names = (0..<count).map { "p\($0)" }
    let schema = ObjectSchema(
      "Wide",
      [Property("id", .int, isPrimaryKey: true)]
        + names.map { Property($0, .int, isOptional: true) },
      tracksEdits: true)
    let last = names[count - 1]
    func open() throws -> StoreCoder {
      StoreCoder(
        store: try Store(
          configuration: .file(folder.file("wide.store")), schemas: [schema]))
    }
    func object(_ key: Int, _ coder: StoreCoder) throws -> DynamicObject {
      try #require(try coder.store.object(dynamic: "Wide", forPrimaryKey: key))
    }
    do {
      let coder = try open()
      for key in [1, 2, 3, 100] {
        try coder.decode(
          DynamicObject.self, dynamic: "Wide",
          from: Data(#"{"id":\#(key),"p0":100,"\#(last)":\#(key + 100)}"#.utf8))
      }
      try coder.store.write {
        coder.store.delete(try object(3, coder))
        try object(1, coder)[last] = 5
        try object(2, coder)["p0"] = 6
      }
    }
    let coder = try open()
    let edits = try coder.store.takeEdits()
    #expect(edits.map { "\($0.kind) \($0.keyText)" } == ["edited 1", "edited 2", "deleted 3"])
    let texts = try edits.map { try coder.encode($0).text }
    #expect(texts[0] == #"{"id":1,"\#(last)":5}"# && texts[1] == #"{"id":2,"p0":6}"#)
    try coder.store.settle(edits[2], .reverted)
    for edit in edits.dropLast() { try coder.store.settle(edit, .unapplied) }
    try coder.store.revertEdits(of: object(1, coder))
    #expect(try object(1, coder)[last] as? Int == 101)
    #expect(
      try coder.text(object(3, coder))
        == (count == 1 ? #"{"id":3,"p0":103}"# : #"{"id":3,"p0":100,"\#(last)":103}"#))
    #expect(try coder.store.pendingEdits().map(\.keyText) == ["2"])
  }
}
