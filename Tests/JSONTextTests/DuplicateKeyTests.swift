import JSONText
import Testing

@Suite struct `Duplicate keys in the reader` {
  private func read(_ text: String, _ body: (inout JSONReader) throws(JSONError) -> Void)
    -> JSONError?
  {
    error { () throws(JSONError) in
      let input = try makeInput(Array(text.utf8))
      var reader = JSONReader(input, refusesDuplicateKeys: true)
      try body(&reader)
      try reader.finish()
    }
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}"#, nil),
    (#"{"b":{"x":1},"c":2,"b":3}"#, 19), (#"[{"a":{"k":1,"l":{},"k":1}}]"#, 20),
    (#"{"a":1,"\u0061":2}"#, 7), (#"{"\u0061":1,"b":{},"a":2}"#, 19), (#"{"":1,"":2}"#, 6),
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", nil), (#"{"a":[[[{"b":1,"b":1}]]]}"#, 15),
    (#"{"long_key_of_20_byte":1,"long_key_of_20_bytf":1}"#, nil),
    (#"{"a":{},"b":[],"a":0}"#, 15), (#"[{"a":1},{"a":1,"b":2,"b":2}]"#, 22),
  ])
  func `reading and skipping report a duplicate key at its second occurrence`(
    _ text: String, _ byteOffset: Int?
  ) {
    let expected = byteOffset.map { JSONError(.duplicateKey, at: $0) }
    #expect(read(text) { (reader) throws(JSONError) in try reader.skipValue() } == expected)
    #expect(read(text) { (reader) throws(JSONError) in _ = try readTree(&reader) } == expected)
    #expect(verdict(text) == nil)
  }

  @Test func `reading a value again does not report its keys as duplicates`() {
    let text = #"[{"a":{"b":1,"c":2}}]"#
    let found = read(text) { (reader) throws(JSONError) in
      _ = try reader.beginArray()
      let start = reader.byteOffset
      _ = try reader.beginObject()
      _ = try reader.key()
      _ = try reader.beginObject()
      _ = try reader.key()
      _ = try reader.int64()
      reader.rewind(to: start, depth: 1)
      try reader.skipValue()
      reader.rewind(to: start, depth: 1)
      try reader.skipValue()
      _ = try reader.arrayContinues()
    }
    #expect(found == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `100,000 keys or 50,000 nested objects are checked for duplicates within the time limit`() {
    let wide = "{" + (0..<100_000).map { "\"u\($0)\":0" }.joined(separator: ",") + ",\"u7\":1}"
    #expect(
      read(wide) { (reader) throws(JSONError) in try reader.skipValue() }?.kind == .duplicateKey)
    let deep =
      String(repeating: #"{"k":"#, count: 50_000) + "0"
      + String(repeating: "}", count: 50_000)
    let found = error { () throws(JSONError) in
      let input = try makeInput(Array(deep.utf8))
      var reader = JSONReader(input, depthLimit: .max, refusesDuplicateKeys: true)
      try reader.skipValue()
    }
    #expect(found == nil)
  }
}
