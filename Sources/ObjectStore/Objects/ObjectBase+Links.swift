// To-one links: `@Persisted var owner: Owner?`.

extension ObjectBase: _PersistableEnumOrCodablePersistable {}

extension _PersistableEnumOrCodablePersistable where Self: ObjectBase {
  public static var _optionalShape: AttributeShape {
    AttributeShape(.link, target: Self.self, isOptional: true)
  }

  public static func _optionalRead(_ object: ObjectBase, _ column: Int) -> Self? {
    if let recorder = object.owner as? _KeyPathRecorder { return recorder.target(Self.self) }
    let word = object.columns[column].word(object.row)
    guard word != 0, let handle = object.handle else { return nil }
    return handle.target(Self.self, of: object, column, Int(word) - 1)
  }

  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    guard let handle = object.handle, let storage = object.storage else { return }
    handle.writeLink(object, storage.pointee.table, column, value)
  }

  public static func _optionalExport(_ value: Self?, _ export: _BatchExport) throws -> _BatchCell {
    try value.map { try export.link($0) } ?? .null
  }

  public static func _optionalSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self? { nil }

  public static func _optionalIsSentinel(
    _ value: Self?, _ round: Int, _ recorder: _KeyPathRecorder
  ) -> Bool {
    value?.owner === recorder
  }
}
