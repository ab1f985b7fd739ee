import Foundation
import JSONText
import ObjectStore

/// A column of a CSV file and the type of its values, which is the narrowest that fits all of them.
struct CSVColumn {
  let name: String
  /// True if the column cannot have other values than strings, because a class in the store has strings.
  let isString: Bool
  private var hasValues = false
  private var canBeNumber = true
  private var canBeBool = true
  private var canBeJSON = true

  init(_ name: String, isString: Bool) {
    self.name = name
    self.isString = isString
  }

  /// True if all values are null.
  var isEmpty: Bool { !hasValues }

  mutating func note(_ field: CSVReader.Field) {
    if field.isNull { return }
    hasValues = true
    if isString { return }
    if canBeNumber { canBeNumber = Self.isNumber(field.text) }
    if canBeBool { canBeBool = Self.bool(field.text) != nil }
    if canBeJSON { canBeJSON = Self.isContainer(field.text) }
  }

  /// Returns a value as JSON.
  func json(_ field: CSVReader.Field) -> String {
    if field.isNull { return "null" }
    if !isString {
      if canBeNumber || canBeJSON { return field.text }
      if canBeBool, let flag = Self.bool(field.text) { return flag ? "true" : "false" }
    }
    return JSONValue.string(field.text).jsonText
  }

  /// True if a string is a number of JSON. A number that begins with further zeros, such as a postal code, is none.
  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || 0x30...0x39 ~= first else {
      return false
    }
    return isValid(text)
  }

  private static func bool(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// True if a string is an array or an object of JSON.
  private static func isContainer(_ text: String) -> Bool {
    (text.hasPrefix("[") || text.hasPrefix("{")) && isValid(text)
  }

  private static func isValid(_ text: String) -> Bool {
    do {
      var text = text
      var reader = JSONReader(
        try text.withUTF8 { try JSONInput(copying: UnsafeRawBufferPointer($0), encoding: .utf8) },
        dialect: .strict)
      try reader.skipValue()
      // White space would end the line of the object.
      let end = reader.byteOffset
      try reader.finish()
      return end == text.utf8.count && !text.utf8.contains(0x0A)
    } catch {
      return false
    }
  }
}
