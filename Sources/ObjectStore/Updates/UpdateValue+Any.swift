import Foundation

// Values whose types are known only at run time: the results of `JSONSerialization`, and untyped dictionaries
// and arrays.

extension UpdateValue {
  /// Creates an update value from a value whose type is known only at run time; nil if no attribute can hold it.
  ///
  /// A missing value and `NSNull` become ``null``. Dictionaries, sequences and results of `JSONSerialization`
  /// are converted recursively, to a depth of at most 4,096 levels.
  public init?(any value: Any?) {
    do {
      guard let value = try UntypedValue.update(value, levels: DeepStack.shallowDepth) else {
        return nil
      }
      self = value
    } catch {
      let levels = UpdateDictionary.depthLimit
      let deep = try? DeepStack.run(depth: levels) {
        try UntypedValue.update(value, levels: levels)
      }
      guard let value = deep.flatMap(\.self) else { return nil }
      self = value
    }
  }

  /// Creates a value from a string, number, Boolean or null of exactly the type that `JSONSerialization`
  /// creates on Linux; nil for any other value.
  ///
  /// Called before any cast, because a cast to a type other than the value's own searches for conformances, which is
  /// slow.
  package init?(plain value: Any) {
    let type = type(of: value)
    if type == String.self, let text = value as? String {
      self = .string(text)
    } else if type == NSNumber.self || type == Self.truthType, let number = value as? NSNumber {
      self.init(number: number)
    } else if type == NSNull.self {
      self = .null
    } else {
      return nil
    }
  }

  /// The class of `NSNumber(value: true)`, which has no public name.
  private static let truthType: Any.Type = type(of: NSNumber(value: true))

  fileprivate init?(unsigned value: any UnsignedInteger & FixedWidthInteger) {
    guard let value = UInt64(exactly: value) else { return nil }
    self = Int64(exactly: value).map { .int($0) } ?? .uint(value)
  }

  fileprivate init?(signed value: any SignedInteger & FixedWidthInteger) {
    if let value = Int64(exactly: value) {
      self = .int(value)
    } else if let value = UInt64(exactly: value) {
      self = .uint(value)
    } else {
      return nil
    }
  }

  /// Creates a value from a number that `JSONSerialization` created.
  fileprivate init(number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      // On Linux, integers with many digits are decimals, too.
      let text = "\(decimal.decimalValue)"
      self =
        Int64(text).map { .int($0) } ?? UInt64(text).map { .uint($0) }
        ?? .decimal(decimal.decimalValue)
      return
    }
    switch Unicode.Scalar(UInt8(bitPattern: number.objCType.pointee)) {
    case "B": self = .bool(number.boolValue)
    // An Int8 has the same type encoding as a Boolean.
    case "c" where type(of: number) == Self.truthType: self = .bool(number.boolValue)
    case "d", "f": self = .double(number.doubleValue)
    case "Q", "L", "I", "S", "C":
      let value = number.uint64Value
      self = Int64(exactly: value).map { .int($0) } ?? .uint(value)
    default: self = .int(number.int64Value)
    }
  }
}

/// The recursive conversion of `Any` to an update's value.
private enum UntypedValue {
  /// Thrown if a value is nested more deeply than the remaining levels.
  struct TooDeep: Error {}

  /// Returns the value; nil if no attribute can hold it.
  ///
  /// - Parameter levels: The maximum nesting depth.
  static func update(_ value: Any?, levels: Int) throws(TooDeep) -> UpdateValue? {
    guard let value else { return .null }
    if let plain = UpdateValue(plain: value) { return plain }
    // A boxed optional must be unwrapped first; as `Any` it matches no case.
    if let optional = value as? any AnyOptional {
      return try update(optional.unwrapped, levels: levels)
    }
    // Precedes the casts: an NSNumber of 1 can be cast to Bool, and any NSNumber to Double.
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
      return UpdateValue(number: number)
    }
    switch value {
    case let value as UpdateValue: return value
    case let value as UpdateDictionary: return .object(value)
    case let value as String: return .string(value)
    case let value as Bool: return .bool(value)
    // Precedes the casts to classes, for which Foundation copies all contents of a collection.
    case let value as [String: Any]: return try object(value, levels: levels)
    case let value as [Any]: return try array(value, levels: levels)
    case let value as any UnsignedInteger & FixedWidthInteger: return UpdateValue(unsigned: value)
    case let value as any SignedInteger & FixedWidthInteger: return UpdateValue(signed: value)
    case let value as Double: return .double(value)
    case let value as Float: return .double(Double(value))
    case let value as Decimal: return .decimal(value)
    case let value as ObjectBase: return UpdateValue(object: value)
    case let value as any ScalarValue: return DeepStack.onCaller { value._updateValue }
    case let value as Substring: return .string(String(value))
    case let value as any AnyMap: return value.update.map { .object($0) }
    case let value as any Sequence: return try array(copied(value), levels: levels)
    default: return nil
    }
  }

  /// The elements of a sequence, iterated on the caller's thread because its type may be user code.
  private static func copied(_ sequence: some Sequence) -> [Any] {
    DeepStack.onCaller { sequence.map { $0 } }
  }

  private static func object(
    _ members: [String: Any], levels: Int
  ) throws(TooDeep) -> UpdateValue? {
    guard levels > 0 else { throw TooDeep() }
    var update = UpdateDictionary()
    for (name, member) in members.sorted(by: { $0.key.precedesByBytes($1.key) }) {
      guard let value = try Self.update(member, levels: levels - 1) else { return nil }
      update.append(name, value)
    }
    return .object(update)
  }

  private static func array(
    _ elements: [Any], levels: Int
  ) throws(TooDeep) -> UpdateValue? {
    guard levels > 0 else { throw TooDeep() }
    var values: [UpdateValue] = []
    for element in elements {
      guard let value = try update(element, levels: levels - 1) else { return nil }
      values.append(value)
    }
    return .array(values)
  }
}
