// Reclaiming memory: chunks whose rows are all dead are removed from the table; in others, the cells of dead rows are
// cleared and the garbage in the arenas is dropped. The fixed-size cells of a chunk remain: a single live row keeps
// those of all 256.

extension TableWriter {
  /// True if a chunk is full and all its rows are dead.
  func isWhollyDead(_ chunk: Int) -> Bool {
    let first = chunk << ChunkLayout.shift
    guard first + ChunkLayout.rows <= version.count else { return false }
    let live = columns(first)[TableLayout.liveColumn].values
    return (0..<ChunkLayout.rows).allSatisfy {
      live.load(fromByteOffset: $0, as: UInt8.self) == 0
    }
  }

  /// True if the arenas of a chunk hold more garbage than live bytes, in one column or, if `column` is nil, in any.
  ///
  /// - Complexity: O(rows of the chunk) for each column with large arenas, O(1) for others.
  func isWorthPacking(_ chunk: Int, column: Int? = nil) -> Bool {
    if let column { return hasGarbage(chunk, column) }
    return (firstAttribute..<columnCount).contains { hasGarbage(chunk, $0) }
  }

  /// The size up to which an arena is not worth packing.
  private static var smallArena: Int { 4096 }

  private func hasGarbage(_ chunk: Int, _ column: Int) -> Bool {
    let first = chunk << ChunkLayout.shift
    guard version.hasChunk(chunk), first < version.count else { return false }
    let current = columns(first)[column]
    let used = current.block._withUnsafeGuaranteedRef {
      ($0.text?.used ?? 0) + ($0.elements?.used ?? 0)
    }
    guard used > Self.smallArena else { return false }
    let layout = columnLayout(column)
    let isLive = columns(first)[TableLayout.liveColumn].values
    var live = 0
    for row in 0..<min(ChunkLayout.rows, version.count - first)
    where isLive.load(fromByteOffset: row, as: UInt8.self) != 0 {
      live +=
        layout.kind == .bytes ? Int(current.word(row) & 0xFFFF_FFFF) : current.size(row, layout)
      if live * 2 >= used { return false }
    }
    return true
  }

  /// Rewrites the chunk without the values of dead rows and without garbage.
  func pack(_ chunk: Int) {
    let first = chunk << ChunkLayout.shift
    guard version.hasChunk(chunk), first < version.count else { return }
    let capacity = chunkCapacity(first)
    for column in TableLayout.liveColumn + 1..<columnCount
    where !columns(first)[column].block._withUnsafeGuaranteedRef(\.isShared) {
      let target = ownedForGrowth(first, column)
      let isLive = columns(first)[TableLayout.liveColumn].values
      let layout = columnLayout(column)
      for row in 0..<capacity where isLive.load(fromByteOffset: row, as: UInt8.self) == 0 {
        target.pointee.values.advanced(by: row * layout.width).zero(layout.width)
        target.pointee.presence?[row] = 0
      }
      if layout.kind == .bytes {
        let size = target.pointee.textSize(rows: capacity)
        target.pointee.packText(
          into: Arena(capacity: size, limit: Arena.textLimit), rows: capacity)
      } else if layout.kind == .collection {
        let size = target.pointee.elementsSize(rows: capacity, withCapacity: false, layout)
        target.pointee.packElements(
          into: Arena(capacity: size, limit: Arena.elementLimit),
          text: layout.hasBytes
            ? Arena(
              capacity: target.pointee.elementsTextSize(rows: capacity, layout),
              limit: Arena.textLimit)
            : nil,
          rows: capacity, keepsCapacity: false, layout)
      }
    }
  }
}
