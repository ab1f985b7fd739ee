public import Foundation
public import ObjectStore

/// The pages of a complete list. See ``StoreCoder/pages(of:dynamic:at:complete:missing:guard:absent:)``.
public final class ListPages<T: Object> {
  let coder: StoreCoder
  let part: PayloadPart
  private var list: CompleteList<T>
  /// The elements so far; empty if they are not assigned to a list.
  private var elements: [T] = []
  /// True if the elements are assigned to a list at the end.
  let keepsElements: Bool
  /// The last page; nil before the first one, and if that is a stream without any value.
  private var last: ReadResult<T>?
  private var hasPages = false
  private var state = State.open

  private enum State { case open, reading, failed, undone, refused, finished }

  init(
    _ coder: StoreCoder, _ part: PayloadPart, _ list: CompleteList<T>
  ) {
    self.coder = coder
    self.part = part
    self.list = list
    keepsElements = list.assignsElements
  }

  /// Decodes the next page and applies it in one transaction, or as part of the open one. If that is rolled back, the pages
  /// cannot be finished.
  ///
  /// - Parameter data: The page. A value at one of `ListGuard.morePaths` is allowed in each page but the last.
  /// - Returns: The objects of the page and their outcomes.
  /// - Throws: ``StoreCodingError``; then the page is not applied, and ``finish()`` removes nothing.
  @discardableResult
  public func read(_ data: Data) throws -> ReadResult<T> {
    try checkOpen()
    do {
      let result: ReadResult<T> = try coder.store.write {
        try coder.read(data, part) { try list.add($1, $0, isLast: false) }
      }
      add(result)
      return result
    } catch {
      state = .failed
      throw error
    }
  }

  private func add(_ result: ReadResult<T>) {
    // Inside a write of the caller, which may still be rolled back.
    coder.store.onRollback { [weak self] in self?.state = .undone }
    hasPages = true
    last = result
    if keepsElements { elements += result.objects }
  }

  /// Removes the missing objects in one transaction, or as part of the open one.
  ///
  /// - Returns: The number of missing objects.
  /// - Throws: `incompleteList` if no page was read, if one was refused, if the last page indicates more, or for the
  ///   reasons of `ListGuard`; nothing is removed then.
  public func finish() throws -> Int {
    try checkOpen()
    if !hasPages { throw StoreCodingError(.incompleteList, expected: "no page was read") }
    state = .refused
    if let last { try list.checkMore(last) }
    let count = try coder.store.write(as: coder.configuration.decodesAs) {
      list.nameChanges()
      return try list.finish(
        coder.store, elements.filter { !$0.isInvalidated }, as: coder.valueAuthor
      ).missing
    }
    state = .finished
    return count
  }

  private func checkOpen() throws {
    let reason =
      switch state {
      case .open: nil as String?
      case .reading: "one of its pages is still being read"
      case .failed: "one of its pages was refused"
      case .undone: "the write with one of its pages was rolled back"
      case .refused: "its end was refused before"
      case .finished: "its pages were finished before"
      }
    if let reason { throw StoreCodingError(.incompleteList, expected: reason) }
  }

  // MARK: - Pages in batches

  /// Begins a page that is read in batches.
  ///
  /// - Throws: `incompleteList` if the list can have no more pages.
  func beginBatches() throws {
    try checkOpen()
    state = .reading
  }

  /// Records an applied batch, in its transaction.
  func add(_ result: ReadResult<T>, _ batch: RowBatch) throws {
    try list.add(batch, result, isLast: false)
    add(result)
  }

  /// Ends a page that is read in batches.
  ///
  /// - Parameter isComplete: False if an error ended it.
  func endBatches(isComplete: Bool) {
    hasPages = true
    // A batch may have been rolled back with a write of the caller.
    if state == .reading { state = isComplete ? .open : .failed }
  }
}
