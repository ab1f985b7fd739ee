/// Tells observers of a handle what is different since they were told last.
protocol ChangeDelivery: AnyObject {
  /// - Throws: `unbalancedWrite` if an observer left a write open, which is undone; all others are told first.
  func deliver() throws(StoreError)
  /// Nobody is told any more: the store is gone.
  func end()
}
