/// The raw values an enum attribute accepts.
package final class EnumCases: Sendable, Hashable {
  /// Name of the enum.
  package let typeName: String
  /// For enums of numbers: the raw values' bits.
  package let words: [UInt64]
  /// For enums of texts: the raw values' bytes.
  package let texts: [[UInt8]]

  init(typeName: String, words: [UInt64], texts: [[UInt8]]) {
    self.typeName = typeName
    self.words = words
    self.texts = texts
  }

  /// Whether the bits are those of a case.
  package func contains(word: UInt64) -> Bool { words.contains(word) }

  /// Whether the bytes are those of a case.
  package func contains(text: UnsafeRawBufferPointer) -> Bool {
    texts.contains { $0.withUnsafeBytes { $0.hasSameBytes(as: text) } }
  }

  package static func == (a: EnumCases, b: EnumCases) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
