import ObjectStore

extension Audit: CustomStringConvertible {
  /// A table for each result that is not empty, with one line per path.
  public var description: String {
    let counts = "\(Self.count(payloadCount, "payload")), \(Self.count(objectCount, "object"))"
    var sections = [counts + (isClean ? ": each key is read, and each value is accepted" : "")]
    func add(_ title: String, _ head: [String], _ rows: [[String]]) {
      if !rows.isEmpty { sections.append(Self.table(title, [head] + rows)) }
    }
    let keyHead = ["path", "class", "count", "kinds", "first value", "first place"]
    add("keys that no attribute reads", keyHead, unreadKeys.map(Self.row))
    add("keys kept by an attribute with '.unread'", keyHead, keptKeys.map(Self.row))
    add(
      "values that do not fit their attributes",
      ["path", "attribute", "count", "outcome", "expected", "first value", "first place"],
      mismatches.map {
        [
          $0.path.isEmpty ? "." : $0.path, $0.attribute ?? "–", "\($0.count)", $0.outcome.rawValue,
          $0.expected, $0.found,
          "\($0.first)",
        ]
      })
    add(
      "raw values that no enum case has",
      ["path", "attribute", "count", "outcome", "raw values", "expected", "first place"],
      unknownRawValues.map {
        [
          $0.path, $0.attribute, "\($0.count)", $0.outcome.rawValue, Self.text($0), $0.expected,
          "\($0.first)",
        ]
      })
    add(
      "attributes never seen", ["path", "attribute", "objects"],
      unseenAttributes.map { [$0.path, $0.name, "\($0.objectCount)"] })
    add(
      "attributes always null", ["path", "attribute", "nulls", "objects"],
      nullAttributes.map { [$0.path, $0.name, "\($0.nullCount)", "\($0.objectCount)"] })
    if omittedCount > 0 {
      sections.append("\(Self.count(omittedCount, "value")) at further paths, which are not listed")
    }
    return sections.joined(separator: "\n\n")
  }

  private static func row(_ key: Key) -> [String] {
    let kinds = Kind.allCases.compactMap { kind in key.kinds[kind].map { "\($0) \(kind.rawValue)" }
    }
    return [
      key.path, key.className, "\(key.count)", kinds.joined(separator: ", "), key.found,
      "\(key.first)",
    ]
  }

  private static func text(_ values: RawValues) -> String {
    let counts = values.counts.sorted(byBytesOf: \.key).map { "\($0.value) \($0.key)" }
    let others = values.otherCount > 0 ? ["\(values.otherCount) others"] : []
    return (counts + others).joined(separator: ", ")
  }

  private static func table(_ title: String, _ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += "  " + cell + String(repeating: " ", count: width - cell.count)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    return (["\(title):"] + lines).joined(separator: "\n")
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
