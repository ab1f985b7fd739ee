/// What is different between two versions of a table, an earlier and a later one.
///
/// Versions share what they have in common: the difference is looked for only in branches, chunks and
/// columns that they do not share, and there by comparing cells. So it costs what was touched, whatever
/// the rows, and what was changed back is no difference. R13.
struct TableDifference {
  /// Rows of the earlier version that the later one does not have, ascending.
  private(set) var deleted: [Int] = []
  /// Rows of the later version that the earlier one does not have, ascending.
  private(set) var inserted: [Int] = []
  /// Rows of both with the attributes that differ, ascending.
  private(set) var changed: [(slot: Int, attributes: AttributeBits)] = []

  private let earlier: TableVersion
  private let later: TableVersion
  private let layout: TableLayout

  init(_ earlier: TableVersion, _ later: TableVersion, _ layout: TableLayout) {
    self.earlier = earlier
    self.later = later
    self.layout = layout
    if earlier === later { return }
    compareSegments()
    later.forEachLive(from: earlier.count) {
      inserted.append($0)
      return true
    }
  }

  var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && changed.isEmpty }

  /// The attributes that differ in a row; nil for one that is the same, or not in both.
  func attributes(of slot: Int) -> AttributeBits? {
    var low = 0
    var high = changed.count
    while low < high {
      let middle = (low + high) / 2
      if changed[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    return low < changed.count && changed[low].slot == slot ? changed[low].attributes : nil
  }

  /// Adds attributes of rows of both versions, in any order.
  mutating func add(_ attributes: [Int: AttributeBits]) {
    if attributes.isEmpty { return }
    var all = attributes
    for (slot, own) in changed { all[slot, default: AttributeBits()].formUnion(own) }
    changed = all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: - Comparing

  private mutating func compareSegments() {
    for index in 0..<earlier.segmentCount {
      let old = earlier.segments[index]
      let new = index < later.segmentCount ? later.segments[index] : nil
      if old?.toOpaque() == new?.toOpaque() { continue }
      for place in 0..<SpineLayout.fanOut {
        let oldNode = old?._withUnsafeGuaranteedRef { $0.children[place] }
        let newNode = new?._withUnsafeGuaranteedRef { $0.children[place] }
        if oldNode?.toOpaque() == newNode?.toOpaque() { continue }
        let first = (index << SpineLayout.shift + place) << SpineLayout.shift
        for child in 0..<SpineLayout.fanOut {
          let oldChunk = oldNode?._withUnsafeGuaranteedRef { $0.children[child] }
          let newChunk = newNode?._withUnsafeGuaranteedRef { $0.children[child] }
          if oldChunk?.toOpaque() != newChunk?.toOpaque() { compareChunks(first + child) }
        }
      }
    }
  }

  private mutating func compareChunks(_ index: Int) {
    let first = index << ChunkLayout.shift
    let slots = first..<min(earlier.count, first + ChunkLayout.rows)
    if slots.isEmpty { return }
    let columns = differentColumns(first)
    for slot in slots where earlier.isLive(slot) {
      guard later.isLive(slot) else {
        deleted.append(slot)
        continue
      }
      var attributes = AttributeBits()
      for column in columns where differs(slot, column) {
        attributes.insert(column - layout.firstAttribute)
      }
      if !attributes.isEmpty { changed.append((slot, attributes)) }
    }
  }

  /// The attributes' columns that the chunks do not share.
  private func differentColumns(_ slot: Int) -> [Int] {
    let (old, new) = (earlier.columns(slot), later.columns(slot))
    return (layout.firstAttribute..<layout.columns.count).filter {
      old[$0].block.toOpaque() != new[$0].block.toOpaque()
    }
  }

  private func differs(_ slot: Int, _ column: Int) -> Bool {
    let (old, new) = (earlier.columns(slot)[column], later.columns(slot)[column])
    let row = slot & ChunkLayout.mask
    let layout = layout.columns[column]
    if layout.kind != .collection, old.isNull(row) != new.isNull(row) { return true }
    switch layout.kind {
    case .byte: return old.byte(row) != new.byte(row)
    case .word, .link: return old.word(row) != new.word(row)
    case .text:
      return !old.bytes(ofWord: old.word(row)).hasSameBytes(as: new.bytes(ofWord: new.word(row)))
    case .collection:
      let (oldRun, newRun) = (old.run(row), new.run(row))
      if oldRun.length != newRun.length { return true }
      return !(0..<Int(oldRun.length)).allSatisfy {
        old.element(oldRun, $0, layout).equals(new.element(newRun, $0, layout))
      }
    }
  }
}
