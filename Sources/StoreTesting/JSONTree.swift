import Foundation
import JSONText
import ObjectStore

/// A JSON value as it is compared: numbers by what they count, members in their order.
indirect enum JSONTree {
  case null
  case bool(Bool)
  /// As it was written.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  /// - Throws: ``StoreTestFailure`` with the place of what is no JSON.
  init(_ data: Data, of name: String) throws {
    do {
      let input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
      var reader = JSONReader(input)
      do {
        self = try Self.read(&reader)
        try reader.finish()
      } catch let error as JSONError {
        let place = input.lineAndColumn(at: error.byteOffset)
        throw StoreTestFailure(
          "\(name) is no JSON: line \(place.line), column \(place.column): \(error.message)")
      }
    } catch let error as JSONError {
      throw StoreTestFailure("\(name) is no JSON: \(error.message)")
    }
  }

  private static func read(_ reader: inout JSONReader) throws -> JSONTree {
    switch reader.kind() {
    case .null:
      _ = try reader.null()
      return .null
    case .bool: return .bool(try reader.bool())
    case .number: return .number(String(decoding: try reader.numberText(), as: UTF8.self))
    case .string: return .string(try reader.string().string)
    case .array:
      var elements: [JSONTree] = []
      if try reader.beginArray() {
        repeat { elements.append(try read(&reader)) } while try reader.arrayContinues()
      }
      return .array(elements)
    case .object, .invalid:
      var members: [(key: String, value: JSONTree)] = []
      if try reader.beginObject() {
        repeat {
          let key = try reader.key().string
          members.append((key, try read(&reader)))
        } while try reader.objectContinues()
      }
      return .object(members)
    }
  }

  // MARK: - Update dictionaries

  /// What an update says, as JSON: dates as ISO 8601 with milliseconds, bytes as base64.
  init(_ update: UpdateDictionary) {
    self = .object(update.map { (key: $0.key, value: JSONTree($0.value)) })
  }

  private init(_ value: UpdateValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .number("\(number)")
    case .uint(let number): self = .number("\(number)")
    case .double(let number): self = number.isFinite ? .number("\(number)") : .string("\(number)")
    case .decimal(let number): self = .number("\(number)")
    case .string(let text): self = .string(text)
    case .data(let data): self = .string(data.base64EncodedString())
    case .date(let date):
      self = .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    case .uuid(let uuid): self = .string(uuid.uuidString.lowercased())
    case .json(let json): self = JSONTree(json)
    case .array(let values): self = .array(values.map { JSONTree($0) })
    case .object(let update): self = JSONTree(update)
    case .reference(let reference): self = .string("\(reference)")
    }
  }

  private init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .number("\(number)")
    case .double(let number): self = .number("\(number)")
    case .number(let text): self = .number(text)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { JSONTree($0) })
    case .object(let members):
      self = .object(members.map { (key: $0.key, value: JSONTree($0.value)) })
    }
  }

  // MARK: - Text

  /// Two spaces a level, members in their order.
  var pretty: String { text(indented: "") }

  private func text(indented indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.text(indented: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map {
        "\(inner)\(Self.quoted($0.key)): \($0.value.text(indented: inner))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    default: return clipped(Int.max)
    }
  }

  /// The value in a few characters.
  func clipped(_ limit: Int = 60) -> String {
    let text =
      switch self {
      case .null: "null"
      case .bool(let flag): "\(flag)"
      case .number(let number): number
      case .string(let text): Self.quoted(text)
      case .array(let elements): elements.isEmpty ? "[]" : "an array of \(elements.count)"
      case .object(let members):
        members.isEmpty ? "{}" : "an object of \(members.map(\.key).joined(separator: ", "))"
      }
    return text.count > limit ? "\(text.prefix(limit))…" : text
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter(formatting: [], capacity: text.utf8.count + 16)
    var text = text
    text.withUTF8 { writer.string($0) }
    return writer.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}
