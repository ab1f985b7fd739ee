/// A text that equals another if its bytes do.
///
/// Swift's `String` takes é for e with an accent of its own; JSON and the store tell them apart.
package struct ExactString: Hashable {
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
  /// Whether the text comes first by its bytes. `<` is no order of all texts: of `éa` and `e` with an accent of its
  /// own neither comes first.
  package func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether the texts are the same bytes.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { otherBytes in
        UnsafeRawBufferPointer(bytes).hasSameBytes(as: UnsafeRawBufferPointer(otherBytes))
      }
    }
    // Bridged texts have no bytes to look at in place.
    if let isSame, let isSame { return isSame }
    return utf8.elementsEqual(other.utf8)
  }
}
