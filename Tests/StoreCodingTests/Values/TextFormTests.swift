import Foundation
import ObjectStore
import Testing
import TestSupport

@testable import StoreCoding

/// Values that are strings in JSON, read and written as bytes, compared with Foundation.
@Suite struct `String forms of values` {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: - UUID

  private func uuid(_ text: [UInt8]) -> UUID? {
    text.withUnsafeBufferPointer(UUIDText.parse).map { words in
      withUnsafeBytes(of: words) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
  }

  @Test func `random UUIDs are read and written in both cases`() {
    for _ in 0..<1000 {
      let value = UUID()
      #expect(uuid(bytes(value.uuidString)) == value)
      #expect(uuid(bytes(value.uuidString.lowercased())) == value)
      #expect(UUIDText.text(value) == value.uuidString.lowercased())
      let uppercase = withUnsafeBytes(of: value.uuid) { UUIDText.text($0, isUppercase: true) }
      #expect(uppercase == value.uuidString)
    }
  }

  @Test func `only strings with digits and hyphens in the right positions are UUIDs`() {
    let text = bytes("01234567-89AB-CDEF-abcd-ef0123456789")
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var other = text
        other[index] = byte
        let isDigit = bytes("0123456789abcdefABCDEF").contains(byte)
        let isHyphen = byte == UInt8(ascii: "-")
        let isRight = [8, 13, 18, 23].contains(index) ? isHyphen : isDigit
        let expected = isRight ? UUID(uuidString: String(decoding: other, as: UTF8.self)) : nil
        #expect(uuid(other) == expected, "byte \(byte) at \(index)")
      }
    }
    for count in 0..<text.count { #expect(uuid(Array(text[..<count])) == nil) }
    #expect(uuid(text + [0x30]) == nil)
  }

  // MARK: - Base64

  private func data(_ text: [UInt8]) -> [UInt8]? {
    var out = [UInt8](repeating: 0, count: text.count / 4 * 3 + 1)
    let count = text.withUnsafeBufferPointer { text in
      out.withUnsafeMutableBufferPointer { out in
        out.baseAddress.flatMap { Base64Text.parse(text, into: $0) }
      }
    }
    return count.map { Array(out[..<$0]) }
  }

  @Test func `bytes of every length are encoded and decoded as Base64 like Foundation`() {
    var random = SystemRandomNumberGenerator()
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let expected = self.bytes(Data(bytes).base64EncodedString())
      let text = [UInt8](
        unsafeUninitializedCapacity: Base64Text.count(ofByteCount: count)
      ) { text, textCount in
        guard let start = text.baseAddress else { return }
        bytes.withUnsafeBytes { Base64Text.write($0, to: start) }
        textCount = text.count
      }
      #expect(text == expected)
      #expect(data(text) == bytes)
    }
  }

  @Test(arguments: ["QUJDREVGR0g=", "QUJDREVGRw==", "QUJDREVG"])
  func `Base64 with padding at its end is decoded as by Foundation`(
    _ text: String
  ) {
    let text = bytes(text)
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var other = text
        other[index] = byte
        // Foundation also accepts padding before other characters, and excess padding.
        let padding = other.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let isPadded = padding <= 2 && !other.dropLast(padding).contains(UInt8(ascii: "="))
        let expected = isPadded ? Data(base64Encoded: Data(other)) : nil
        #expect(data(other).map { Data($0) } == expected, "byte \(byte) at \(index)")
      }
    }
    for count in 0..<text.count where count % 4 != 0 { #expect(data(Array(text[..<count])) == nil) }
  }

  @Test(
    arguments: [
      "=", "==", "===", "====", "QUJD====", "QUJDQ===", "=UJD", "QU=D", "QUJDQQ=D", "QUJD=====",
    ])
  func `misplaced or excess padding is not Base64`(_ text: String) {
    #expect(data(bytes(text)) == nil)
  }

  @Test func `the unused bits of the last Base64 character are ignored`() {
    #expect(data(bytes("QR==")) == [0x41])
    #expect(data(bytes("QUJ=")) == data(bytes("QUI=")))
  }

  // MARK: - URL

  @Test func `a URL accepted by the fast path is valid for Foundation`() {
    var random = SystemRandomNumberGenerator()
    let letters = bytes("aZ09-._~:/?#[]@!$&'()*+,;=% \"<>\\^`{|}\u{7f}é")
    var accepted = 0
    for _ in 0..<20_000 {
      let start = ["http://", "https://", "https:/", "http//", "ftp://"].randomElement()!
      let length = Int.random(in: 0..<12, using: &random)
      let plain = Bool.random() ? 6 : letters.count
      let text = bytes(start) + (0..<length).map { _ in letters[Int.random(in: 0..<plain)] }
      guard text.withUnsafeBufferPointer(PlainURL.matches) else { continue }
      accepted += 1
      let string = String(decoding: text, as: UTF8.self)
      #expect(URL(string: string) != nil, "\(string)")
    }
    #expect(accepted > 500)
    #expect(bytes("https://example.org/a/b?c=d&e=f").withUnsafeBufferPointer(PlainURL.matches))
    #expect(!bytes("https://").withUnsafeBufferPointer(PlainURL.matches))
  }

  // MARK: - Decimal

  @Test func `a number that PlainDecimal accepts has the canonical text of its Decimal`() {
    var random = SystemRandomNumberGenerator()
    func digits(_ range: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: range, using: &random)).map { _ in
          "0123456789000".randomElement(using: &random)!
        })
    }
    var accepted = 0
    for _ in 0..<20_000 {
      var whole = String(digits(0...20).drop { $0 == "0" })
      if whole.isEmpty { whole = "0" }
      let fraction = digits(0...20)
      let text =
        (Bool.random() ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
        + (Int.random(in: 0..<20) == 0 ? "e2" : "")
      let number = bytes(text)
      guard let count = number.withUnsafeBufferPointer(PlainDecimal.canonicalCount) else {
        continue
      }
      accepted += 1
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
      #expect(String(decoding: number[..<count], as: UTF8.self) == value?.description, "\(text)")
    }
    #expect(accepted > 10_000)
    for text in ["0", "100", "-7", "0.5", "1.50", "1.0"] {
      #expect(bytes(text).withUnsafeBufferPointer(PlainDecimal.canonicalCount) != nil, "\(text)")
    }
    for text in ["-0", "0.00", "1e3", "1E-3"] {
      #expect(bytes(text).withUnsafeBufferPointer(PlainDecimal.canonicalCount) == nil, "\(text)")
    }
  }
}
