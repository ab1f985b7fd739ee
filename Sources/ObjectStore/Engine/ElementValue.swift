/// An element on its way into a collection: a word (or target slot + 1), or text bytes.
struct ElementValue {
  var word: UInt64 = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  var isNull = false
  /// A map's key.
  var key = UnsafeRawBufferPointer(start: nil, count: 0)
}

extension ElementValue {
  func equals(_ other: ElementValue) -> Bool {
    word == other.word && isNull == other.isNull && bytes.hasSameBytes(as: other.bytes)
      && key.hasSameBytes(as: other.key)
  }
}
