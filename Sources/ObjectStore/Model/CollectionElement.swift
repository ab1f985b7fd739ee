/// What a ``List``, ``MutableSet`` or ``Map`` may hold: values, optional values, objects.
nonisolated public protocol CollectionElement: SendableMetatype {
  /// The element's type, as an attribute of that type would have it.
  static var elementShape: AttributeShape { get }
  /// Reads an element of a managed collection; `word` and the column hold it.
  static func elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<StorageColumn>,
    _ object: ObjectBase, _ index: Int
  ) -> Self
  func elementExport(_ export: BatchExport) throws -> BatchCell
}

extension ScalarValue {
  public static var elementShape: AttributeShape { storageShape }

  @inlinable
  public static func elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<StorageColumn>,
    _ object: ObjectBase, _ index: Int
  ) -> Self {
    decode(word, column)
  }

  public func elementExport(_ export: BatchExport) throws -> BatchCell {
    try Self.storageExport(self, export)
  }
}

extension ObjectBase: CollectionElement {}

extension CollectionElement where Self: ObjectBase {
  public static var elementShape: AttributeShape { AttributeShape(.link, target: Self.self) }

  public static func elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<StorageColumn>,
    _ object: ObjectBase, _ index: Int
  ) -> Self {
    guard let handle = object.handle, let storage = object.storage, word != 0 else {
      misuse("\(type(of: object)): a list element without an object")
    }
    return handle.target(Self.self, storage.pointee.table, index, Int(word) - 1)
  }

  public func elementExport(_ export: BatchExport) throws -> BatchCell {
    try export.link(self)
  }
}

extension Optional: CollectionElement where Wrapped: OptionalContent & CollectionElement {
  public static var elementShape: AttributeShape {
    var shape = Wrapped.elementShape
    shape.isOptional = true
    return shape
  }

  public static func elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<StorageColumn>,
    _ object: ObjectBase, _ index: Int
  ) -> Self {
    isNull ? nil : Wrapped.elementRead(word, isNull: false, column, object, index)
  }

  public func elementExport(_ export: BatchExport) throws -> BatchCell {
    try map { try $0.elementExport(export) } ?? .null
  }
}
