/// A `@Persisted` wrapper, independent of its value type.
protocol PersistedWrapper: SendableMetatype {
  static var shape: AttributeShape { get }
  /// The byte offset of the tag inside the wrapper.
  static var tagOffset: Int { get }
  var probeTag: UInt32 { get }

  /// Exports the attribute of an unmanaged object to a batch.
  static func export(
    _ object: ObjectBase, _ offset: Int, _ export: BatchExport
  ) throws -> BatchCell
  /// Exports the default of the attribute for a new row of a class that only a schema describes.
  static func exportDefault(_ export: BatchExport) throws -> BatchCell
  static func readAny(_ object: ObjectBase, _ attribute: ModelAttribute) -> Any?
  static func assignAny(_ object: ObjectBase, _ attribute: ModelAttribute, _ value: Any?) throws
  /// Assigns a value of the attribute's own type to a managed object; returns false for a value of another type.
  static func assignTyped(
    _ object: ObjectBase, _ attribute: ModelAttribute, _ value: Any?
  ) -> Bool
  /// Releases the value that an object held before it was managed.
  static func releaseValue(_ object: ObjectBase, _ offset: Int)
  /// The cell of the sentinel that a key path recorder returns.
  static func sentinel(_ round: Int, _ recorder: _KeyPathRecorder) throws -> BatchCell
  static func isSentinel(_ value: Any, _ round: Int, _ recorder: _KeyPathRecorder) -> Bool
}
