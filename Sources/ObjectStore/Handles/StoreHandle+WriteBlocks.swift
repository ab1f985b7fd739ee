extension StoreHandle {
  /// Runs `body` in a write of its own, or in a savepoint of the open one.
  /// - Throws: The errors of ``begin()`` and of ``runWriteBlock(_:)``.
  @inline(__always)
  func write<R>(_ body: () throws -> R) throws -> R {
    try begin()
    return try runWriteBlock(body)
  }

  /// Runs `body` in the open write, or in a write of its own.
  /// - Throws: The errors of `body` and, for a write of its own, of ``write(_:)``.
  @inline(__always)
  func joinOrWrite<R>(_ body: () throws -> R) throws -> R {
    isWriting ? try body() : try write(body)
  }

  /// Runs the block of the most recently begun write, and ends that write.
  /// - Throws: The error of the block, `unbalancedWrite`, and the errors of ``commit()``.
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

  /// Returns true if the running block may end the innermost write. Called immediately before that write is ended.
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

extension StoreHandle {
  /// Records the edits of the open write, so that they can be read. Does nothing outside a write.
  func settleEdits() {
    guard let transaction, !evaluation.isRunning else { return }
    transaction.settlePhase()
  }
}
