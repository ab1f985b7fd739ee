/// The state of a store at the time of the request that a payload answers.
struct RequestState {
  let version: Version
  /// The attributes of each object whose edits were confirmed since, by table and key.
  private(set) var confirmed: [Int: [ConfirmationLog.Key: AttributeBits]] = [:]
  /// The keys of each table whose deletions were confirmed since.
  private(set) var deleted: [Int: Set<ConfirmationLog.Key>] = [:]

  init(_ version: Version, _ transaction: Transaction) {
    self.version = version
    let later = transaction.engine.confirmations.entries(after: version.number)
    for entry in later + transaction.edits.confirmations {
      switch entry {
      case .change(let table, let key, let attributes):
        for attribute in attributes {
          confirmed[table, default: [:]][key, default: AttributeBits()].insert(attribute)
        }
      case .deletion(let table, let key):
        deleted[table, default: []].insert(key)
      }
    }
  }

  /// Returns true if an edit of an attribute was confirmed since.
  func hasConfirmed(_ attribute: Int, _ writer: TableWriter, _ slot: Int) -> Bool {
    let key = ConfirmationLog.Key(writer.keyCell(slot), isBytes: writer.isKeyBytes)
    return writer.base != nil && confirmed[writer.table.index]?[key]?.has(attribute) ?? false
  }

  /// Returns true if the deletion of the object of a batch row was confirmed since.
  func hasDeleted(_ row: BatchRow, _ writer: TableWriter) -> Bool {
    guard row.isKeyed, let keys = deleted[writer.table.index] else { return false }
    return keys.contains(.init(row.key, isBytes: writer.isKeyBytes))
  }
}
