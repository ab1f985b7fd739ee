/// Tells observers of a handle what is different since they were told last.
protocol ChangeDelivery: AnyObject {
  func deliver()
  /// Nobody is told any more: the store is gone.
  func end()
}
