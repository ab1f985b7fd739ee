import Foundation

/// The values of an `IN`, looked up as `==` compares them: in the time of one lookup, however many.
///
/// A number stands in it once for each way in which rows hold numbers: 2 is an integer, a Double and the
/// digits of a Decimal; 0.5 is no integer.
struct QueryValueSet {
  let family: QueryFamily
  private let options: TextOptions
  private(set) var hasNull = false
  /// Integers by their bits, those above what Int64 holds apart; rows and truth values by their cells.
  private(set) var words: Set<UInt64> = []
  private(set) var naturals: Set<UInt64> = []
  /// Doubles and dates by their bits, -0 as 0.
  private(set) var doubles: Set<UInt64> = []
  /// Texts, folded as the options say, data, UUIDs, and the digits of decimals.
  private(set) var bytes = ByteSet()
  /// Doubles outside of what a Decimal holds, beside which a Decimal counts as the nearest Double.
  private var wideDoubles: Set<UInt64> = []

  /// Whether rows hold their numbers so; what none of them does is not kept.
  private let asIntegers: Bool
  private let asDoubles: Bool
  private let asDigits: Bool

  /// - Parameter kind: of the numbers that are looked up; nil if they are of several.
  init(_ family: QueryFamily, _ kind: ScalarKind?, _ options: TextOptions) {
    self.family = family
    self.options = options
    asDoubles = kind.map { $0 == .double || $0 == .float } ?? true
    asDigits = kind.map { $0 == .decimal } ?? true
    asIntegers = kind == nil || !asDoubles && !asDigits
  }

  // MARK: - Filling it

  mutating func insertNull() { hasNull = true }

  /// - Parameter constant: the value, as one of the set's family.
  mutating func insert(_ constant: ConstantReader) {
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
      // No other Double than the nearest can be equal to a number.
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

  /// NaN is equal to nothing.
  private mutating func insert(_ value: Double) {
    if !value.isNaN { doubles.insert(Self.bits(value)) }
  }

  // MARK: - Looking up

  /// The integers, as the cells of a kind hold them.
  func words(of kind: ScalarKind) -> Set<UInt64> {
    if kind.signedRange != nil { return words }
    return naturals.union(words.lazy.filter { $0 <= UInt64(Int64.max) })
  }

  /// Whether a value is one of them; of numbers see ``contains(_:)-(QueryNumber?)``.
  func contains(_ cell: QueryCell) -> Bool {
    if cell.isNull { return hasNull }
    return switch family {
    case .text: folded(cell.bytes) { bytes.contains($0) }
    case .data, .uuid, .json: bytes.contains(cell.bytes)
    case .date: doubles.contains(Self.bits(Double(bitPattern: cell.word)))
    case .bool, .link, .number: words.contains(cell.word)
    }
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

  /// Whether all of it is the digits of decimals, as their cells have them.
  var isOfDigits: Bool { asDigits && !asDoubles && wideDoubles.isEmpty }

  /// Whether a cell of a decimal is one of them.
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
