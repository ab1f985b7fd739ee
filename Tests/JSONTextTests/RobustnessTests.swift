import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct `Robustness` {
  static let documents = [
    #"{"id":1000006,"name":"Ava \"é\" \u00e9\ud83d\ude00","ok":true,"no":false,"x":null}"#,
    #"[-0.5e+10,[],{},[[1,2],{"a":{"b":[3]}}],"中😀",123456789012345678901]"#,
    "\r\n{ \"a\" : [ 1 , 2 ] ,\t\"b\\n\" : { } }\n",
    #"{"a":[true,false,null],"long":"0123456789abcdefghijklmnopqrstuvwxyz"}"#,
  ]

  @Test(arguments: documents)
  func `every truncated document is reported as empty or as an unexpected end`(_ document: String) {
    let bytes = Array(document.utf8)
    let last = bytes.lastIndex { $0 > 0x20 } ?? 0
    for count in 0...last {
      let prefix = Array(bytes.prefix(count))
      let kind: JSONError.Kind = prefix.allSatisfy { $0 <= 0x20 } ? .empty : .unexpectedEnd
      let expected = JSONError(kind, at: count)
      #expect(verdict(prefix) == expected)
      #expect(error { () throws(JSONError) in try tree(prefix) } == expected)
      #expect(verdict(prefix, repairsUnicode: true) == expected)
    }
  }

  /// True if Foundation accepts the text. Like the default dialect, it accepts trailing commas.
  private func foundationAccepts(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
  }

  @Test(arguments: [
    #"{"a":[1.5,-2e3],"b":"x\n\u0041é"}"#, #"[true,false,null,"😀",{},[]]"#,
    #" {"k" : "\ud83d\ude00\\" , "n":[ 10 ,0.1 ]} "#, #"[0,"a,b",{"c":[{"d":1}]}]"#,
  ])
  func `a document with a corrupted byte is accepted if and only if Foundation accepts it`(
    _ document: String
  ) throws {
    let bytes = Array(document.utf8)
    for position in bytes.indices {
      for value in UInt8.min...UInt8.max {
        var corrupted = bytes
        corrupted[position] = value
        let found = verdict(corrupted)
        let read = error { () throws(JSONError) in try tree(corrupted) }
        #expect(found == read)
        let isAccepted = found == nil
        if isAccepted != foundationAccepts(corrupted) {
          Issue.record(
            "\(String(decoding: corrupted, as: UTF8.self)) (byte \(value) at \(position)): \(String(describing: found))"
          )
        }
        if verdict(corrupted, dialect: .strict) == nil { #expect(isAccepted) }
        if isAccepted { #expect(verdict(corrupted, repairsUnicode: true) == nil) }
      }
    }
  }

  @Test(arguments: 0..<6)
  func `skipping and reading agree on random documents, intact and corrupted`(_ seed: Int) throws {
    var generator = SeededRandom(seed: 100 + UInt64(seed))
    for _ in 0..<300 {
      let document = Tree.random(using: &generator, depth: 5)
      let formatting: JSONWriter.Formatting =
        Bool.random(using: &generator) ? .prettyPrinted : []
      let text = written(formatting) { $0.write(document) }
      var bytes = Array(text.utf8)
      #expect(try tree(bytes) == document)
      let raw = try read(bytes) { (reader) throws(JSONError) in Array(try reader.rawValue()) }
      #expect(raw == bytes)

      for _ in 0..<5 {
        let position = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: position)
        default: if bytes.count > 1 { bytes.remove(at: position) }
        }
        for dialect in [JSONDialect.default, .strict] {
          for repairs in [false, true] {
            let skipped = verdict(bytes, dialect: dialect, repairsUnicode: repairs)
            let read = error { () throws(JSONError) in
              try tree(bytes, dialect: dialect, repairsUnicode: repairs)
            }
            #expect(skipped == read, "\(String(decoding: bytes, as: UTF8.self))")
          }
        }
      }
    }
  }

  @Test func `text with repaired Unicode is valid and has the same value`() throws {
    var generator = SeededRandom(seed: 9)
    let pieces =
      [
        "a", "\\n", "\\ud83d", "\\ude00", "\\u0041", "é", "中", "\\\\",
      ].map { Array($0.utf8) } + [
        [0xFF], [0xE4, 0xB8], [0xF0, 0x9F], [0x80], [0xED, 0xA0, 0x80],
      ]
    for _ in 0..<3000 {
      let body = (0..<8).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
      let bytes = [UInt8]("[\"".utf8) + body + [UInt8]("\",1]".utf8)
      let repaired = try tree(bytes, repairsUnicode: true)
      let raw = try read(bytes, repairsUnicode: true) { (reader) throws(JSONError) in
        Array(try reader.rawValue())
      }
      #expect(try tree(raw) == repaired)
    }
  }
}
