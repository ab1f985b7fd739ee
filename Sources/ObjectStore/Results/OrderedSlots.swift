/// A sequence of slots with cheap edits. It consists of pieces of at most 1024 slots, so that an insertion or deletion
/// moves few slots, and copies share the pieces that do not change.
///
///     pieces   [3 9 4 …] [7 1 …] [8 …]
///     starts    0         512     1024
struct OrderedSlots {
  private var pieces: [[Int]] = []
  /// The index of the first slot of each piece.
  private var starts: [Int] = []
  private(set) var count = 0

  private static let pieceSize = 512

  init(_ slots: [Int]) {
    var first = 0
    while first < slots.count {
      let end = min(slots.count, first + Self.pieceSize)
      pieces.append(Array(slots[first..<end]))
      starts.append(first)
      first = end
    }
    count = slots.count
  }

  /// - Complexity: O(log n).
  subscript(index: Int) -> Int {
    let piece = piece(of: index)
    return pieces[piece][index - starts[piece]]
  }

  /// The slots in a range of indices.
  ///
  /// - Complexity: O(length + log n).
  subscript(range: Range<Int>) -> [Int] {
    assert(range.lowerBound >= 0 && range.upperBound <= count, "\(range) exceeds \(count) slots")
    var slots: [Int] = []
    slots.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let piece = piece(of: index)
      let end = min(range.upperBound, starts[piece] + pieces[piece].count)
      slots += pieces[piece][(index - starts[piece])..<(end - starts[piece])]
      index = end
    }
    return slots
  }

  /// The index of the first slot for which `isBefore` is false. The slots for which it is true precede all others.
  ///
  /// - Complexity: O(log n) calls.
  func partitionPoint(_ isBefore: (Int) -> Bool) -> Int {
    let next = pieces.indices.partitionPoint { isBefore(pieces[$0][0]) }
    guard next > 0 else { return 0 }
    let piece = pieces[next - 1]
    return starts[next - 1] + piece.indices.partitionPoint { isBefore(piece[$0]) }
  }

  /// - Complexity: O(√n) for realistic sizes: it edits one piece, and the starts of the pieces after it.
  mutating func remove(at index: Int) {
    let piece = piece(of: index)
    pieces[piece].remove(at: index - starts[piece])
    if pieces[piece].isEmpty {
      pieces.remove(at: piece)
      starts.remove(at: piece)
    }
    updateStarts(from: piece)
  }

  /// - Complexity: The same as ``remove(at:)``.
  mutating func insert(_ slot: Int, at index: Int) {
    assert((0...count).contains(index), "Index \(index) exceeds \(count)")
    if pieces.isEmpty {
      pieces = [[slot]]
      starts = [0]
      count = 1
      return
    }
    let piece = index == count ? pieces.count - 1 : piece(of: index)
    pieces[piece].insert(slot, at: index - starts[piece])
    if pieces[piece].count > 2 * Self.pieceSize {
      let tail = Array(pieces[piece][Self.pieceSize...])
      pieces[piece].removeSubrange(Self.pieceSize...)
      pieces.insert(tail, at: piece + 1)
      starts.insert(0, at: piece + 1)
    }
    updateStarts(from: piece)
  }

  /// Recomputes the starts of a piece and all later pieces, and the count.
  private mutating func updateStarts(from first: Int) {
    var next = first > 0 ? starts[first - 1] + pieces[first - 1].count : 0
    for piece in first..<pieces.count {
      starts[piece] = next
      next += pieces[piece].count
    }
    count = next
  }

  private func piece(of index: Int) -> Int {
    starts.indices.partitionPoint { starts[$0] <= index } - 1
  }
}
