import Foundation
import JSONText
import ObjectStore

/// Converts the output of `JSONSerialization` to JSON text, so that dictionaries use the same decoder as
/// payloads.
struct DictionaryText: ~Copyable {
  private var writer = JSONWriter()
  private let limits: CodingConfiguration.Limits
  /// The maximum number of arrays and dictionaries open on the current stack.
  private let stackDepth: Int

  private init(_ limits: CodingConfiguration.Limits, stackDepth: Int) {
    self.limits = limits
    self.stackDepth = stackDepth
  }

  /// Returns the JSON text. A value that is nested too deeply for the caller's stack is written on a larger
  /// one.
  static func json(of value: Any, _ limits: CodingConfiguration.Limits) throws -> Data {
    do {
      return try json(of: value, limits, stackDepth: min(DeepStack.shallowDepth, limits.usedDepth))
    } catch is TooDeep {
      return try DeepStack.run(depth: limits.usedDepth) {
        try json(of: value, limits, stackDepth: limits.usedDepth)
      }
    }
  }

  private static func json(
    of value: Any, _ limits: CodingConfiguration.Limits, stackDepth: Int
  ) throws -> Data {
    var text = DictionaryText(limits, stackDepth: stackDepth)
    try text.write(value, depth: 0)
    return text.writer.takeData()
  }

  private mutating func write(_ value: Any, depth: Int) throws {
    if let plain = UpdateValue(plain: value) { return try writeScalar(plain, value) }
    switch value {
    case let members as [String: Any]: try write(members, depth: depth)
    case let elements as [Any]: try write(elements, depth: depth)
    default: try writeScalar(UpdateValue(any: value), value)
    }
  }

  private mutating func write(_ members: [String: Any], depth: Int) throws {
    guard depth < stackDepth else { throw tooDeep() }
    writer.beginObject()
    for (key, member) in members.sorted(by: { $0.key.precedesByBytes($1.key) }) {
      writer.key(key)
      do {
        try write(member, depth: depth + 1)
      } catch {
        throw StoreCodingError.prefixed(error, .key(key))
      }
    }
    writer.endObject()
  }

  private mutating func write(_ elements: [Any], depth: Int) throws {
    guard depth < stackDepth else { throw tooDeep() }
    writer.beginArray()
    for (index, element) in elements.enumerated() {
      do {
        try write(element, depth: depth + 1)
      } catch {
        throw StoreCodingError.prefixed(error, .index(index))
      }
    }
    writer.endArray()
  }

  /// The error that restarts writing on a larger stack or, at the depth limit, rejects the value.
  private func tooDeep() -> any Error {
    stackDepth < limits.usedDepth ? TooDeep() : limits.depthError(at: nil)
  }

  private mutating func writeScalar(_ scalar: UpdateValue?, _ value: Any) throws {
    switch scalar {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .uint(let value): writer.uint(value)
    case .double(let value):
      guard value.isFinite else { throw StoreCodingError(.nonFiniteNumber, found: "\(value)") }
      if value.rounded() == value, value.magnitude <= 0x1p53 {
        // Writes the fraction, because a `JSONValue` distinguishes 1.0 from 1. Larger numbers are written with an
        // exponent.
        writer.numberText("\(value.sign == .minus ? "-" : "")\(Int64(value.magnitude)).0")
      } else {
        _ = writer.double(value)
      }
    case .decimal(let value):
      guard value.isFinite else { throw StoreCodingError(.nonFiniteNumber, found: "\(value)") }
      writer.numberText(value.description)
    case .string(var text):
      text.withUTF8 { writer.string($0) }
    default:
      throw StoreCodingError(
        .notJSON, expected: "a value that JSON can represent", found: "\(type(of: value))")
    }
  }
}
