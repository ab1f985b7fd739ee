/// What the block of a `write` may end: its own write and those begun in it, none around it.
///
///     depth   0      1       2       3
///             │ write { begin … write { begin … } }
///             │         ▲               ▲
///             │         └ floor 0       └ floor 2: neither commit nor cancel goes below
///
/// When the block is over, only its own write may be open: then it is committed. Else what is open
/// above the floor is undone and `write` says `unbalancedWrite`.
struct WriteLevel {
  /// Depth of the writes around the block's own; 0 outside any block.
  var floor = 0
  /// Whether the block's own write was not ended by the block itself.
  var isOpen = true
  /// Whether the block tried to end a write around it.
  var wentBelow = false
}

extension StoreHandle {
  /// Whether the running block may end the innermost write; if so it is about to.
  func mayEndWrite() -> Bool {
    guard writeDepth > blockLevel.floor else {
      blockLevel.wentBelow = true
      return false
    }
    if writeDepth == blockLevel.floor + 1 { blockLevel.isOpen = false }
    return true
  }

  /// Runs the block of the write begun last, and ends it.
  func finish<R>(_ block: () throws -> R) throws -> R {
    let outer = blockLevel
    defer { blockLevel = outer }
    let floor = writeDepth - 1
    blockLevel = WriteLevel(floor: floor)
    let result: R
    do {
      result = try block()
    } catch {
      unwind(to: floor)
      throw error
    }
    let depth = blockLevel.isOpen ? floor + 1 : floor
    guard writeDepth == depth, !blockLevel.wentBelow else {
      unwind(to: floor)
      throw StoreError(.unbalancedWrite)
    }
    if blockLevel.isOpen { try commit() }
    return result
  }

  private func unwind(to depth: Int) {
    while writeDepth > depth { cancel() }
  }
}
