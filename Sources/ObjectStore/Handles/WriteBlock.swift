/// The writes that the block of a `write` may end: its own and those begun inside it, but no enclosing one.
///
///     depth   0      1       2       3
///             │ write { begin … write { begin … } }
///             │         ▲               ▲
///             │         └ floor 0       └ floor 2: neither commit nor cancel ends a write at or below the floor
///
/// When the block returns, its own write is committed unless the block has ended it. If a write begun inside is still
/// open, or the block tried to end one below the floor, all writes above the floor are undone and `write` throws
/// `unbalancedWrite`.
struct WriteBlock {
  /// The number of writes that enclose the block's own write; 0 outside any block.
  var floor = 0
  /// True until the block commits or cancels its own write.
  var isOpen = true
  /// True if the block tried to end an enclosing write.
  var wentBelowFloor = false
}
