/// Checks the content of a chunk in a column file before anything follows its offsets and lengths. The file may be any bytes, also
/// with right checksums.
///
/// A chunk is valid if it is as `ChunkImage` writes it: strings and elements follow one another in the order of the rows
/// without gaps, so that each offset is the sum of the counts before it. Values are checked as the loader checks those of
/// the database.
struct ChunkCheck: Sendable {
  private let columns: [Column]

  private struct Column {
    let layout: ColumnLayout
    /// The type of the values or elements; nil for a column of the engine.
    let type: FileType?
    /// The bits that a word may have.
    let bits: UInt64
    /// The largest word of a link: the number of the last row of the target.
    let lastLink: UInt64
  }

  /// - Parameter lastRow: Returns the number of the last row of a class; 0 if it has none.
  init(_ mapping: FileMapping, _ layout: TableLayout, lastRow: (String) -> Int) {
    let attributes = Dictionary(
      mapping.columns.map { ($0.column, $0.stored) }, uniquingKeysWith: { first, _ in first })
    columns = layout.columns.enumerated().map { index, column in
      let attribute = attributes[index]
      return Column(
        layout: column, type: attribute?.type, bits: Self.bits(index, layout),
        lastLink: attribute?.target.map { UInt64(clamping: lastRow($0)) } ?? 0)
    }
  }

  private static func bits(_ column: Int, _ layout: TableLayout) -> UInt64 {
    if layout.missingColumns.contains(column) {
      let first = (column - TableLayout.missingColumn) * 64
      // One bit for each attribute, and that of a whole row.
      let count = max(0, layout.attributeCount + 1 - first)
      var bits: UInt64 = count >= 64 ? .max : 1 << UInt64(count) - 1
      if let key = layout.keyColumn.map({ $0 - layout.firstAttribute - first }), 0..<64 ~= key {
        bits &= ~(1 << UInt64(key))
      }
      return bits
    }
    // Counting references must not overflow.
    return layout.keyColumn == nil && column == layout.referencesColumn ? .max >> 2 : .max
  }

  /// True if the columns of a chunk are valid and have this number of live rows.
  ///
  /// - Complexity: O(rows and elements), and O(bytes) for JSON.
  func isValid(_ blocks: [ColumnBlock], rowCount: Int) -> Bool {
    let live = blocks[TableLayout.liveColumn].values
    var liveCount = 0
    for row in 0..<ChunkLayout.rows {
      liveCount += Int(live.load(fromByteOffset: row, as: UInt8.self))
    }
    guard liveCount == rowCount else { return false }
    for (column, block) in zip(columns, blocks) where !Self.isValid(block, column, live) {
      return false
    }
    return true
  }

  private static func isValid(
    _ block: ColumnBlock, _ column: Column, _ live: UnsafeMutableRawPointer
  ) -> Bool {
    let values = UnsafeRawPointer(block.values)
    if let presence = block.presence, !isValid(presence, values, column.layout) { return false }
    let words = values.assumingMemoryBound(to: UInt64.self)
    var content = Content(block, column)
    switch column.layout.kind {
    case .byte: return areBooleans(values)
    case .word:
      var all: UInt64 = 0
      for row in 0..<ChunkLayout.rows { all |= words[row] }
      guard all & ~column.bits == 0 else { return false }
    case .link:
      var last: UInt64 = 0
      for row in 0..<ChunkLayout.rows { last = max(last, words[row]) }
      guard last <= column.lastLink else { return false }
    case .bytes:
      let isChecked = column.type == .uuid || column.type == .json
      for row in 0..<ChunkLayout.rows {
        guard let bytes = content.nextText(words[row]) else { return false }
        guard isChecked, live.load(fromByteOffset: row, as: UInt8.self) != 0,
          block.presence.map({ $0[row] != 0 }) ?? true
        else { continue }
        if !isValue(bytes, column.type) { return false }
      }
    case .collection:
      for row in 0..<ChunkLayout.rows
      where !content.hasCollection(words[2 * row], words[2 * row + 1]) { return false }
    }
    return content.isAtEnd
  }

  /// True if all bytes of the rows are 0 or 1.
  private static func areBooleans(_ bytes: UnsafeRawPointer) -> Bool {
    var all: UInt64 = 0
    for offset in stride(from: 0, to: ChunkLayout.rows, by: 8) {
      all |= bytes.load(fromByteOffset: offset, as: UInt64.self)
    }
    return all & ~0x0101_0101_0101_0101 == 0
  }

