import ObjectStore

extension ListPages {
  /// Decodes the next page while it arrives in chunks, and applies it in batches, each in one transaction.
  ///
  ///     let pages = try coder.pages(of: Order.self, complete: .all)
  ///     let counts = try await pages.readAll(from: chunks)
  ///     let removed = try pages.finish()
  ///
  /// For the parameters and the forms of the page see ``StoreCoder/batches(of:dynamic:from:at:absent:size:)-(_,_,Chunks,_,_,_)``.
  /// - Returns: The counts of the page.
  /// - Throws: ``StoreCodingError``, the errors of `chunks`, and `CancellationError`; then the batches before the error
  ///   remain in the store, and ``finish()`` removes nothing.
  @discardableResult
  public func readAll<Chunks: AsyncSequence>(
    from chunks: Chunks, size: Int = 1_000, isolation: isolated (any Actor)? = #isolation
  ) async throws -> ReadResult<T>.Counts where Chunks.Element: Sequence<UInt8> {
    try beginBatches()
    do {
      let batches = BatchSequence<T, Chunks>(
        coder: coder, chunks: chunks, part: { [part] in part }, size: size,
        makesObjects: keepsElements
      ) { [self] in try add($0, $1) }
      let counts = try await batches.counts()
      endBatches(isComplete: true)
      return counts
    } catch {
      endBatches(isComplete: false)
      throw error
    }
  }
}
