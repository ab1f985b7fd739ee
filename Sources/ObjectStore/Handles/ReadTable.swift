/// A table in the version a handle shows.
struct ReadTable {
  let version: Unmanaged<TableVersion>
  let layouts: UnsafePointer<ColumnLayout>
  let firstAttribute: Int
}
