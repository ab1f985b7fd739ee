/// A conversion between JSON and the values of an attribute, for forms that no option expresses.
///
///     struct Cents: ValueCoding {
///       func decode(_ json: JSONValue) throws -> Decimal { try json.decode(Decimal.self) / 100 }
///       func encode(_ price: Decimal) throws -> JSONValue { try JSONValue(encoding: price * 100) }
///     }
///
///     @Persisted(.coding(Cents())) var price: Decimal
///     @Persisted(.coding(Cents())) var oldPrices: List<Decimal>
///
/// The conversion applies to each element of a collection. It does not receive null, to which the attribute's null
/// policy applies, and may not encode a value as null or as other JSON that the attribute reads as nil. Decoding what
/// was encoded must result in an equal value. The methods are called in the isolation of the coder. `encode(_:)` may
/// read the store of the object, but not write to it.
public protocol ValueCoding<Value>: Sendable {
  /// The type of the attribute or of its elements.
  associatedtype Value: ScalarValue
  /// Returns the value for JSON from a payload.
  ///
  /// - Throws: Any error for JSON that has no value. It is a mismatch, to which the attribute's policy applies; a
  ///   `DecodingError` of ``JSONValue/decode(_:)`` on `json` determines the path and the expected type in the message.
  func decode(_ json: JSONValue) throws -> Value
  /// Returns the JSON of a value.
  func encode(_ value: Value) throws -> JSONValue
}

extension _AnyValueCoding {
  init<C: ValueCoding>(_ coding: C) {
    self.init(
      name: coding is any ClosureConversion ? "its closures" : "\(C.self)",
      kind: C.Value._scalarKind, type: C.self,
      read: { json, body in
        try coding.decode(json)._encode { cell in try body(cell.word, cell.bytes) }
      },
      write: { word, bytes in
        let block = ColumnBlock(ColumnLayout(kind: .word), capacity: 1)
        var column = StorageColumn(block, editOwner: 0)
        defer { column.block.release() }
        guard let start = bytes.baseAddress else {
          return try coding.encode(C.Value._decode(word, &column))
        }
        // `_decode` only reads.
        column.text = UnsafeMutableRawPointer(mutating: start)
        return try coding.encode(C.Value._decode(UInt64(bytes.count), &column))
      })
  }

  /// Returns the cell of the value for JSON in its stored form. Calls user code.
  ///
  /// - Throws: ``CodedMistake``.
  package func cell(
    _ stored: UnsafeRawBufferPointer, _ kind: ScalarKind, in batch: RowBatch
  ) throws -> BatchCell {
    var result = BatchCell.null
    do {
      try read(JSONValue(stored: stored)) { word, bytes in
        result = kind.isBytes ? batch.text(copying: bytes) : .word(word)
      }
    } catch {
      throw CodedMistake(error, of: name)
    }
    if kind == .date || kind == .double || kind == .float,
      !Double(bitPattern: result.bits).isFinite
    {
      throw CodedMistake(path: [], expected: "a finite \(kind.name) from \(name)")
    }
    guard !kind.isBytes || result.count < BatchExport.sizeLimit else {
      throw CodedMistake(path: [], expected: "less than 16 MiB from \(name)")
    }
    return result
  }
}

/// A conversion without a name of its own.
private protocol ClosureConversion {}

/// A conversion by two closures.
struct ClosureCoding<Value: ScalarValue>: ValueCoding, ClosureConversion {
  let decoding: @Sendable (JSONValue) throws -> Value
  let encoding: @Sendable (Value) throws -> JSONValue

  func decode(_ json: JSONValue) throws -> Value { try decoding(json) }
  func encode(_ value: Value) throws -> JSONValue { try encoding(value) }
}

extension AttributeOption where Value: _QueryScalar {
  /// Converts the value between JSON and the attribute.
  public static func coding<C: ValueCoding>(_ coding: C) -> Self where C.Value == Value._QueryBase {
    Self(.coding(_AnyValueCoding(coding)))
  }

  /// Converts the value between JSON and the attribute with closures; see ``ValueCoding``.
  ///
  ///     @Persisted(.coding(decode: { try $0.decode(Double.self) / 1000 }, encode: { .double($0 * 1000) }))
  ///     var duration: Double
  public static func coding(
    decode: @escaping @Sendable (JSONValue) throws -> Value._QueryBase,
    encode: @escaping @Sendable (Value._QueryBase) throws -> JSONValue
  ) -> Self { .coding(ClosureCoding(decoding: decode, encoding: encode)) }
}

extension AttributeOption where Value: _QueryCollection, Value._QueryElement: _QueryScalar {
  /// Converts each element between JSON and the attribute.
  public static func coding<C: ValueCoding>(
    _ coding: C
  ) -> Self where C.Value == Value._QueryElement._QueryBase {
    Self(.coding(_AnyValueCoding(coding)))
  }

  /// Converts each element between JSON and the attribute with closures; see ``ValueCoding``.
  public static func coding(
    decode: @escaping @Sendable (JSONValue) throws -> Value._QueryElement._QueryBase,
    encode: @escaping @Sendable (Value._QueryElement._QueryBase) throws -> JSONValue
  ) -> Self { .coding(ClosureCoding(decoding: decode, encoding: encode)) }
}
