import Foundation
import JSONText

extension PlannedChanges: CustomStringConvertible {
  private static let lineLimit = 1_000

  /// A line for each of the first 1,000 changes; `no changes` if there are none.
  ///
  ///     ~ Order 7: note "a" → null, lines 2 → 3 elements
  ///     + Order 9
  ///     - Order 4
  public var description: String {
    if isEmpty { return "no changes" }
    var lines = prefix(Self.lineLimit).map(\.description)
    if count > lines.count { lines.append("… and \(count - lines.count) more") }
    return lines.joined(separator: "\n")
  }

  /// The changes as JSON: an array with an object for each.
  ///
  ///     [{"attributes": {"note": {"new": null, "old": "a"}}, "change": "updated", "class": "Order", "key": 7}]
  ///
  /// `attributes` are those of ``PlannedChange/attributes``, with `new` only for an inserted object and `old` only for a
  /// deleted one. Dates are ISO 8601, UUIDs lowercase strings, data base64, and numbers that are not finite strings.
  public var json: JSONValue { .array(map(\.json)) }
}

extension PlannedChange: CustomStringConvertible {
  /// The change on one line: `~ Order 7: note "a" → null`. An inserted object begins with `+`, a deleted one with `-`.
  public var description: String {
    let mark =
      switch kind {
      case .inserted: "+"
      case .updated: "~"
      case .deleted: "-"
      }
    let object = key == .null ? className : "\(className) \(PlannedText.text(key))"
    if kind != .updated { return "\(mark) \(object)" }
    var pieces: [String] = []
    for name in attributes {
      PlannedText.note(
        oldValue(of: name) ?? .null, newValue(of: name) ?? .null, at: name, into: &pieces)
    }
    return "\(mark) \(object): \(pieces.joined(separator: ", "))"
  }

  /// The change as JSON; see ``PlannedChanges/json``.
  public var json: JSONValue {
    let attributes = attributes.map { name in
      let sides = [("old", oldValue(of: name)), ("new", newValue(of: name))]
      let members = sides.compactMap { side, value in
        value.map { (key: side, value: PlannedText.json($0)) }
      }
      return (key: name, value: JSONValue.object(JSONObject(members)))
    }
    return .object(
      JSONObject([
        (key: "change", value: .string(kind.rawValue)), (key: "class", value: .string(className)),
        (key: "key", value: PlannedText.json(key)),
        (key: "attributes", value: .object(JSONObject(attributes))),
      ]))
  }
}

/// The values of planned changes as text and as JSON.
private enum PlannedText {
  /// Appends the differences of two values. Members of objects are compared one by one, and so are the elements of lists
  /// with equal counts.
  static func note(
    _ old: UpdateValue, _ new: UpdateValue, at path: String, into pieces: inout [String]
  ) {
    let count = pieces.count
    switch (old, new) {
    case (.object(let old), .object(let new)):
      for name in old.map(\.key) + new.map(\.key).filter({ old[$0] == nil }) {
        let (was, now) = (old[name] ?? .null, new[name] ?? .null)
        if was.exact != now.exact { note(was, now, at: "\(path).\(name)", into: &pieces) }
      }
    case (.array(let old), .array(let new)) where (old + new).contains(where: \.isObject):
      if old.count != new.count {
        pieces.append("\(path) \(old.count) → \(new.count) elements")
      } else {
        for index in old.indices where old[index].exact != new[index].exact {
          note(old[index], new[index], at: "\(path)[\(index)]", into: &pieces)
        }
      }
    default: break
    }
    if pieces.count == count { pieces.append("\(path) \(text(old)) → \(text(new))") }
  }

  static func text(_ value: UpdateValue) -> String {
    if case .string(let text) = value {
      return Data(text.utf8).withUnsafeBytes { MessageText.quoted($0) }
    }
    if case .date(let date) = value { return text(of: date) }
    return MessageText.clipped(value.description)
  }

  private static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    var text: [UInt8] = []
    // ISO 8601 covers only the years 0000 to 9999.
    return DateText.writeISO8601(seconds, into: &text)
      ? String(decoding: text, as: UTF8.self) : "\(seconds) seconds since 2001"
  }

  static func json(_ value: UpdateValue) -> JSONValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): JSONValue(exactNumber: "\(value)")
    case .double(let value) where value.isFinite: .double(value)
    case .decimal(let value) where value.isFinite: JSONValue(exactNumber: "\(value)")
    case .double(let value): .string("\(value)")
    case .decimal(let value): .string("\(value)")
    case .string(let value): .string(value)
    case .data(let value): .string(value.base64EncodedString())
    case .date(let value): .string(text(of: value))
    case .uuid(let value): .string(value.uuidString.lowercased())
    case .json(let value): value
    case .array(let values): .array(values.map(json))
    case .object(let members):
      .object(JSONObject(members.map { (key: $0.key, value: json($0.value)) }))
    case .reference, .unencodable: .string(value.description)
    }
  }
}

extension UpdateValue {
  fileprivate var isObject: Bool {
    if case .object = self { true } else { false }
  }
}
