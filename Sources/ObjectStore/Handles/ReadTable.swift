/// A table in the version that a handle shows, for reading row by row.
struct ReadTable {
  let version: Unmanaged<TableVersion>
  let layouts: UnsafePointer<ColumnLayout>
  let firstAttribute: Int
  let missingColumnCount: Int
}
