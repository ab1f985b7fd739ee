import Foundation
import JSONText
import ObjectStore
import StoreCoding

/// A JSON value to compare. The values of an update can have the name of their type as label: in updates, numbers of
/// different types are not equal.
typealias JSONTree = StoreCoding.JSONTree<String>

extension JSONTree {
  /// Parses a document.
  /// - Parameter name: The name of the document in error messages.
  /// - Throws: ``StoreTestFailure`` with line and column if it is not valid JSON.
  init(_ data: Data, of name: String) throws {
    do {
      let input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
      var reader = JSONReader(input)
      do {
        self = try JSONTree(&reader)
        try reader.finish()
      } catch {
        let position = input.lineAndColumn(at: error.byteOffset)
        throw StoreTestFailure(
          "\(name) is not valid JSON: line \(position.line), column \(position.column): \(error.message)"
        )
      }
    } catch let error as JSONError {
      throw StoreTestFailure("\(name) is not valid JSON: \(error.message)")
    }
  }

  // MARK: - Update dictionaries

  /// Converts an update to JSON: dates to ISO 8601 with all their fractional digits, bytes to base64.
  init(_ update: UpdateDictionary) {
    self.init(UpdateValue.object(update), isTyped: false)
  }

  /// Converts an update to JSON with the types of its values.
  init(typed update: UpdateDictionary) {
    self.init(UpdateValue.object(update), isTyped: true)
  }

  private init(_ value: UpdateValue, isTyped: Bool) {
    let tree: JSONTree
    switch value {
    case .null:
      self = .null
      return
    case .array(let values):
      self = .array(values.map { JSONTree($0, isTyped: isTyped) })
      return
    case .object(let update):
      self = .object(
        update.map { Member(name: $0.key, value: JSONTree($0.value, isTyped: isTyped)) })
      return
    case .bool(let flag): tree = .bool(flag)
    case .int(let number): tree = .number("\(number)")
    case .uint(let number): tree = .number("\(number)")
    case .double(let number): tree = number.isFinite ? .number("\(number)") : .string("\(number)")
    case .decimal(let number): tree = .number("\(number)")
    case .string(let text): tree = .string(text)
    case .data(let data): tree = .string(data.base64EncodedString())
    case .date(let date): tree = .string(Self.text(of: date))
    case .uuid(let uuid): tree = .string(UUIDText.text(uuid))
    case .json(let json): tree = JSONTree(json)
    case .reference(let reference): tree = .string("\(reference)")
    case .unencodable: tree = .string("\(value)")
    }
    self = isTyped ? value.typeName.map { .labeled($0, tree) } ?? tree : tree
  }

  private static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    var text: [UInt8] = []
    // ISO 8601 covers only the years 0000 to 9999.
    return DateText.writeISO8601(seconds, into: &text)
      ? String(decoding: text, as: UTF8.self) : "\(seconds) seconds since 2001"
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
      self = .object(members.map { Member(name: $0.key, value: JSONTree($0.value)) })
    }
  }

  // MARK: - Text

  /// The value as JSON, indented by two spaces per level, with members in order.
  var pretty: String { text(indented: "") }

  private func text(indented indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.text(indented: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map {
        "\(inner)\(TreeText.quoted($0.name)): \($0.value.text(indented: inner))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .labeled(_, let tree): return tree.text(indented: indent)
    default: return whole
    }
  }

  /// The value; arrays and objects are summarized.
  private var whole: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): number
    case .string(let text): TreeText.quoted(text)
    case .array(let elements): elements.isEmpty ? "[]" : "an array of \(elements.count)"
    case .object(let members):
      members.isEmpty
        ? "{}" : "an object of \(members.map { TreeText.key($0.name) }.joined(separator: ", "))"
    case .labeled(_, let tree): tree.whole
    }
  }

  /// The value, truncated to a few characters.
  var clipped: String { TreeText.clipped(whole) }

  /// The value, truncated to a few characters, after the name of its type if it has one.
  var described: String {
    if case .labeled(let type, let tree) = self { return "\(type) \(tree.clipped)" }
    return clipped
  }
}
