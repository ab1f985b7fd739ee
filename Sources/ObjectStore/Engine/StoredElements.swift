/// The elements of one collection in one version, which compare without a value being made of each.
///
/// Words are compared as they lie in memory. Where two words of a text differ, or lie in different text
/// arenas, their bytes are compared.
struct StoredElements {
  /// Nil without elements.
  private let cell: StorageColumn?
  private let run: CollectionSlice
  private let layout: ColumnLayout

  static var none: StoredElements { StoredElements() }

  private init() {
    cell = nil
    run = .empty
    layout = ColumnLayout(kind: .collection)
  }

  init(_ version: TableVersion, _ slot: Int, _ column: Int, _ layout: ColumnLayout) {
    let cell = version.columns(slot)[column]
    self.cell = cell
    run = cell.run(slot & ChunkLayout.mask)
    self.layout = layout
  }

  var count: Int { Int(run.length) }

  /// The element at an index. A link without a target is null.
  subscript(index: Int) -> ElementValue {
    guard var value = cell?.element(run, index, layout) else { return ElementValue() }
    if layout.elementKind == .link, value.word == 0 { value.isNull = true }
    return value
  }

  /// The word of an element, which in a map is that of the value.
  func word(_ index: Int) -> UInt64 { cell?.elementWord(run, index, layout) ?? 0 }

  /// The words of some elements, which in a map are those of the values.
  func words(_ range: Range<Int>) -> [UInt64] { cell?.words(run, layout, range) ?? [] }

  // MARK: - Comparing

  /// The number of leading elements that are equal in both.
  func commonPrefixCount(with other: StoredElements) -> Int { equalCount(from: 0, with: other) }

  /// The number of elements from an index on that are equal to those at the same indices of `other`, up to
  /// the first that differs.
  func equalCount(from first: Int, with other: StoredElements) -> Int {
    equalCount(
      min(count, other.count) - first, from: first, with: other, from: first, isBackward: false)
  }

  /// The number of trailing elements that are equal in both, without the first `prefixCount` of each.
  func commonSuffixCount(with other: StoredElements, after prefixCount: Int) -> Int {
    equalCount(
      min(count, other.count) - prefixCount, from: count, with: other, from: other.count,
      isBackward: true)
  }

  /// - Parameters:
  ///   - limit: The number of elements to compare at most.
  ///   - first: The index that the elements begin at, or end before if they are compared backward.
  private func equalCount(
    _ limit: Int, from first: Int, with other: StoredElements, from otherFirst: Int,
    isBackward: Bool
  ) -> Int {
    guard limit > 0, let words = address(first), let otherWords = other.address(otherFirst)
    else { return 0 }
    // Equal words refer to equal bytes of one arena.
    let areWordsEnough = !layout.hasText || cell?.text == other.cell?.text
    // Elements appended in place, or taken off an end, left the others as they were.
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
    cell?.elements.map { UnsafePointer($0 + Int(run.offset) + index * layout.elementStride) }
  }

  /// The number of words that are equal, from an address on or before it, up to the first that differs.
  private static func equalWordCount(
    _ words: UnsafePointer<UInt64>, _ otherWords: UnsafePointer<UInt64>, _ count: Int,
    isBackward: Bool
  ) -> Int {
    // memcmp is four times as fast as a loop over words, and does not say where they differ.
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
