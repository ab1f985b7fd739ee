// The elements of collections: their order in sets, and what rows hold.

extension ElementValue {
  init(_ cell: BatchCell, _ layout: ColumnLayout) {
    if cell.state == .null || cell.state == .absent {
      isNull = true
    } else if layout.elementKind == .bytes {
      bytes = cell.bytes
    } else {
      word = cell.bits
    }
  }

  /// Creates an element from the word of a link: the target's slot + 1, or 0 for null.
  init(link word: UInt64, _ layout: ColumnLayout) {
    self.word = word
    isNull = word == 0 && layout.hasNullElements
  }

  /// True if `a` precedes `b` in a set. Null is first; values are sorted by their bits or bytes.
  static func precedes(_ a: ElementValue, _ b: ElementValue, _ layout: ColumnLayout) -> Bool {
    if a.isNull != b.isNull { return a.isNull }
    return layout.elementKind == .bytes ? a.bytes.precedes(b.bytes) : a.word < b.word
  }
}

extension [ElementValue] {
  /// Sorts the values as in a set and removes duplicates.
  mutating func sortUnique(_ layout: ColumnLayout) {
    let isSorted = indices.dropFirst().allSatisfy {
      ElementValue.precedes(self[$0 - 1], self[$0], layout)
    }
    if isSorted { return }
    if layout.elementKind == .bytes {
      sortTexts()
    } else {
      sort { ElementValue.precedes($0, $1, layout) }
    }
    var unique: [ElementValue] = []
    for value in self where unique.last.map({ !$0.equals(value) }) ?? true {
      unique.append(value)
    }
    self = unique
  }

  /// Sorts strings, after null.
  private mutating func sortTexts() {
    let texts = filter { !$0.isNull }
    removeAll { !$0.isNull }
    PlacedText.withSorted(texts.count, { texts[$0].bytes }) { sorted in
      for text in sorted { append(texts[Int(text.position)]) }
    }
  }
}

extension TableWriter {
  @inline(__always)
  func word(_ slot: Int, _ column: Int) -> UInt64 {
    columns(slot)[column].word(slot & ChunkLayout.mask)
  }

  /// The number of references to a keyless row.
  func references(_ slot: Int) -> UInt64 { word(slot, layout.referencesColumn) }

  /// True if a replacement may delete the keyless row.
  func isBornNested(_ slot: Int) -> Bool {
    columns(slot)[layout.bornNestedColumn].byte(slot & ChunkLayout.mask) == 1
  }

  /// Returns the targets of a collection of links, as words.
  func words(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ range: Range<Int>? = nil
  ) -> [UInt64] {
    let column = columns(slot)[column]
    return column.words(column.slice(slot & ChunkLayout.mask), layout, range)
  }

  /// Returns the indexes of the elements that link to a target, given as a word.
  func indices(
    of word: UInt64, _ slot: Int, _ column: Int, _ layout: ColumnLayout
  ) -> [Int] {
    let column = columns(slot)[column]
    return column.indices(of: word, column.slice(slot & ChunkLayout.mask), layout)
  }

  func elementCount(_ slot: Int, _ column: Int) -> Int {
    Int(columns(slot)[column].slice(slot & ChunkLayout.mask).length)
  }

  /// Returns the elements as stored. Their bytes lie in the arena and are valid until the next write.
  func values(_ slot: Int, _ column: Int, _ layout: ColumnLayout) -> [ElementValue] {
    let column = columns(slot)[column]
    let slice = column.slice(slot & ChunkLayout.mask)
    return (0..<Int(slice.length)).map { column.element(slice, $0, layout) }
  }

  /// Returns the value word of a key in a map of links; 0 if there is none.
  func mapWord(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout, key: UnsafeRawBufferPointer
  ) -> UInt64 {
    let column = columns(slot)[column]
    let slice = column.slice(slot & ChunkLayout.mask)
    let (index, isFound) = column.index(of: ElementValue(key: key), slice, layout)
    return isFound ? column.elementWord(slice, index, layout) : 0
  }
}
