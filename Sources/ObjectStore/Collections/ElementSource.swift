/// The context for reading elements of a managed collection.
public struct _ElementSource {
  // Unretained, because retaining it for each element costs more than reading a number. The caller keeps it alive.
  private let unretained: Unmanaged<StoreHandle>
  /// The table that elements link to; negative for scalars.
  let targetTable: Int

  init(_ handle: StoreHandle, targetTable: Int) {
    unretained = .passUnretained(handle)
    self.targetTable = targetTable
  }

  var handle: StoreHandle { unretained.takeUnretainedValue() }
}
