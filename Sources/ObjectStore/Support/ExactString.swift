/// A string that is compared by its bytes.
///
/// Swift's `String` treats é and e followed by a combining accent as equal; JSON and the store distinguish them.
package struct ExactString: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: ExactString, b: ExactString) -> Bool {
    a.text.hasSameBytes(as: b.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension String {
  /// True if the string sorts before `other` by bytes. `<` is not a total order: neither of `éa` and `e` with a
  /// combining accent is less than the other.
  package func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// True if the strings have the same bytes.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { otherBytes in
        UnsafeRawBufferPointer(bytes).hasSameBytes(as: UnsafeRawBufferPointer(otherBytes))
      }
    }
    // Bridged strings may not have contiguous storage.
    if let isSame, let isSame { return isSame }
    return utf8.elementsEqual(other.utf8)
  }

  /// True if these are the bytes of the string.
  package func hasSameBytes(as bytes: UnsafeRawBufferPointer) -> Bool {
    guard utf8.count == bytes.count else { return false }
    return utf8.withContiguousStorageIfAvailable {
      UnsafeRawBufferPointer($0).hasSameBytes(as: bytes)
    } ?? utf8.elementsEqual(bytes)
  }
}
