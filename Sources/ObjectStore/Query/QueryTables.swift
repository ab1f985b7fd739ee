/// The tables that a query reads, in one version.
final class QueryTables {
  private let version: (Int) -> TableVersion
  private var known: ContiguousArray<TableVersion?> = []

  init(_ version: @escaping (Int) -> TableVersion) {
    self.version = version
  }

  subscript(table: Int) -> TableVersion {
    if table < known.count, let version = known[table] { return version }
    while known.count <= table { known.append(nil) }
    let version = version(table)
    known[table] = version
    return version
  }
}
