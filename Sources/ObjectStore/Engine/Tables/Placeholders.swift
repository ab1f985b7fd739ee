// Rows of which only the key is known: every attribute that payloads contain is missing, and the row is not whole. A class
// may have an attribute that shows this.

extension TableWriter {
  /// True if only the key of a row is known.
  func isPlaceholder(_ slot: Int) -> Bool {
    let payload = table.payloadAttributes
    if payload.isEmpty || !hasMissing(slot) { return false }
    let missing = version.missing(slot, layout)
    return missing.intersection(payload) == payload && !version.isWhole(slot, layout)
  }

  /// Sets the mark of a placeholder after attributes of a row were given or became missing.
  func updatePlaceholder(_ slot: Int) {
    guard let column = table.placeholderColumn else { return }
    setByte(slot, column, isPlaceholder(slot) ? 1 : 0)
  }
}
