import Foundation

@testable import ObjectStore

/// Opens a file for reading only, as another process would: handles of the same configuration do not share the store, so that
/// this process may write the file at the same time. While the file is open for writing, opening it waits ten seconds.
///
/// - Parameter columnFileRows: The number of rows from which only the changed chunks of a class are read.
func openReader(
  _ url: URL, columnFileRows: Int = 8192, refreshInterval: Duration? = nil,
  schemaVersion: UInt64 = 0, logLimit: Int = 64 << 20
) throws -> ObjectStore.Store {
  var configuration = StoreConfiguration.file(
    url, readOnly: true, refreshInterval: refreshInterval, schemaVersion: schemaVersion)
  configuration.file.columnFileRows = columnFileRows
  configuration.file.readerLogLimit = logLimit
  return ObjectStore.Store(core: try StoreCore(configuration))
}
