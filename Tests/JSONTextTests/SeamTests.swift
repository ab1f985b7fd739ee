import Foundation
import JSONText
import TestSupport
import Testing

/// Text read in place, followed by memory that must not be accessed.
@Suite struct `Borrowed JSON text` {
  /// Runs `body` with a copy of the bytes that ends at an inaccessible page.
  private func withGuarded<R>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let size = (bytes.count + page - 1) / page * page
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let memory = mmap(nil, size + page, PROT_READ | PROT_WRITE, flags, -1, 0),
      memory != MAP_FAILED
    else { fatalError("no memory") }
    defer { munmap(memory, size + page) }
    mprotect(memory + size, page, PROT_NONE)
    let start = memory + (size - bytes.count)
    bytes.withUnsafeBytes {
      if let source = $0.baseAddress { start.copyMemory(from: source, byteCount: bytes.count) }
    }
    return try body(UnsafeRawBufferPointer(start: start, count: bytes.count))
  }

  /// The result of reading a text: the value and its raw bytes, or the errors.
  private struct Outcome: Equatable {
    var tree: Tree?
    var raw: [UInt8]?
    var errors: [JSONError] = []
  }

  private func outcome(
    _ input: JSONInput, _ dialect: JSONDialect, repairsUnicode: Bool
  ) -> Outcome {
    var outcome = Outcome()
    func reader() -> JSONReader {
      JSONReader(
        input, dialect: dialect, repairsUnicode: repairsUnicode, refusesDuplicateKeys: true)
    }
    do throws(JSONError) {
      var reader = reader()
      outcome.tree = try readTree(&reader)
      try reader.finish()
    } catch {
      outcome.errors.append(error)
    }
    do throws(JSONError) {
      var reader = reader()
      outcome.raw = Array(try reader.rawValue())
      reader.rewind(to: 0, depth: 0)
      try reader.skipValue()
      try reader.finish()
    } catch {
      outcome.errors.append(error)
    }
    return outcome
  }

  private func expectTheSame(_ bytes: [UInt8]) {
    for (dialect, repairs) in [(JSONDialect.default, false), (.strict, true)] {
      let copied = (try? makeInput(bytes)).map { outcome($0, dialect, repairsUnicode: repairs) }
      let read = withGuarded(bytes) { guarded in
        (try? JSONInput(borrowing: guarded)).map {
          outcome($0, dialect, repairsUnicode: repairs)
        }
      }
      #expect(copied == read, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
  }

  private static let ends: [[UInt8]] =
    [
      "", "}", "]", "\"", "\\", "\\\"", ",", "123", "tru", "\"\\u12", "\"\\ud83d\\", "  ",
      "\n\n\n\n",
      String(repeating: " ", count: 40), #","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"#,
      #","last":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}]}]"#,
      #","long":""# + String(repeating: "a", count: 300) + "\"}",
    ].map { Array($0.utf8) } + [[0xFF], [0xF0, 0x9F], [0xC3]]

  @Test func `truncated documents with any ending are read the same borrowed as copied`() {
    for document in Robustness.documents {
      let bytes = Array(document.utf8)
      for count in 0...bytes.count {
        for end in Self.ends { expectTheSame(Array(bytes.prefix(count)) + end) }
      }
    }
  }

  @Test(arguments: 0..<4)
  func `random documents, intact and corrupted, are read the same borrowed as copied`(
    _ seed: Int
  ) {
    var generator = SeededRandom(seed: 4_000 + UInt64(seed))
    for _ in 0..<150 {
      let document = Tree.random(using: &generator, depth: 5)
      var bytes = Array(written(.prettyPrinted) { $0.write(document) }.utf8)
      expectTheSame(bytes)
      for _ in 0..<6 {
        let position = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          bytes[position] = [0x22, 0x5C, 0x2C, 0x7D, 0xFF].randomElement(using: &generator) ?? 0
        case 1: bytes.removeSubrange(position...)
        default: bytes.insert(0x22, at: position)
        }
        if bytes.isEmpty { break }
        expectTheSame(bytes)
      }
    }
  }

  @Test func `a borrowed text is read correctly wherever its copied tail begins`() throws {
    // The tail begins in each key and value, and keys are predicted correctly, incorrectly, and not at all.
    let table = JSONKeySet(["id", "a_rather_long_key_of_thirty_bytes", "n"])
    for length in 0..<90 {
      let tail = String(repeating: "1", count: length + 1)
      let text = #"{"id":"x","a_rather_long_key_of_thirty_bytes":"y","n":\#(tail)}"#
      for predicted in -1..<3 {
        let found = try withGuarded(Array(text.utf8)) { guarded in
          let input = try JSONInput(borrowing: guarded)
          var reader = JSONReader(input)
          var found: [String] = []
          _ = try reader.beginObject()
          repeat {
            let index = try reader.key(table, predicted: predicted)
            let offset = reader.lastKeyOffset
            let value = String(decoding: try reader.rawValue(), as: UTF8.self)
            found.append("\(index) \(offset) \(value) \(reader.byteOffset)")
          } while try reader.objectContinues()
          try reader.finish()
          return found
        }
        #expect(
          found == ["0 1 \"x\" 9", "1 10 \"y\" 49", "2 50 \(tail) \(55 + length)"])
      }
    }
  }

  @Test func `input declared as UTF-8 is not converted from another encoding`() throws {
    for (bytes, kind) in [
      (Array("\u{FEFF}1".utf8), JSONError.Kind.unexpectedCharacter), ([0x33, 0], .trailingContent),
      ([0, 0x33], .unexpectedCharacter), ([0x33, 0, 0, 0], .trailingContent),
      ([0xFF, 0xFE], .unexpectedCharacter),
    ] {
      let found = error { () throws(JSONError) in
        let input = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
          try JSONInput(copying: UnsafeRawBufferPointer(bytes), encoding: .utf8)
        }
        var reader = JSONReader(input)
        _ = try reader.numberText()
        try reader.finish()
      }
      #expect(found?.kind == kind)
    }
  }
}
