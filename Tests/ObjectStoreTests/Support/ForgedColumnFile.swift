import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// A column file whose content is changed and whose checksums are then made right again.
struct ForgedColumnFile {
  let url: URL
  private let original: [UInt64]
  var words: [UInt64]

  init(_ url: URL) throws {
    self.url = url
    let data = try Data(contentsOf: url)
    original = data.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    words = original
  }

  /// Writes the original content.
  mutating func restore() throws {
    words = original
    try words.withUnsafeBytes { try Data($0).write(to: url) }
  }

  func header(_ field: ColumnFile.Header) -> Int { Int(clamping: words[field.rawValue]) }

  /// The indices of the words of each part that the original file has.
  struct Parts {
    var blocks: [Range<Int>] = []
    var keys = 0..<0
    var indexes: [Range<Int>] = []
    var directory = 0..<0
    /// The first word of each chunk and index in the directory.
    var chunkEntries: [Int] = []
    var indexEntries: [Int] = []
  }

  var parts: Parts {
    func header(_ field: ColumnFile.Header) -> Int { Int(original[field.rawValue]) }
    var parts = Parts()
    let first = header(.directoryOffset) / 8
    parts.directory = first..<first + header(.directoryByteCount) / 8
    let keys = header(.keyOffset) / 8
    parts.keys = keys..<keys + 2 * header(.keySize)
    let indexSize = ColumnFile.Index.wordCount
    let indexStart = parts.directory.upperBound - header(.indexCount) * indexSize
    let size = (indexStart - first) / header(.chunkCount)
    parts.chunkEntries = (0..<header(.chunkCount)).map { first + $0 * size }
    parts.indexEntries = (0..<header(.indexCount)).map { indexStart + $0 * indexSize }
    func range(_ entry: Int) -> Range<Int> {
      let start = Int(original[entry]) / 8
      return start..<start + Int(original[entry + 1]) / 8
    }
    parts.blocks = parts.chunkEntries.map { range($0 + 1) }
    parts.indexes = parts.indexEntries.map { range($0 + CompoundIndex.size.upperBound) }
    return parts
  }

  /// The parts of a column in a block.
  struct Column {
    /// The index of the first word of the values.
    var values = 0
    var text = 0
    var elements = 0
    /// The index of the word with the byte count of the text; the next one has that of the elements.
    var sizes = 0
  }

  func column(_ index: Int, of block: Range<Int>, _ layout: TableLayout) -> Column {
    var next = block.lowerBound + 2 * layout.columns.count
    var column = Column()
    for (number, cells) in layout.columns.enumerated() where number <= index {
      column.sizes = block.lowerBound + 2 * number
      column.values = next
      if words[column.sizes] == ColumnFile.absentColumn { continue }
      next += ChunkLayout.rows * (cells.width + (cells.isOptional ? 1 : 0)) / 8
      column.text = next
      let textCount = Int(words[column.sizes])
      next += textCount == 0 ? 0 : (textCount + 15) / 8
      column.elements = next
      next += Int(words[column.sizes + 1]) / 8
    }
    return column
  }

  /// Changes a random word of a random part.
  mutating func change(_ random: inout SeededRandom) {
    let parts = parts
    let part: Range<Int> =
      switch random.below(10) {
      case 0: 0..<ColumnFile.Header.checksum.rawValue
      case 1, 2: parts.directory
      case 3: parts.keys
      case 4 where !parts.indexes.isEmpty: parts.indexes[random.below(parts.indexes.count)]
      default: parts.blocks[random.below(parts.blocks.count)]
      }
    if part.isEmpty { return }
    let index = part.lowerBound + random.below(part.count)
    let word = words[index]
    words[index] =
      switch random.below(8) {
      case 0: 0
      case 1: .max
      case 2: word &+ 1
      case 3: word &- 1
      case 4: random.next() >> UInt64(random.below(64))
      case 5: words[part.lowerBound + random.below(part.count)]
      default: word ^ 1 << UInt64(random.below(64))
      }
  }

  /// Writes the file with right checksums.
  mutating func write() throws {
    let parts = parts
    func set(_ sum: Int, _ offset: Int, _ byteCount: Int) {
      guard offset >= 0, byteCount >= 0, byteCount % 8 == 0, offset % 8 == 0,
        offset <= words.count * 8 - byteCount
      else { return }
      words[sum] = words.withUnsafeBytes {
        ColumnFile.checksum(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + byteCount]))
      }
    }
    func set(_ sum: Int, at entry: Int) {
      set(sum, Int(clamping: words[entry]), Int(clamping: words[entry + 1]))
    }
    for entry in parts.chunkEntries { set(entry + 3, at: entry + 1) }
    let size = CompoundIndex.size.upperBound
    for entry in parts.indexEntries { set(entry + size + 2, at: entry + size) }
    if header(.keySize) < words.count {
      set(ColumnFile.Header.keyChecksum.rawValue, header(.keyOffset), 16 * header(.keySize))
    }
    set(
      ColumnFile.Header.directoryChecksum.rawValue, header(.directoryOffset),
      header(.directoryByteCount))
    set(ColumnFile.Header.checksum.rawValue, 0, 8 * ColumnFile.Header.checksum.rawValue)
    try words.withUnsafeBytes { try Data($0).write(to: url) }
  }
}
