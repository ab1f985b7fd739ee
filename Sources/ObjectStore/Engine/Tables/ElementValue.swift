/// An element of a collection as stored: a word (for a link, the target's slot + 1) or the bytes of a string.
struct ElementValue {
  var word: UInt64 = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  var isNull = false
  /// The key of an element of a map.
  var key = UnsafeRawBufferPointer(start: nil, count: 0)
}

extension ElementValue {
  func equals(_ other: ElementValue) -> Bool {
    word == other.word && isNull == other.isNull && bytes.hasSameBytes(as: other.bytes)
      && key.hasSameBytes(as: other.key)
  }
}
