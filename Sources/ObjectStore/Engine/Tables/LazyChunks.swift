import Dispatch
import Synchronization

/// The chunks of a table that are made when they are first read, shared by all versions of the table.
///
/// The directory of a version has no entry for such a chunk until a commit replaces or removes it: see
/// ``TableVersion/chunk(_:)``. Versions therefore stay immutable, and show the same chunk.
// Sendable: threads share only atomic words and immutable functions, which any of them may call.
final class LazyChunks: @unchecked Sendable {
  /// The file of the chunks.
  let file: any IndexFile
  /// The number of chunks up to the last one.
  let count: Int
  /// For each chunk, the address of the chunk, or one of the constants below.
  private let states: UnsafeMutablePointer<Atomic<UInt>>
  /// The chunk that was made last.
  private let last = Atomic<Int>(-2)
  private let make: @Sendable (Int) -> Chunk?
  private let recover: Recovery

  /// Makes a damaged chunk. The arguments are its index, and a function that returns true if another thread has made the
  /// chunk. Returns nil only then.
  typealias Recovery = @Sendable (Int, () -> Bool) -> Chunk?

  private static let unmade: UInt = 0
  /// There is no lazy chunk with this index: the table has none, or has it in the directory from the beginning.
  private static let absent: UInt = 1

  /// The number of chunks that are made at a time when chunks are read in their order, some megabytes, and the number of
  /// parts in which threads make them.
  private static let (aheadCount, partCount) = (256, 8)

  /// - Parameters:
  ///   - indexes: The indexes of the chunks, ascending.
  ///   - file: The file of the chunks.
  ///   - make: Makes a chunk; nil if it is damaged. Two threads may make the same chunk at the same time.
  ///   - recover: Makes a damaged chunk, on the thread that reads it.
  init(
    _ indexes: [Int], of file: any IndexFile, make: @escaping @Sendable (Int) -> Chunk?,
    recover: @escaping Recovery
  ) {
    self.file = file
    count = (indexes.last ?? -1) + 1
    states = .allocate(capacity: count)
    for index in 0..<count { (states + index).initialize(to: Atomic(Self.absent)) }
    for index in indexes { states[index].store(Self.unmade, ordering: .relaxed) }
    self.make = make
    self.recover = recover
  }

  deinit {
    for index in 0..<count { chunk(atState: state(index))?.release() }
    states.deallocate()
  }

  @inline(__always)
  private func state(_ index: Int) -> UInt { states[index].load(ordering: .acquiring) }

  @inline(__always)
  private func chunk(atState state: UInt) -> Unmanaged<Chunk>? {
    guard state > Self.absent, let address = UnsafeRawPointer(bitPattern: state) else { return nil }
    return Unmanaged.fromOpaque(address)
  }

  /// True if there is a chunk with this index.
  func contains(_ index: Int) -> Bool { index < count && state(index) != Self.absent }

  /// True if all chunks are made.
  var areMade: Bool { (0..<count).allSatisfy { state($0) != Self.unmade } }

  /// Returns the index of the first chunk at or after `index`, or nil.
  func next(from index: Int) -> Int? {
    var index = index
    while index < count {
      if state(index) != Self.absent { return index }
      index += 1
    }
    return nil
  }

  /// Returns the chunk with this index, or nil.
  @inline(__always)
  func chunk(_ index: Int) -> Unmanaged<Chunk>? {
    guard index < count else { return nil }
    let state = state(index)
    return state == Self.unmade ? made(index) : chunk(atState: state)
  }

  /// Makes a chunk and, if the previous one was made before it, the following ones on all cores.
  @inline(never)
  private func made(_ index: Int) -> Unmanaged<Chunk>? {
    if last.exchange(index, ordering: .relaxed) == index - 1 {
      let end = min(count, index + Self.aheadCount)
      last.store(end - 1, ordering: .relaxed)
      DispatchQueue.concurrentPerform(iterations: Self.partCount) { part in
        let first = index + (end - index) * part / Self.partCount
        let next = index + (end - index) * (part + 1) / Self.partCount
        for index in first..<next where state(index) == Self.unmade {
          if let chunk = make(index) { install(chunk, index) }
        }
      }
    }
    if state(index) == Self.unmade {
      let chunk = make(index) ?? recover(index) { state(index) != Self.unmade }
      if let chunk { install(chunk, index) }
    }
    return chunk(atState: state(index))
  }

  private func install(_ chunk: Chunk, _ index: Int) {
    let new = Unmanaged.passRetained(chunk)
    let result = states[index].compareExchange(
      expected: Self.unmade, desired: UInt(bitPattern: new.toOpaque()),
      successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    // Another thread was first: all readers get its chunk.
    if !result.exchanged { new.release() }
  }
}

/// A file with the indexes of the rows that it had when it was written.
protocol IndexFile: Sendable {
  /// Calls `body` with the pairs of an index, ascending: the words of the key, then the slot. Returns nil if the file does
  /// not have the index, or if it is damaged, which `body` states by returning nil.
  func withPairs<R>(_ columns: [Int], _ body: (UnsafeBufferPointer<UInt64>) -> R?) -> R?
}
