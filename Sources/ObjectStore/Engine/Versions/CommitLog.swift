/// Makes commits durable. Implemented by the file of a store, which the engine does not depend on.
protocol CommitLog: AnyObject, Sendable {
  /// Records a commit before it is published. Called by the writer.
  ///
  /// - Parameter dropsOtherClasses: True to delete the objects of all classes that the engine does not have.
  /// - Throws: The reason for the failure; the commit is then rolled back.
  func write(
    _ earlier: Version, _ later: Version, _ engine: StoreEngine, dropsOtherClasses: Bool
  ) throws(StoreError)

  /// Called by the writer after the commit is published.
  func didPublish(_ version: Version, _ engine: StoreEngine)

  #if DEBUG || STORE_INVARIANTS
    /// Returns true if the log may have links to a table that are not in any of `tables`: those of classes that are not
    /// registered, and of attributes that a registered class no longer declares. They count as references.
    func hasLinks(to table: String, outside tables: ContiguousArray<Table>) -> Bool
  #endif
}
