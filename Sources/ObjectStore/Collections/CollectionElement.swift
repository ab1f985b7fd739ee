/// A type that a ``List``, ``MutableSet`` or ``Map`` can hold: scalars, optional scalars, objects.
nonisolated public protocol CollectionElement: SendableMetatype {
  /// The shape of an attribute of the element's type.
  static var _elementShape: AttributeShape { get }
  /// Reads an element of a managed collection from `word` and the column.
  static func _elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<_StorageColumn>,
    _ source: _ElementSource
  ) -> Self
  /// Returns the batch cell of the element.
  func _elementExport(_ export: _BatchExport) throws -> _BatchCell
  /// Returns true if both elements are stored identically: as the same bits or bytes, or the same row.
  /// Differs from `==` for numbers and strings: NaN equals NaN, -0 differs from 0, and a precomposed "é"
  /// differs from a decomposed one.
  func _elementEquals(_ other: Self) -> Bool
  /// Hashes the element, consistently with `_elementEquals`.
  func _elementHash(into hasher: inout Hasher)
}

extension ScalarValue {
  public static var _elementShape: AttributeShape { _storageShape }

  @inlinable
  public static func _elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<_StorageColumn>,
    _ source: _ElementSource
  ) -> Self {
    _decode(word, column)
  }

  public func _elementExport(_ export: _BatchExport) throws -> _BatchCell {
    try Self._storageExport(self, export)
  }

  public func _elementEquals(_ other: Self) -> Bool {
    _encode { mine in
      other._encode { mine.word == $0.word && mine.bytes.hasSameBytes(as: $0.bytes) }
    }
  }

  public func _elementHash(into hasher: inout Hasher) {
    _encode {
      hasher.combine($0.word)
      hasher.combine(bytes: $0.bytes)
    }
  }
}

extension ObjectBase: CollectionElement {}

extension CollectionElement where Self: ObjectBase {
  public static var _elementShape: AttributeShape { AttributeShape(.link, target: Self.self) }

  public static func _elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<_StorageColumn>,
    _ source: _ElementSource
  ) -> Self {
    let handle = source.handle
    return handle.object(handle.entry(ofTable: source.targetTable), Int(word) - 1)
  }

  public func _elementExport(_ export: _BatchExport) throws -> _BatchCell {
    try export.link(self)
  }

  public func _elementEquals(_ other: Self) -> Bool { self == other }

  public func _elementHash(into hasher: inout Hasher) { hash(into: &hasher) }
}

extension Optional: CollectionElement
where Wrapped: _PersistableEnumOrCodablePersistable & CollectionElement {
  public static var _elementShape: AttributeShape {
    var shape = Wrapped._elementShape
    shape.isOptional = true
    return shape
  }

  public static func _elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<_StorageColumn>,
    _ source: _ElementSource
  ) -> Self {
    isNull ? nil : Wrapped._elementRead(word, isNull: false, column, source)
  }

  public func _elementExport(_ export: _BatchExport) throws -> _BatchCell {
    try map { try $0._elementExport(export) } ?? .null
  }

  public func _elementEquals(_ other: Self) -> Bool {
    guard let self, let other else { return (self == nil) == (other == nil) }
    return self._elementEquals(other)
  }

  public func _elementHash(into hasher: inout Hasher) {
    hasher.combine(self != nil)
    self?._elementHash(into: &hasher)
  }
}
