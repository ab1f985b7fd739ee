import Foundation

/// The values of an `IN`, compared as `==` compares them, with constant-time lookup.
///
/// A number is stored once per representation that rows use: 2 as an integer, as a Double and as the digits of a
/// Decimal; 0.5 has no integer form.
struct QueryValueSet {
  let family: QueryFamily
  private let options: TextOptions
  private(set) var hasNull = false
  /// Integers by their bits, except those above `Int64.max`; links and Bools by their cells.
  private(set) var words: Set<UInt64> = []
  private(set) var naturals: Set<UInt64> = []
  /// Doubles and dates by their bits, with -0 as 0.
  private(set) var doubles: Set<UInt64> = []
  /// Strings, folded according to the options; data, UUIDs, JSON values and the digits of decimals.
  private(set) var bytes = ByteSet()
  /// Doubles outside the range of Decimal. A Decimal is compared with them as its nearest Double.
  private var wideDoubles: Set<UInt64> = []

  /// True if the values to look up may be integers; likewise `asDoubles`, and `asDigits` for decimals. Other
  /// representations are not stored.
  private let asIntegers: Bool
  private let asDoubles: Bool
  private let asDigits: Bool

  /// - Parameter kind: The type of the numbers to look up; nil if it varies.
  init(_ family: QueryFamily, _ kind: ScalarKind?, _ options: TextOptions) {
    self.family = family
    self.options = options
    asDoubles = kind.map { $0 == .double || $0 == .float } ?? true
    asDigits = kind.map { $0 == .decimal } ?? true
    asIntegers = kind == nil || !asDoubles && !asDigits
  }

  // MARK: - Insertion

  mutating func insertNull() { hasNull = true }

  /// - Parameter constant: A value of the set's family.
  mutating func insert(_ constant: ConstantReader) {
    assert(constant.family == family, "The set cannot contain \(constant.family.name)")
    let cell = constant.value
    switch family {
    case .number:
      if let number = constant.constant { insert(number) }
    case .text: folded(cell.bytes) { bytes.insert($0) }
    case .data, .uuid, .json: bytes.insert(cell.bytes)
    case .date: insert(Double(bitPattern: cell.word))
    case .bool, .link: words.insert(cell.word)
    }
  }

  private mutating func insert(_ number: QueryNumber) {
    if asIntegers { insertInteger(number) }
    if asDoubles {
      // Only the nearest Double can equal the number.
      let nearest = number.asDouble
      if QueryNumber.order(.double(nearest), number) == 0 { insert(nearest) }
    }
    if asDigits { insertDigits(number) }
  }

  private mutating func insertInteger(_ number: QueryNumber) {
    switch number {
    case .int(let value): words.insert(UInt64(bitPattern: value))
    case .uint(let value): naturals.insert(value)
    case .double(let value):
      if let whole = Int64(exactly: value) {
        words.insert(UInt64(bitPattern: whole))
      } else if let whole = UInt64(exactly: value) {
        naturals.insert(whole)
      }
    case .decimal(let value):
      let digits = value.canonicalText
      if let whole = Int64(digits) {
        words.insert(UInt64(bitPattern: whole))
      } else if let whole = UInt64(digits) {
        naturals.insert(whole)
      }
    }
  }

  private mutating func insertDigits(_ number: QueryNumber) {
    if case .double(let value) = number, !QueryNumber.isDecimal(value) {
      if !value.isNaN { wideDoubles.insert(value.bitPattern) }
      return
    }
    var digits = number.asDecimal.canonicalText
    digits.withUTF8 { bytes.insert(UnsafeRawBufferPointer($0)) }
  }

  /// Inserts a Double, unless it is NaN, which equals nothing.
  private mutating func insert(_ value: Double) {
    if !value.isNaN { doubles.insert(Self.bits(value)) }
  }

  // MARK: - Lookup

  /// Returns the integers in the form in which cells of a kind hold them.
  func words(of kind: ScalarKind) -> Set<UInt64> {
    if kind.signedRange != nil { return words }
    return naturals.union(words.lazy.filter { $0 <= UInt64(Int64.max) })
  }

  /// True if the set contains the value. For numbers, see ``contains(_:)-(QueryNumber?)``.
  func contains(_ cell: QueryCell) -> Bool {
    if cell.isNull { return hasNull }
    return switch family {
    case .text: folded(cell.bytes) { bytes.contains($0) }
    case .data, .uuid: bytes.contains(cell.bytes)
    case .json: bytes.contains(cell.bytes) || containsOtherNotation(of: cell.bytes)
    case .date: doubles.contains(Self.bits(Double(bitPattern: cell.word)))
    case .bool, .link, .number: words.contains(cell.word)
    }
  }

  /// True if the set contains a JSON value with numbers in another notation.
  private func containsOtherNotation(of json: UnsafeRawBufferPointer) -> Bool {
    StoredJSONReader.hasNotations(json)
      && JSONValue(stored: json).withStored(keepsNotation: false) { bytes.contains($0) }
  }

  func contains(_ number: QueryNumber?) -> Bool {
    guard let number else { return hasNull }
    switch number {
    case .int(let value): return words.contains(UInt64(bitPattern: value))
    case .uint(let value): return naturals.contains(value)
    case .double(let value): return doubles.contains(Self.bits(value))
    case .decimal(let value):
      var text = value.canonicalText
      if text.withUTF8({ bytes.contains(UnsafeRawBufferPointer($0)) }) { return true }
      if wideDoubles.isEmpty { return false }
      return wideDoubles.contains(QueryNumber.decimal(value).asDouble.bitPattern)
    }
  }

  /// True if the set consists only of decimal digits in the form that cells use.
  var isOfDigits: Bool { asDigits && !asDoubles && wideDoubles.isEmpty }

  /// True if the set contains the decimal in a cell.
  func contains(digits cell: QueryCell) -> Bool {
    cell.isNull ? hasNull : bytes.contains(cell.bytes)
  }

  private static func bits(_ value: Double) -> UInt64 { (value == 0 ? 0 : value).bitPattern }

  private func folded<R>(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    if options.isEmpty { return body(text) }
    return StringFolding.withFolded(
      text, ignoringCase: options.contains(.caseInsensitive),
      ignoringDiacritics: options.contains(.diacriticInsensitive), body)
  }
}
