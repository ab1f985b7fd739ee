/// Finds the rows of a set that hold the content of an update already, each row for one element.
///
/// The set's own order is tried first, since the same payload again comes in it; then a hash of what
/// the rows hold. The hash is taken twice: over what the content says, with a mark for what it leaves
/// to defaults, as rows note it; and over all values, for content that says what was a default before.
///
/// - Complexity: O(n) comparisons of content for a set and an update of n elements, unless rows differ
///   only in what ``ContentHash`` leaves out.
struct ContentMatcher {
  private let transaction: Transaction
  private let writer: TableWriter
  /// Target slot + 1 of each element of the set; 0 where an element took the row.
  private var words: [UInt64]
  /// Elements before this one are taken.
  private var next = 0
  private var byStatement: Index?
  private var byValue: Index?
  private let keyHash = KeyHash()

  /// The places of one hash as a chain.
  private struct Index {
    var first: [UInt64: Int] = [:]
    var following: [Int] = []
  }

  /// - Parameter taken: the rows that elements refer to by themselves.
  init(_ transaction: Transaction, table: Int, _ words: [UInt64], taken: Set<UInt64>) {
    self.transaction = transaction
    writer = transaction.writer(table)
    self.words = taken.isEmpty ? words : words.map { taken.contains($0) ? 0 : $0 }
  }

  /// The row that holds the content, as a link's word; nil if there is none left.
  mutating func take(_ content: BatchRow) -> UInt64? {
    while next < words.count, words[next] == 0 { next += 1 }
    guard next < words.count else { return nil }
    if transaction.holds(content, Int(words[next]) - 1) { return take(at: next) }
    let statement = ContentHash(transaction, keyHash, marksDefaults: true)
    if let place = place(of: content, statement, in: \.byStatement) { return take(at: place) }
    transaction.fillDefaults(writer, content)
    let value = ContentHash(transaction, keyHash, marksDefaults: false)
    return place(of: content, value, in: \.byValue).map { take(at: $0) }
  }

  private mutating func take(at place: Int) -> UInt64 {
    defer { words[place] = 0 }
    return words[place]
  }

  private mutating func place(
    of content: BatchRow, _ hash: ContentHash, in path: WritableKeyPath<Self, Index?>
  ) -> Int? {
    var index = self[keyPath: path].take() ?? makeIndex(hash)
    defer { self[keyPath: path] = index }
    let key = hash.of(content)
    var place = index.first[key] ?? -1
    // What was taken since leaves the chain's beginning.
    while place >= 0, words[place] == 0 {
      place = index.following[place]
      index.first[key] = place
    }
    while place >= 0, words[place] == 0 || !transaction.holds(content, Int(words[place]) - 1) {
      place = index.following[place]
    }
    return place < 0 ? nil : place
  }

  private func makeIndex(_ hash: ContentHash) -> Index {
    var index = Index()
    index.following = [Int](repeating: -1, count: words.count)
    for place in words.indices.reversed() where words[place] != 0 {
      let key = hash.of(writer, Int(words[place]) - 1)
      if let other = index.first.updateValue(place, forKey: key) {
        index.following[place] = other
      }
    }
    return index
  }
}

/// A hash of content, the same for a row of a batch and for the row of the store that holds it.
///
/// Sets and maps are left out, and what stands deeper than some levels or far down a list of links:
/// rows without a key may refer to each other in a circle.
struct ContentHash {
  private let transaction: Transaction
  private let keyHash: KeyHash
  /// Whether an attribute left to its default counts as that, and not as the value it had.
  private let marksDefaults: Bool

  private static let depthLimit = 2
  private static let linkLimit = 4
  private static let isNull: UInt64 = 1
  private static let isDefault: UInt64 = 2
  private static let isLeftOut: UInt64 = 3

  init(_ transaction: Transaction, _ keyHash: KeyHash, marksDefaults: Bool) {
    self.transaction = transaction
    self.keyHash = keyHash
    self.marksDefaults = marksDefaults
  }

  @inline(__always)
  private func add(_ hash: inout UInt64, _ part: UInt64) {
    hash = keyHash.word(hash &+ part)
  }

  // MARK: - A row of a batch

  func of(_ content: BatchRow) -> UInt64 { of(content, depth: 0) }

