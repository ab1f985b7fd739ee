/// The batch of a handle. Its memory is reused for each update.
///
/// An update that begins inside another one, in a default or in a closure, gets a batch of its own.
struct BatchPool {
  private let batch: RowBatch
  private var isTaken = false

  init(_ evaluation: DefaultEvaluation) {
    batch = RowBatch(evaluation)
  }

  /// Returns an empty batch, which the caller gives back.
  mutating func take(_ evaluation: DefaultEvaluation) -> RowBatch {
    if isTaken { return RowBatch(evaluation) }
    isTaken = true
    return batch
  }

  mutating func giveBack(_ batch: RowBatch) {
    guard batch === self.batch else { return }
    batch.removeAll()
    isTaken = false
  }
}
