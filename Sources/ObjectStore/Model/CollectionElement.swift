/// What a ``List``, ``MutableSet`` or ``Map`` may hold: values, optional values, objects.
nonisolated public protocol CollectionElement: SendableMetatype {
  /// The element's type, as an attribute of that type would have it.
  static var elementShape: AttributeShape { get }
  /// Reads an element of a managed collection; `word` and the column hold it.
  static func elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<StorageColumn>,
    _ source: ElementSource
  ) -> Self
  /// The element as a batch takes it.
  func elementExport(_ export: BatchExport) throws -> BatchCell
  /// Whether both are stored alike: the same bits or bytes, the same row. Not what `==` says of
  /// numbers and texts: NaN is stored as NaN, -0 is not 0, and "é" in one scalar is not "é" in two.
  func elementEquals(_ other: Self) -> Bool
  /// Equal for elements that are stored alike.
  func elementHash(into hasher: inout Hasher)
}

/// Where elements of a managed collection come from.
public struct ElementSource {
  let handle: StoreHandle
  /// The table that elements link to; below 0 for values.
  let targetTable: Int
}

/// An element that is equal to those that are stored alike.
struct StoredElement<Element: CollectionElement>: Hashable {
  let element: Element

  static func == (a: StoredElement, b: StoredElement) -> Bool {
    a.element.elementEquals(b.element)
  }

  func hash(into hasher: inout Hasher) { element.elementHash(into: &hasher) }
}

extension ScalarValue {
  public static var elementShape: AttributeShape { storageShape }

  @inlinable
  public static func elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<StorageColumn>,
    _ source: ElementSource
  ) -> Self {
    decode(word, column)
  }

  public func elementExport(_ export: BatchExport) throws -> BatchCell {
    try Self.storageExport(self, export)
  }

  public func elementEquals(_ other: Self) -> Bool {
    encode { mine in
      other.encode { mine.word == $0.word && mine.bytes.hasSameBytes(as: $0.bytes) }
    }
  }

  public func elementHash(into hasher: inout Hasher) {
    encode {
      hasher.combine($0.word)
      hasher.combine(bytes: $0.bytes)
    }
  }
}

extension ObjectBase: CollectionElement {}

extension CollectionElement where Self: ObjectBase {
  public static var elementShape: AttributeShape { AttributeShape(.link, target: Self.self) }

  public static func elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<StorageColumn>,
    _ source: ElementSource
  ) -> Self {
    source.handle.object(source.handle.entry(ofTable: source.targetTable), Int(word) - 1)
  }

  public func elementExport(_ export: BatchExport) throws -> BatchCell {
    try export.link(self)
  }

  public func elementEquals(_ other: Self) -> Bool { self == other }

  public func elementHash(into hasher: inout Hasher) { hash(into: &hasher) }
}

extension Optional: CollectionElement where Wrapped: OptionalContent & CollectionElement {
  public static var elementShape: AttributeShape {
    var shape = Wrapped.elementShape
    shape.isOptional = true
    return shape
  }

  public static func elementRead(
    _ word: UInt64, isNull: Bool, _ column: UnsafeMutablePointer<StorageColumn>,
    _ source: ElementSource
  ) -> Self {
    isNull ? nil : Wrapped.elementRead(word, isNull: false, column, source)
  }

  public func elementExport(_ export: BatchExport) throws -> BatchCell {
    try map { try $0.elementExport(export) } ?? .null
  }

  public func elementEquals(_ other: Self) -> Bool {
    guard let self, let other else { return (self == nil) == (other == nil) }
    return self.elementEquals(other)
  }

  public func elementHash(into hasher: inout Hasher) {
    hasher.combine(self != nil)
    self?.elementHash(into: &hasher)
  }
}
