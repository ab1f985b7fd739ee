import ObjectStore

extension CodingPlan {
  /// The mapping as a table with one line per attribute.
  var explanation: String {
    var lines = [["attribute", "JSON path", "type", "options", "declared by"]]
    for field in fields {
      lines.append([
        field.name, field.hasPath ? JSONPath.text(of: [field.path]) : "–", field.shape.name,
        field.optionTexts.joined(separator: ", "),
        field.declaredBy,
      ])
    }
    let widths = (0..<5).map { column in lines.map { $0[column].count }.max() ?? 0 }
    let rows = lines.map { line in
      var text = ""
      for (cell, width) in zip(line, widths) {
        text += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while text.last == " " { text.removeLast() }
      return text
    }
    var head = className
    if let resourceType { head += ", JSON:API '\(resourceType)'" }
    if let objectEnvelope { head += ", object in '\(objectEnvelope)'" }
    if let listEnvelope { head += ", list in '\(listEnvelope)'" }
    if codingClass.schema.tracksEdits { head += ", tracks edits" }
    return ([head] + rows).joined(separator: "\n")
  }
}

extension CodingField {
  fileprivate var optionTexts: [String] {
    var texts: [String] = []
    if property.isPrimaryKey {
      texts.append("primary key")
    } else if isKey {
      texts.append("part of the primary key")
    }
    if scalar == .date, target == nil, coding == nil {
      texts.append("date: \(dates.map(\.format.name).joined(separator: ", "))")
    }
    if let raw { texts.append("raw: \(raw)") }
    if isUnread {
      texts.append("unread keys")
    } else if property.options.contains(.placeholder) {
      texts.append("placeholder")
    } else if isLocal {
      texts.append("local")
    } else if isIgnoredInEncoding, !isSynthesized {
      texts.append("not encoded")
    }
    if nulls != .clear { texts.append("null: \(nulls)") }
    if mismatches != .throw { texts.append("mismatch: \(mismatches)") }
    if let coding { texts.append("coding: \(coding.name)") }
    if stringFractionDigits != nil { texts.append("as string") }
    if let base64 { texts.append("base64: \(base64)") }
    if isFlexible, stringFractionDigits == nil { texts.append("flexible") }
    if !emptyValues.union(emptyElements).subtracting(.listed).isEmpty {
      texts.append("empty as nil")
    }
    if !nilSpellings.isEmpty { texts.append("nil: \(nilSpellings.text)") }
    if alwaysWritesNil { texts.append("nil as null") }
    if isByKey { texts.append("by key") }
    if isInPlace { texts.append("in place") }
    if isKeyed { texts.append(hasKeysAsNames ? "keyed" : "keyed by any name") }
    if acceptsSingleValue { texts.append("single value accepted") }
    if !aliases.isEmpty {
      texts.append("aliases: \(aliases.map { JSONPath.text(of: [$0]) }.joined(separator: ", "))")
    }
    if mayOmitEmpty { texts.append("empty omitted") }
    if let unknown {
      let fallback =
        scalar == .string
        ? String(decoding: unknown.text, as: UTF8.self) : "\(Int64(bitPattern: unknown.word))"
      texts.append("unknown: \(fallback)")
    }
    return texts
  }
}
