import Dispatch
public import Foundation

extension Store {
  /// The damage found in the file, or in the file that an in-memory store was copied from, in the order of discovery.
  ///
  /// A class that cannot be read is empty. A cache that has discarded unreadable data remains writable. Otherwise, each
  /// write to the file throws the first of these errors, to protect the remaining data. The next opening for writing
  /// verifies a damaged file, and renames it unless it was replaced by a good one.
  public var damage: [StoreError] { handle.core.damage }

  /// Waits until all earlier commits are in the file and safe from a power failure.
  ///
  /// Does nothing for a store in memory.
  /// - Throws: `fileFailed` and other errors of writing the file.
  public nonisolated(nonsending) func flush() async throws {
    guard let file = handle.core.file else { return }
    let engine = handle.engine
    try await Self.inBackground(nil) { _ in try file.flush(engine) }
  }

  /// Rewrites the file so that it takes up as little space as possible.
  ///
  ///     try await store.compact { fraction in print(fraction) }
  ///
  /// If the task is cancelled, the file does not change.
  /// - Parameter progress: A closure that receives the approximate fraction done, from 0 to 1, on any thread.
  /// - Throws: `CancellationError`, `fileFailed` and other errors of writing the file; `notInFile` for a store in
  ///   memory.
  /// - Complexity: O(rows): the whole file is written.
  public nonisolated(nonsending) func compact(
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    guard let file = handle.core.file else { throw StoreError(.notInFile) }
    let engine = handle.engine
    try await Self.inBackground(progress) { try file.compact(engine, $0) }
  }

  /// Copies the current contents of the store, in memory or in a file, to a new, compact file. The store stays in
  /// use.
  ///
  /// If the task is cancelled, no new file is left.
  /// - Parameters:
  ///   - url: The location of the new file. The folder must exist, and the file must not.
  ///   - progress: A closure that receives the approximate fraction done, from 0 to 1, on any thread.
  /// - Throws: `CancellationError`; `fileFailed`, also if the file exists.
  public nonisolated(nonsending) func copy(
    to url: URL, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    let core = handle.core
    let path = url.path(percentEncoded: false)
    try await Self.inBackground(progress) { try core.copy(to: path, $0) }
  }

  /// The synchronous form of ``copy(to:progress:)``.
  package func copyNow(to url: URL) throws {
    try handle.core.copy(to: url.path(percentEncoded: false), FileProgress(nil))
  }

  /// Reads the whole file and verifies its checksums. Does nothing for a store in memory.
  /// - Parameter progress: A closure that receives the approximate fraction done, from 0 to 1, on any thread.
  /// - Throws: `fileDamaged` with the first problem found; `CancellationError`.
  /// - Complexity: O(rows).
  public nonisolated(nonsending) func integrityCheck(
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    guard let file = handle.core.file else { return }
    let engine = handle.engine
    try await Self.inBackground(progress) { try file.check(engine, $0) }
  }

  /// Deletes the file of a configuration and the files that belong to it. Does nothing if there is no file.
  /// - Throws: `fileInUse` while a store has the file open; `fileFailed`; `notInFile` for a configuration in memory.
  public static func deleteFiles(_ configuration: StoreConfiguration) throws {
    guard let path = configuration.path else { throw StoreError(.notInFile) }
    if OpenStores.shared.isOpen(configuration) { throw StoreError(.fileInUse(path: path)) }
    try StoreFile.delete(path)
  }

  /// Returns the classes in the file of a configuration, so that it can be opened without their Swift declarations.
  ///
  /// They have the attributes that the file contains. The file does not record how JSON maps to them.
  ///
  ///     let schemas = try Store.schemas(of: configuration)
  ///     let store = try Store(configuration: configuration, schemas: schemas)
  ///
  /// The file may be open, in this process or another. A class is named after its table, even if its Swift name
  /// differs. An attribute that links to a class whose objects the file never contained is omitted.
  /// - Throws: `fileFailed` if there is no file; `notAStore`; `fileTooNew`; `fileDamaged`; `notInFile` for a
  ///   configuration in memory.
  public static func schemas(of configuration: StoreConfiguration) throws -> [ObjectSchema] {
    guard let path = configuration.path else { throw StoreError(.notInFile) }
    var options = FileOptions()
    options.isReadOnly = true
    options.keepsSchemaVersion = true
    let file: StoreFile
    if let open = OpenStores.shared.open(path: path)?.file {
      // Opening it again would wait until the store is closed.
      try open.queue?.drainPending(open)
      file = open
    } else {
      file = try StoreFile.open(path: path, options)
    }
    let classes = file.lock.withLock { file.catalog.classes }
    let names = Set(classes.keys)
    return classes.values.filter { !$0.name.hasSuffix(ObjectSchema.baseSuffix) }
      .sorted(byBytesOf: \.name).map { $0.schema(among: names) }
  }

  @concurrent
  private static func inBackground(
    _ report: (@Sendable (Double) -> Void)?,
    _ work: @Sendable @escaping (FileProgress) throws -> Void
  ) async throws {
    let progress = FileProgress(report)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        // Not on the cooperative thread pool: the work may block for long.
        DispatchQueue.global().async {
          let result = Result { try work(progress) }
          if case .success = result {
            progress.end(isDone: true)
          } else {
            progress.end(isDone: false)
          }
          continuation.resume(with: result)
        }
      }
    } onCancel: {
      progress.cancel()
    }
  }
}
