/// A mask of changed attributes for each row of a chunk.
///
/// Copies of a ``TableChanges`` share it; only the current one is written to (see savepoints).
final class RowMasks {
  let bits: UnsafeMutablePointer<UInt64>

  init() {
    bits = .allocate(capacity: ChunkLayout.rows)
    bits.initialize(repeating: 0, count: ChunkLayout.rows)
  }

  deinit {
    bits.deallocate()
  }
}
