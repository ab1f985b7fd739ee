/// An enum that is stored by its raw value: `enum Role: String, PersistableEnum { case guest, admin }`.
///
/// A stored raw value that matches no case, for example from a newer version of the app, reads as the first
/// case and is kept until the attribute is assigned.
nonisolated public protocol PersistableEnum: ScalarValue, RawRepresentable, CaseIterable
where RawValue: ScalarValue, _QueryStored == RawValue._QueryStored {}

extension PersistableEnum {
  @inlinable
  public static var _storageDefault: Self {
    guard let first = allCases.first else { misuse("\(Self.self) has no cases") }
    return first
  }

  public static var _isByte: Bool { RawValue._isByte }

  public static var _scalarKind: AttributeShape.Kind { RawValue._scalarKind }

  public static var _scalarType: _ScalarType {
    let kind = RawValue._scalarKind
    var words: [UInt64] = []
    var texts: [[UInt8]] = []
    for value in allCases {
      value.rawValue._encode { cell in
        if kind.column == .bytes {
          texts.append(Array(cell.bytes))
        } else {
          words.append(cell.word)
        }
      }
    }
    return _ScalarType(
      kind, cases: EnumCases(typeName: "\(Self.self)", words: words, texts: texts))
  }

  @inlinable
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Self {
    Self(rawValue: RawValue._decode(word, column)) ?? _storageDefault
  }

  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try rawValue._encode(body)
  }

  public static func _sentinel(_ round: Int) -> Self {
    let values = Array(allCases)
    return values[min(round, values.count - 1)]
  }
}
