/// What a query needs to know of the classes of a store.
struct QueryCatalog {
  /// A table's schema and layout.
  let table: (Int) -> (ObjectSchema, TableLayout)
  /// The table of a class; nil for one that the store does not know.
  let tableOf: (ClassID) -> Int?
  /// Tells this store from others.
  let store: ObjectIdentifier
}
