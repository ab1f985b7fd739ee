/// The accepted raw values of an enum attribute.
package final class EnumCases: Sendable, Hashable {
  /// The name of the enum.
  package let typeName: String
  /// For enums of numbers, the bits of the raw values.
  package let words: [UInt64]
  /// For enums of strings, the bytes of the raw values.
  package let texts: [[UInt8]]

  init(typeName: String, words: [UInt64], texts: [[UInt8]]) {
    self.typeName = typeName
    self.words = words
    self.texts = texts
  }

  /// True if the bits are the raw value of a case.
  package func contains(word: UInt64) -> Bool { words.contains(word) }

  /// True if the bytes are the raw value of a case.
  package func contains(text: UnsafeRawBufferPointer) -> Bool {
    texts.contains { $0.withUnsafeBytes { $0.hasSameBytes(as: text) } }
  }

  package static func == (a: EnumCases, b: EnumCases) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