  private func of(_ content: BatchRow, depth: Int) -> UInt64 {
    let writer = transaction.writer(Int(content.header.pointee.table))
    if !marksDefaults { transaction.fillDefaults(writer, content) }
    var hash: UInt64 = 0
    for column in writer.firstAttribute..<writer.columnCount {
      let cell = content[column - writer.firstAttribute]
      if marksDefaults, cell.state == .absent || cell.isDefault {
        add(&hash, Self.isDefault)
      } else {
        add(&hash, part(cell, writer.columnLayout(column), depth))
      }
    }
    return hash
  }

  private func part(_ cell: BatchCell, _ layout: ColumnLayout, _ depth: Int) -> UInt64 {
    let isNull = cell.state == .absent || cell.state == .null
    switch layout.kind {
    case .link:
      return link(cell, layout.targetTable, depth)
    case .collection:
      guard layout.collection == .list else { return Self.isLeftOut }
      let elements = cell.state == .value ? cell.elements : .init(start: nil, count: 0)
      var hash = UInt64(elements.count)
      if layout.elementKind == .link {
        for cell in elements.prefix(Self.linkLimit) {
          add(&hash, link(cell, layout.targetTable, depth))
        }
      } else {
        for cell in elements { add(&hash, part(ElementValue(cell, layout), layout)) }
      }
      return hash
    case .word, .byte, .text:
      // A cell without a value reads as zero where the attribute cannot be null.
      if isNull { return layout.isOptional ? Self.isNull : zero(layout.kind) }
      switch layout.kind {
      case .text: return keyHash.bytes(cell.bytes)
      case .byte: return keyHash.word(UInt64(UInt8(truncatingIfNeeded: cell.bits)))
      default: return keyHash.word(cell.bits)
      }
    }
  }

  private func zero(_ kind: ColumnLayout.Kind) -> UInt64 {
    kind == .text ? keyHash.bytes(.init(start: nil, count: 0)) : keyHash.word(0)
  }

  private func link(_ cell: BatchCell, _ table: Int, _ depth: Int) -> UInt64 {
    if let content = transaction.content(cell) {
      return depth < Self.depthLimit ? of(content, depth: depth + 1) : Self.isLeftOut
    }
    return link(transaction.word(of: cell), table, depth)
  }

  // MARK: - A row of the store

  func of(_ writer: TableWriter, _ slot: Int) -> UInt64 { of(writer, slot, depth: 0) }

  private func of(_ writer: TableWriter, _ slot: Int, depth: Int) -> UInt64 {
    var hash: UInt64 = 0
    for column in writer.firstAttribute..<writer.columnCount {
      if marksDefaults, writer.isDefault(slot, column - writer.firstAttribute) {
        add(&hash, Self.isDefault)
      } else {
        add(&hash, part(writer, slot, column, depth))
      }
    }
    return hash
  }

  private func part(_ writer: TableWriter, _ slot: Int, _ column: Int, _ depth: Int) -> UInt64 {
    let layout = writer.columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = writer.columns(slot)[column]
    switch layout.kind {
    case .link:
      return link(current.word(row), layout.targetTable, depth)
    case .collection:
      guard layout.collection == .list else { return Self.isLeftOut }
      let run = current.run(row)
      var hash = UInt64(run.length)
      if layout.elementKind == .link {
        for index in 0..<min(Int(run.length), Self.linkLimit) {
          add(&hash, link(current.elementWord(run, index, layout), layout.targetTable, depth))
        }
      } else {
        for index in 0..<Int(run.length) {
          add(&hash, part(current.element(run, index, layout), layout))
        }
      }
      return hash
    case .word, .byte, .text:
      if layout.isOptional, current.isNull(row) { return Self.isNull }
      switch layout.kind {
      case .text: return keyHash.bytes(current.bytes(ofWord: current.word(row)))
      case .byte: return keyHash.word(UInt64(current.byte(row)))
      default: return keyHash.word(current.word(row))
      }
    }
  }

  // MARK: - Both

  private func part(_ element: ElementValue, _ layout: ColumnLayout) -> UInt64 {
    if element.isNull { return Self.isNull }
    return layout.elementKind == .text ? keyHash.bytes(element.bytes) : keyHash.word(element.word)
  }

  /// A link to a row that is in the store: by what it holds, if it may be told again by content.
  private func link(_ word: UInt64, _ table: Int, _ depth: Int) -> UInt64 {
    guard word != 0 else { return Self.isNull }
    let target = transaction.writer(table)
    if target.identity == .keyed { return keyHash.word(word) }
    return depth < Self.depthLimit
      ? of(target, Int(word) - 1, depth: depth + 1) : Self.isLeftOut
  }
}
