/// A set of a class's attributes, stored as bits, usually in a single word.
struct AttributeBits: Hashable {
  private var first: UInt64 = 0
  /// The words for attributes 64 and above.
  private var rest: [UInt64] = []

  @inline(__always)
  func has(_ attribute: Int) -> Bool {
    if attribute < 64 { return first >> UInt64(attribute) & 1 != 0 }
    let word = attribute / 64 - 1
    return word < rest.count && rest[word] >> UInt64(attribute % 64) & 1 != 0
  }

  mutating func insert(_ attribute: Int) {
    set(attribute / 64, word(attribute / 64) | 1 << UInt64(attribute % 64))
  }

  mutating func remove(_ attribute: Int) {
    set(attribute / 64, word(attribute / 64) & ~(1 << UInt64(attribute % 64)))
  }

  var isEmpty: Bool { first == 0 && rest.isEmpty }

  /// The attributes in ascending order.
  var all: [Int] { (0..<64 * (rest.count + 1)).filter(has) }

  mutating func formUnion(_ other: AttributeBits) {
    for index in 0...other.rest.count { set(index, word(index) | other.word(index)) }
  }

  func union(_ other: AttributeBits) -> AttributeBits {
    var both = self
    both.formUnion(other)
    return both
  }

  func intersection(_ other: AttributeBits) -> AttributeBits {
    var both = AttributeBits()
    for index in 0...min(rest.count, other.rest.count) {
      both.set(index, word(index) & other.word(index))
    }
    return both
  }

  /// The attributes that are in one of the sets only.
  func symmetricDifference(_ other: AttributeBits) -> AttributeBits {
    var bits = AttributeBits()
    for index in 0...max(rest.count, other.rest.count) {
      bits.set(index, word(index) ^ other.word(index))
    }
    return bits
  }

  mutating func subtract(_ other: AttributeBits) {
    for index in 0...rest.count { set(index, word(index) & ~other.word(index)) }
  }

  func word(_ index: Int) -> UInt64 {
    index == 0 ? first : index <= rest.count ? rest[index - 1] : 0
  }

  /// Sets a word and drops trailing zero words, so that equal sets have equal words.
  mutating func set(_ index: Int, _ word: UInt64) {
    if index == 0 {
      first = word
    } else if index <= rest.count {
      rest[index - 1] = word
    } else if word != 0 {
      rest += repeatElement(0, count: index - 1 - rest.count)
      rest.append(word)
    }
    while rest.last == 0 { rest.removeLast() }
  }
}
