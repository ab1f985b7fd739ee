import JSONText

/// The laws of numbers.
enum NumberLaws {
  /// Reads the text of a number as each type, and compares the results with those of the standard library.
  static func check(_ text: [UInt8]) {
    let string = String(decoding: text, as: UTF8.self)
    let exact = Double(string)
    if let double = read(text, { (reader) throws(JSONError) in try reader.double() }) {
      law(double.bitPattern, equals: exact?.bitPattern ?? 0, "\(string) is read as a Double")
      var writer = JSONWriter()
      law(writer.double(double), "\(double) is written")
      let again = writer.withBytes { text in
        read(Array(text)) { (reader) throws(JSONError) in try reader.double() }
      }
      law(again?.bitPattern, equals: double.bitPattern, "a Double is read as it was written")
    }
    if let float = read(text, { (reader) throws(JSONError) in try reader.float() }) {
      law(float.bitPattern, equals: Float(string)?.bitPattern ?? 0, "\(string) is read as a Float")
    }
    let int = read(text) { (reader) throws(JSONError) in try reader.int64() }
    let uint = read(text) { (reader) throws(JSONError) in try reader.uint64() }
    if text.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }) {
      law(int, equals: Int64(string), "\(string) is read as an Int64")
      if string != "-0" { law(uint, equals: UInt64(string), "\(string) is read as a UInt64") }
    } else if let int {
      // 1e3 and 10.0 are integers, too.
      law(Double(int), equals: exact ?? .nan, "\(string) is read as an Int64")
    }
  }

  private static func read<Value>(
    _ text: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Value
  ) -> Value? {
    let input = text.withUnsafeBytes { try? JSONInput(copying: $0, encoding: .utf8) }
    guard let input else { return nil }
    var reader = JSONReader(input)
    guard let value = try? body(&reader) else { return nil }
    law(reader.isAtEnd(), "all of a number is read")
    return value
  }
}
