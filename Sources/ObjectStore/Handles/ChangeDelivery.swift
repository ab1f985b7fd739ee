/// Notifies the observers of a handle of the changes since their last notification.
protocol ChangeDelivery: AnyObject {
  /// - Throws: `unbalancedWrite` if an observer left a write open. The write is rolled back, and all other observers
  ///   are notified first.
  func deliver() throws(StoreError)
  /// Releases all observers, because the store is deallocated.
  func end()
}
