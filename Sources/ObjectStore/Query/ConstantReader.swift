/// Provides a value that does not depend on the row.
final class ConstantReader: OperandReader {
  private let word: UInt64
  private let bytes: UnsafeMutableRawBufferPointer
  private let isNull: Bool
  /// The value, if it is a number.
  let constant: QueryNumber?

  init(
    _ family: QueryFamily, word: UInt64 = 0, bytes: [UInt8] = [], number: QueryNumber? = nil,
    isNull: Bool = false
  ) {
    assert(isNull || (family == .number) == (number != nil), "Only numbers are given as numbers")
    self.word = word
    self.bytes = .allocate(byteCount: bytes.count, alignment: 1)
    self.bytes.copyBytes(from: bytes)
    self.isNull = isNull
    constant = number
    super.init(family, nil)
  }

  deinit {
    bytes.deallocate()
  }

  /// The value, which is the same for every row.
  var value: QueryCell {
    isNull ? .null : QueryCell(word: word, bytes: UnsafeRawBufferPointer(bytes))
  }

  override func cell(_ context: EvaluationContext) -> QueryCell { value }

  override func number(_ context: EvaluationContext) -> QueryNumber? { constant }
}
