/// The index keys of up to four attributes, compared in order. Unused words are 0.
///
/// All compound indexes use this size. A smaller key for two attributes would require a third type of tree.
struct CompoundIndexKey: SlotTreeKey {
  private var first: UInt64
  private var second: UInt64
  private var third: UInt64
  private var fourth: UInt64

  init(repeating word: UInt64) {
    first = word
    second = word
    third = word
    fourth = word
  }

  @inline(__always)
  subscript(position: Int) -> UInt64 {
    get {
      switch position {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
    set {
      switch position {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: fourth = newValue
      }
    }
  }

  @inline(__always)
  static func < (a: Self, b: Self) -> Bool {
    if a.first != b.first { return a.first < b.first }
    if a.second != b.second { return a.second < b.second }
    return a.third != b.third ? a.third < b.third : a.fourth < b.fourth
  }

  // MARK: - Bytes

  var next: Self? {
    var next = self
    for position in stride(from: 3, through: 0, by: -1) {
      next[position] &+= 1
      if next[position] != 0 { return next }
    }
    return nil
  }

  static var byteCount: Int { 4 * UInt64.byteCount }

  @inline(__always)
  func byte(_ index: Int) -> Int {
    self[3 - index / UInt64.byteCount].byte(index % UInt64.byteCount)
  }

  init(words: UnsafePointer<UInt64>) {
    first = words[0]
    second = words[1]
    third = words[2]
    fourth = words[3]
  }

  func append(to words: inout [UInt64]) { words += [first, second, third, fourth] }

  static var all: ClosedRange<Self> { Self(repeating: 0)...Self(repeating: .max) }
}

extension ClosedRange<CompoundIndexKey> {
  /// The range of all keys.
  static var all: Self {
    CompoundIndexKey(repeating: 0)...CompoundIndexKey(repeating: .max)
  }

  /// Returns the range of the keys in this range whose word at `position` is in `words`. All keys in this range must
  /// have equal words before that position.
  func narrowed(at position: Int, to words: ClosedRange<UInt64>) -> Self {
    var (lower, upper) = (lowerBound, upperBound)
    assert(
      position == 0 || lower[position - 1] == upper[position - 1],
      "Word \(position - 1) is not restricted to one value")
    lower[position] = words.lowerBound
    upper[position] = words.upperBound
    return lower...upper
  }
}
