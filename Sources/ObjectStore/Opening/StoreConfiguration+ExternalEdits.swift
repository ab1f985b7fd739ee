extension StoreConfiguration {
  /// The treatment of rows that another tool changed in a store's file.
  public enum ExternalEdits: Sendable, Hashable, CaseIterable {
    /// Changed rows count as damage, because the two cannot be distinguished.
    case refuse
    /// Changed rows are accepted if the store could have written them; otherwise they count as damage. The whole file
    /// is read when it is opened, which takes about a microsecond per row.
    case accept
  }
}
