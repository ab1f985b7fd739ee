import Dispatch
public import Foundation

// What only a store in a file can do.

extension Store {
  /// What of the file could not be read, in the order it was found; empty for a sound file and where there
  /// is none.
  ///
  /// A class that cannot be read is empty, and each write throws the first of these, so that nothing is
  /// lost that is there. A file with damage is set aside at its next opening.
  public var damage: [StoreError] { handle.core.damage }

  /// Waits until all that was committed before is in the file, and safe from a power failure.
  /// - Throws: `fileFailed` and others: why it cannot be written. Nothing in memory; then nothing is done.
  public nonisolated(nonsending) func flush() async throws {
    guard let file = handle.core.file else { return }
    let engine = handle.engine
    try await Self.inBackground(nil) { _ in try file.flush(engine) }
  }

  /// Makes the file as small as it can be.
  ///
  ///     try await store.compact { fraction in print(fraction) }
  ///
  /// Where its task is cancelled the file stays as it was.
  /// - Parameter progress: Is told how much is done, about, from 0 to 1; on any thread.
  /// - Throws: `CancellationError`, `fileFailed` and others; `notInFile` in memory.
  /// - Complexity: O(rows): it is written anew.
  public nonisolated(nonsending) func compact(
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    guard let file = handle.core.file else { throw StoreError(.notInFile) }
    let engine = handle.engine
    try await Self.inBackground(progress) { try file.compact(engine, $0) }
  }

  /// Writes what the store holds by now, in memory or in its file, into a new file, as small as it can be; the
  /// store stays in use.
  ///
  /// Where its task is cancelled there is no new file.
  /// - Parameters:
  ///   - url: Where nothing stands yet, in a folder that is there.
  ///   - progress: Is told how much is done, about, from 0 to 1; on any thread.
  /// - Throws: `CancellationError`; `fileFailed`, where something stands in its place already, too.
  public nonisolated(nonsending) func copy(
    to url: URL, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    let core = handle.core
    let path = url.path(percentEncoded: false)
    try await Self.inBackground(progress) { try core.copy(to: path, $0) }
  }

  /// ``copy(to:progress:)`` for code that is not asynchronous.
  package func copyNow(to url: URL) throws {
    try handle.core.copy(to: url.path(percentEncoded: false), FileProgress(nil))
  }

  /// Reads all of the file and compares it with its checksums.
  /// - Parameter progress: Is told how much is done, about, from 0 to 1; on any thread.
  /// - Throws: `fileDamaged` with the first thing that is wrong; `CancellationError`.
  /// - Complexity: O(rows).
  public nonisolated(nonsending) func integrityCheck(
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    guard let file = handle.core.file else { return }
    let engine = handle.engine
    try await Self.inBackground(progress) { try file.check(engine, $0) }
  }

  /// Deletes the file of a configuration and what belongs to it; nothing happens where there is none.
  /// - Throws: `fileInUse` while a store in it is open, `fileFailed`; `notInFile` for one in memory.
  public static func deleteFiles(_ configuration: StoreConfiguration) throws {
    guard let path = configuration.path else { throw StoreError(.notInFile) }
    if OpenStores.shared.isOpen(configuration) { throw StoreError(.fileInUse(path: path)) }
    try StoreFile.delete(path)
  }

  /// The classes that the file of a configuration has, whoever declared them: to open it where no source
  /// does. Their attributes are those that were written; how their JSON is mapped a file does not say.
  ///
  ///     let schemas = try Store.schemas(of: configuration)
  ///     let store = try Store(configuration: configuration, schemas: schemas)
  ///
  /// The file may be open, here and elsewhere. A class whose name is not its table's has that of the table.
  /// An attribute that leads to a class of which the file never had an object is left out.
  /// - Throws: `fileFailed` if there is none, `notAStore`, `fileTooNew`, `fileDamaged`; `notInFile` for a
  ///   configuration in memory.
  public static func schemas(of configuration: StoreConfiguration) throws -> [ObjectSchema] {
    guard let path = configuration.path else { throw StoreError(.notInFile) }
    var options = FileOptions()
    options.isReadOnly = true
    options.keepsSchemaVersion = true
    let file = try StoreFile.open(path: path, options)
    let classes = file.lock.withLock { file.catalog.classes }
    let names = Set(classes.keys)
    return classes.values.sorted { $0.name < $1.name }.map { $0.schema(among: names) }
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
        // Not on a thread of the tasks: it may wait long.
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
