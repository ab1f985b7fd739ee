/// The elements of one collection in one version, compared without creating values.
///
/// Words are compared directly. If the words of two strings differ, or refer to different arenas, the bytes are
/// compared.
struct StoredElements {
  /// Nil for a collection without elements.
  private let column: StorageColumn?
  private let slice: CollectionSlice
  private let layout: ColumnLayout

  static var none: StoredElements { StoredElements() }

  private init() {
    column = nil
    slice = .empty
    layout = ColumnLayout(kind: .collection)
  }

  init(_ version: TableVersion, _ slot: Int, _ column: Int, _ layout: ColumnLayout) {
    self.init(version.columns(slot)[column], slot & ChunkLayout.mask, layout)
  }

  /// - Parameter row: The row in the column's chunk.
  init(_ column: StorageColumn, _ row: Int, _ layout: ColumnLayout) {
    self.column = column
    slice = column.slice(row)
    self.layout = layout
  }

  var count: Int { Int(slice.length) }

  /// The element at an index. A link without a target is null.
  subscript(index: Int) -> ElementValue {
    guard var value = column?.element(slice, index, layout) else { return ElementValue() }
    if layout.elementKind == .link, value.word == 0 { value.isNull = true }
    return value
  }

  /// Returns the word of an element, or of its value in a map.
  func word(_ index: Int) -> UInt64 { column?.elementWord(slice, index, layout) ?? 0 }

  /// Returns the words of a range of elements, or of their values in a map.
  func words(_ range: Range<Int>) -> [UInt64] { column?.words(slice, layout, range) ?? [] }

  // MARK: - Comparing

  /// Returns the number of leading elements that are equal in both.
  func commonPrefixCount(with other: StoredElements) -> Int { equalCount(from: 0, with: other) }

  /// Returns the number of elements, starting at an index, that equal those at the same indexes of `other`, up to the
  /// first difference.
  func equalCount(from first: Int, with other: StoredElements) -> Int {
    equalCount(
      min(count, other.count) - first, from: first, with: other, from: first, isBackward: false)
  }

  /// Returns the number of elements, starting at an index, that equal those of `other` starting at another index, up to the
  /// first difference.
  func equalCount(from first: Int, with other: StoredElements, from otherFirst: Int) -> Int {
    equalCount(
      min(count - first, other.count - otherFirst), from: first, with: other, from: otherFirst,
      isBackward: false)
  }

  /// Returns the number of trailing elements that are equal in both, excluding the first `prefixCount` of each.
  func commonSuffixCount(with other: StoredElements, after prefixCount: Int) -> Int {
    equalCount(
      min(count, other.count) - prefixCount, from: count, with: other, from: other.count,
      isBackward: true)
  }

  /// - Parameters:
  ///   - limit: The maximum number of elements to compare.
  ///   - first: The index of the first element, or the end index if elements are compared backward.
  private func equalCount(
    _ limit: Int, from first: Int, with other: StoredElements, from otherFirst: Int,
    isBackward: Bool
  ) -> Int {
    guard limit > 0, let words = address(first), let otherWords = other.address(otherFirst)
    else { return 0 }
    // Equal words refer to equal bytes in the same arena.
    let areWordsEnough = !layout.hasBytes || column?.text == other.column?.text
    // Appending in place, or removing from an end, leaves the other elements in place.
    if areWordsEnough, words == otherWords { return limit }
    let stride = layout.elementStride
    var equal = 0
    while equal < limit {
      if areWordsEnough {
        let offset = (isBackward ? -equal : equal) * stride
        let wordCount = Self.equalWordCount(
          words + offset, otherWords + offset, (limit - equal) * stride, isBackward: isBackward)
        equal += wordCount / stride
        if equal == limit { break }
      }
      let offset = isBackward ? -equal - 1 : equal
      guard self[first + offset].equals(other[otherFirst + offset]) else { break }
      equal += 1
    }
    return equal
  }

  private func address(_ index: Int) -> UnsafePointer<UInt64>? {
    column?.elements.map { UnsafePointer($0 + Int(slice.offset) + index * layout.elementStride) }
  }

  /// Returns the number of equal words, starting at an address or ending before it, up to the first difference.
  private static func equalWordCount(
    _ words: UnsafePointer<UInt64>, _ otherWords: UnsafePointer<UInt64>, _ count: Int,
    isBackward: Bool
  ) -> Int {
    // memcmp is four times as fast as a loop over words, but does not report the position of the difference.
    let blockSize = 256
    var equal = 0
    while count - equal >= blockSize {
      let offset = isBackward ? -equal - blockSize : equal
      let block = UnsafeRawBufferPointer(start: words + offset, count: blockSize * 8)
      let otherBlock = UnsafeRawBufferPointer(start: otherWords + offset, count: blockSize * 8)
      guard block.hasSameBytes(as: otherBlock) else { break }
      equal += blockSize
    }
    while equal < count {
      let offset = isBackward ? -equal - 1 : equal
      guard words[offset] == otherWords[offset] else { break }
      equal += 1
    }
    return equal
  }
}
