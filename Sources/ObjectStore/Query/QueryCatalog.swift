/// The classes of a store, as queries use them.
struct QueryCatalog {
  /// The schema and layout of a table.
  let table: (Int) -> (ObjectSchema, TableLayout)
  /// The base table of a class; nil if the class does not track edits.
  let base: (Int) -> BaseLayout?
  /// The attributes of a table that payloads contain, which can therefore be unknown.
  let payloadAttributes: (Int) -> AttributeBits
  /// The table of a class; nil for a class unknown to the store.
  let tableOf: (ClassID) -> Int?
  /// The identity of the store.
  let store: ObjectIdentifier
}
