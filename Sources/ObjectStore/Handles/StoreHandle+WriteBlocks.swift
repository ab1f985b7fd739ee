/// The writes that the block of a `write` may end: its own and those begun inside it, but none around it.
///
///     depth   0      1       2       3
///             │ write { begin … write { begin … } }
///             │         ▲               ▲
///             │         └ floor 0       └ floor 2: neither commit nor cancel ends a write at or below the floor
///
/// When the block returns, only its own write may be open; that write is committed. Otherwise all writes above the floor
/// are undone, and `write` throws `unbalancedWrite`.
struct WriteBlock {
  /// The depth of the writes around the block's own; 0 outside any block.
  var floor = 0
  /// True until the block commits or cancels its own write.
  var isOpen = true
  /// True if the block tried to end a write around it.
  var wentBelowFloor = false
}

extension StoreHandle {
  /// Runs the block of the write begun last, and ends that write.
  /// - Throws: The error of the block, `unbalancedWrite`, the errors of ``commit()``.
  func runWriteBlock<R>(_ body: () throws -> R) throws -> R {
    let outer = writeBlock
    defer { writeBlock = outer }
    let floor = writeDepth - 1
    writeBlock = WriteBlock(floor: floor)
    let result: R
    do {
      result = try body()
    } catch {
      unwind(to: floor)
      throw error
    }
    let depth = writeBlock.isOpen ? floor + 1 : floor
    guard writeDepth == depth, !writeBlock.wentBelowFloor else {
      unwind(to: floor)
      throw StoreError(.unbalancedWrite)
    }
    if writeBlock.isOpen { try commit() }
    return result
  }

  /// Called before the innermost write is ended: returns true if the running block may end it.
  func mayEndWrite() -> Bool {
    guard writeDepth > writeBlock.floor else {
      writeBlock.wentBelowFloor = true
      return false
    }
    if writeDepth == writeBlock.floor + 1 { writeBlock.isOpen = false }
    return true
  }

  private func unwind(to depth: Int) {
    while writeDepth > depth { cancel() }
  }
}
