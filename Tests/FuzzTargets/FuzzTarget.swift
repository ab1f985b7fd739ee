/// A function that uses the libraries with arbitrary bytes, and traps if a law that they promise is broken.
///
/// Errors that the libraries throw are results like any other. `.ci/fuzz` runs a target with libFuzzer, and FuzzTests runs it
/// with the files in `Fixtures/fuzz`.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// The bytes are JSON text.
  case json
  /// Two bytes select a class and a configuration; the rest are payloads, separated by zero bytes.
  case decode
  /// Four bytes select a class, a configuration and the sizes of chunks and batches; the rest is a payload.
  case stream
  /// The bytes are the text of a query.
  case query
  /// Two bytes select a store file and options; the rest are changes of the file.
  case file
  /// A byte selects options; the rest are changes of column files.
  case columns

  /// Runs the target with an input.
  ///
  /// The call may block its thread until a task is done, so it must not be called from a task.
  public func run(_ bytes: [UInt8]) {
    switch self {
    case .json: JSONTarget.run(bytes)
    case .decode: DecodeTarget.run(bytes)
    case .stream: StreamTarget.run(bytes)
    case .query: QueryTarget.run(bytes)
    case .file: FileTarget.run(bytes)
    case .columns: ColumnsTarget.run(bytes)
    }
  }
}
