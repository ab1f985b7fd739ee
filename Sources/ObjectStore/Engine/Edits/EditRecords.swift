/// The part of a transaction that concerns edits, the user's changes to objects of classes that track them.
struct EditRecords {
  /// The part of the transaction since the author of its changes last changed.
  var phase = WritePhase(author: .user, start: nil)
  /// The values of the server that conflict with edits, in the batches applied since they were last taken.
  var conflicts: [StoredConflict] = []
  /// The edits that this transaction confirmed.
  var confirmations: [ConfirmationLog.Entry] = []
  /// The rows that this transaction has merged into others.
  var mergedRows: [MergedRow: Int] = [:]
  /// The state at the time of the request that the batch being applied answers; nil if it is unknown.
  var request: RequestState?
  /// The links in the batch being applied to objects that were deleted locally, by table and tombstone.
  var withheldReferences: [Int: [Int: [LostReference]]] = [:]
  /// The base tables of which it is known if they have tombstones; true also if the last one has ended since.
  var knownTombstones: [Int: Bool] = [:]
  /// The tombstones by the rows that lost links to their objects; nil until needed.
  var knownLostSources: StoreEngine.LostSources?
  /// The links that base values of the ended phase lack, because their objects were deleted, by table and former row.
  var lostBaseLinks: [Int: [Int: [LostReference]]] = [:]
  /// The links that return to objects that have rows again.
  var returningLinks: [ReturningLinks] = []
  /// The base tables as they were before the batch being applied changed them.
  var formerBases: [Int: TableVersion] = [:]
}
