import Foundation
import JSONText

extension PlannedChanges: CustomStringConvertible {
  private static let lineLimit = 1_000

  /// A line for each of the first 1,000 changes; `no changes` if there are none.
  ///
  ///     ~ Order 7: note "a" → null, lines 2 → 3 elements; now known: lines
  ///     = Order 8: now known: note, lines
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
  /// `attributes` are those of ``PlannedChanges/Change/attributes``, with `new` only for an inserted object and `old` only for a
  /// deleted one. `becameKnown` has the names of ``PlannedChanges/Change/becameKnown``, and is absent if there are none. Dates
  /// are ISO 8601, UUIDs lowercase strings, data base64, and numbers that are not finite strings.
  public var json: JSONValue { .array(map(\.json)) }
}

extension PlannedChanges.Change: CustomStringConvertible {
  /// The change on one line: `~ Order 7: note "a" → null`. An inserted object begins with `+`, a deleted one with `-`, and one
  /// of which only attributes become known with `=`.
  public var description: String {
    let mark =
      switch kind {
      case .inserted: "+"
      case .updated: "~"
      case .deleted: "-"
      case .known: "="
      }
    let object = key == .null ? className : "\(className) \(PlannedText.text(key))"
    if kind == .inserted || kind == .deleted { return "\(mark) \(object)" }
    var pieces: [String] = []
    for name in attributes {
      PlannedText.note(
        oldValue(of: name) ?? .null, newValue(of: name) ?? .null, at: name, into: &pieces)
    }
    let differences = pieces.joined(separator: ", ")
    let known = becameKnown.isEmpty ? "" : "now known: \(PlannedText.list(becameKnown))"
    let separator = differences.isEmpty || known.isEmpty ? "" : "; "
    return "\(mark) \(object): \(differences)\(separator)\(known)"
  }

  /// The change as JSON; see ``PlannedChanges/json``.
  public var json: JSONValue {
    PlannedText.json(
      kind.rawValue, className, key, attributes, oldValue, newValue, becameKnown: becameKnown)
  }
}

/// Changes and their values as text and as JSON.
enum PlannedText {
  /// The maximum number of differences, and of attributes that become known, in the line of a change.
  private static let limit = 20

  /// A change as JSON; see ``PlannedChanges/json``. A value that is nil is absent.
  static func json(
    _ kind: String, _ className: String, _ key: UpdateValue, _ attributes: [String],
    _ oldValue: (String) -> UpdateValue?, _ newValue: (String) -> UpdateValue?,
    becameKnown: [String] = []
  ) -> JSONValue {
    let values = attributes.map { name in
      let sides = [("old", oldValue(name)), ("new", newValue(name))]
      let members = sides.compactMap { side, value in value.map { (key: side, value: json($0)) } }
      return (key: name, value: JSONValue.object(JSONObject(members)))
    }
    let known = JSONValue.array(becameKnown.map { .string($0) })
    return .object(
      JSONObject(
        [
          (key: "change", value: .string(kind)), (key: "class", value: .string(className)),
          (key: "key", value: json(key)), (key: "attributes", value: .object(JSONObject(values))),
        ] + (becameKnown.isEmpty ? [] : [(key: "becameKnown", value: known)])))
  }

  /// The first names, separated by commas.
  static func list(_ names: [String]) -> String {
    names.prefix(limit).joined(separator: ", ") + (names.count > limit ? ", …" : "")
  }

  /// Appends the differences of two values. Members of objects are compared one by one, and so are the elements of lists
  /// with equal counts.
  static func note(
    _ old: UpdateValue, _ new: UpdateValue, at path: String, into pieces: inout [String]
  ) {
    // A list instead of recursion, because values may be nested deeply.
    var pending = [(old: old, new: new, path: path)]
    while let (old, new, path) = pending.popLast() {
      if pieces.count == limit {
        pieces.append("…")
        return
      }
      if pieces.count > limit { return }
      let parts = parts(old, new, path)
      if parts.isEmpty {
        pieces.append("\(path) \(text(old, new))")
      } else {
        pending += parts.reversed()
      }
    }
  }

  /// The differing parts of two values; empty if the values are compared whole.
  private static func parts(
    _ old: UpdateValue, _ new: UpdateValue, _ path: String
  ) -> [(old: UpdateValue, new: UpdateValue, path: String)] {
    if case .array(let old) = old, case .array(let new) = new {
      guard old.count == new.count, (old + new).contains(where: { $0.members != nil }) else {
        return []
      }
      return zip(old, new).enumerated().compactMap { index, values in
        values.0.isIdentical(to: values.1) ? nil : (values.0, values.1, "\(path)[\(index)]")
      }
    }
    guard let old = old.members, let new = new.members else { return [] }
    let news = Dictionary(
      new.map { (ExactString($0.name), $0.value) }, uniquingKeysWith: { $1 })
    let olds = Set(old.map { ExactString($0.name) })
    let pairs =
      old.map { ($0.name, $0.value, news[ExactString($0.name)] ?? .null) }
      + new.filter { !olds.contains(ExactString($0.name)) }.map { ($0.name, .null, $0.value) }
    return pairs.compactMap { name, old, new in
      old.isIdentical(to: new) ? nil : (old, new, path + member(name))
    }
  }

  /// A step of a path: `.name`, or `["two words"]`.
  private static func member(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && name.utf8.count <= 64
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0 == "_" || $0 == "-" || ("0"..."9").contains($0)
      }
    return isPlain ? ".\(name)" : "[\(text(.string(name)))]"
  }

  private static func text(_ old: UpdateValue, _ new: UpdateValue) -> String {
    if case .array(let old) = old, case .array(let new) = new,
      (old + new).contains(where: { $0.members != nil })
    {
      return "\(old.count) → \(new.count) elements"
    }
    return "\(text(old)) → \(text(new))"
  }

  static func text(_ value: UpdateValue) -> String {
    switch value {
    case .string(let text): Data(text.utf8).withUnsafeBytes { MessageText.quoted($0) }
    case .date(let date): text(of: date)
    // In JSON, because strings in a description are not escaped.
    case .array, .object: MessageText.clipped(json(value).jsonText)
    default: MessageText.clipped(value.description)
    }
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
    case .uuid(let value): .string(UUIDText.text(value))
    case .json(let value): value
    case .array(let values): .array(values.map(json))
    case .object(let members):
      .object(JSONObject(members.map { (key: $0.key, value: json($0.value)) }))
    case .reference, .unencodable: .string(value.description)
    }
  }
}

extension UpdateValue {
  /// The members of an object or of a JSON object; nil for other values.
  fileprivate var members: [(name: String, value: UpdateValue)]? {
    switch self {
    case .object(let members): members.map { ($0.key, $0.value) }
    case .json(.object(let members)): members.map { ($0.key, .json($0.value)) }
    default: nil
    }
  }
}