  /// True if the flags of present values are valid and the cells of null are zero.
  private static func isValid(
    _ presence: UnsafeMutablePointer<UInt8>, _ values: UnsafeRawPointer, _ layout: ColumnLayout
  ) -> Bool {
    guard areBooleans(presence) else { return false }
    var nulls: UInt64 = 0
    for row in 0..<ChunkLayout.rows where presence[row] == 0 {
      switch layout.kind {
      case .byte: nulls |= UInt64(values.load(fromByteOffset: row, as: UInt8.self))
      case .word, .bytes, .link: nulls |= values.load(fromByteOffset: row * 8, as: UInt64.self)
      case .collection:
        nulls |= values.load(fromByteOffset: row * 16, as: UInt64.self)
        nulls |= values.load(fromByteOffset: row * 16 + 8, as: UInt64.self)
      }
    }
    return nulls == 0
  }

  private static func isValue(_ bytes: UnsafeRawBufferPointer, _ type: FileType?) -> Bool {
    switch type {
    case .uuid: return bytes.count == 16
    case .json:
      var reader = StoredJSONReader(bytes)
      return reader.value() != nil && reader.isAtEnd
    default: return true
    }
  }

  /// The strings and elements of a column, read in the order in which they were written.
  private struct Content {
    private let column: Column
    private let text: UnsafeRawBufferPointer
    private let elements: UnsafeBufferPointer<UInt64>
    /// The number of bytes and words before the next string and collection.
    private var (textEnd, elementsEnd) = (0, 0)

    init(_ block: ColumnBlock, _ column: Column) {
      self.column = column
      text = UnsafeRawBufferPointer(start: block.text?.base, count: block.text?.used ?? 0)
      elements = UnsafeRawBufferPointer(
        start: block.elements?.base, count: block.elements?.used ?? 0
      ).bindMemory(to: UInt64.self)
    }

    var isAtEnd: Bool { textEnd == text.count && elementsEnd == elements.count }

    /// Returns the next string, to which a word refers; nil if it refers to other bytes.
    @inline(__always)
    mutating func nextText(_ word: UInt64) -> UnsafeRawBufferPointer? {
      if word == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
      let count = Int(word & 0xFFFF_FFFF)
      guard count > 0, Int(word >> 32) == textEnd, count <= text.count - textEnd else { return nil }
      defer { textEnd += count }
      return UnsafeRawBufferPointer(rebasing: text[textEnd..<textEnd + count])
    }

    /// Reads the next collection; returns false if the words of its slice are not as written, or an element is not valid.
    mutating func hasCollection(_ first: UInt64, _ second: UInt64) -> Bool {
      let length = Int(first >> 32)
      if length == 0 { return first == 0 && second == 0 }
      let stride = column.layout.elementStride
      // The capacity is the length.
      guard Int(first & 0xFFFF_FFFF) == elementsEnd, second == UInt64(length),
        length <= (elements.count - elementsEnd) / stride
      else { return false }
      var previous: ElementValue?
      for _ in 0..<length {
        guard let element = element() else { return false }
        if let previous, !isInOrder(previous, element) { return false }
        previous = element
      }
      return true
    }

    private func isInOrder(_ a: ElementValue, _ b: ElementValue) -> Bool {
      switch column.layout.collection {
      case .list: true
      case .set: ElementValue.precedes(a, b, column.layout)
      case .map: a.key.precedes(b.key)
      }
    }

    /// Reads the next element; returns nil if it is not valid.
    private mutating func element() -> ElementValue? {
      let layout = column.layout
      var element = ElementValue()
      func next() -> UInt64 {
        defer { elementsEnd += 1 }
        return elements[elementsEnd]
      }
      if layout.collection == .map {
        guard let key = nextText(next()) else { return nil }
        element.key = key
      }
      let word = next()
      if layout.elementKind == .bytes {
        guard let bytes = nextText(word) else { return nil }
        element.bytes = bytes
      } else {
        element.word = word
      }
      if layout.hasNullElements {
        let flag = next()
        element.isNull = flag == 1
        if flag > 1 || element.isNull && word != 0 { return nil }
      }
      if element.isNull { return element }
      switch column.type {
      case .link: return word > 0 && word <= column.lastLink ? element : nil
      case .bool: return word <= 1 ? element : nil
      case let type: return ChunkCheck.isValue(element.bytes, type) ? element : nil
      }
    }
  }
}
