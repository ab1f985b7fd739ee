import Foundation
import JSONText
import ObjectStore

// The attributes of managed and frozen objects, read from their rows in place.

extension ObjectEncoder {
  /// True if the attribute is omitted.
  static func isAbsent(_ field: CodingField, _ view: RowView, _ rules: BodyRules) -> Bool {
    if rules.missing == .omitted || rules.missing == .marked, field.form != .linkingObjects,
      view.isMissing(field.attribute)
    {
      return rules.missing == .omitted
    }
    return rules.omits(field, isAbsent: isAbsent(field, view), isNil: isNil(field, view))
  }

  /// True if the attribute has a value, or elements, that a new object does not have.
  static func hasValue(_ field: CodingField, _ view: RowView) -> Bool {
    if field.hasDefault || isNil(field, view) { return false }
    switch field.form {
    case .scalar: return field.shape.isOptional
    case .link: return true
    case .list, .set, .map: return view.elementCount(field.attribute) > 0
    case .linkingObjects: return false
    }
  }

  private static func isNil(_ field: CodingField, _ view: RowView) -> Bool {
    switch field.form {
    case .link: view.word(field.attribute) == 0
    case .scalar:
      view.isNull(field.attribute)
        || field.acceptsNull && StoredJSONReader.isNull(view.bytes(field.attribute))
        || field.raw != nil && isNull(rawText: view.bytes(field.attribute))
    case .list, .set, .map, .linkingObjects: false
    }
  }

  /// True if the attribute is omitted from an ordinary body: nil or an empty collection that may be omitted, empty raw
  /// JSON, a JSON null that would not read back, or linking objects.
  private static func isAbsent(_ field: CodingField, _ view: RowView) -> Bool {
    switch field.form {
    case .scalar:
      view.isNull(field.attribute)
        ? !field.writesNil
        : field.raw != nil
          ? isAbsent(field, rawText: view.bytes(field.attribute))
          : field.omitsJSONNull && StoredJSONReader.isNull(view.bytes(field.attribute))
    case .link:
      view.word(field.attribute) == 0 && !field.writesNil
    case .list, .set, .map:
      field.omitsEmpty && view.elementCount(field.attribute) == 0
    case .linkingObjects:
      true
    }
  }

  /// True if raw JSON is omitted because it is empty, or a null that would not read back.
  static func isAbsent(_ field: CodingField, rawText: some Collection<UInt8>) -> Bool {
    if rawText.isEmpty { return true }
    return field.omitsJSONNull && isNull(rawText: rawText)
  }

  static func isNull(rawText: some Collection<UInt8>) -> Bool {
    rawText.contains(UInt8(ascii: "n"))
      && rawText.lazy.filter { $0 > 0x20 }.elementsEqual("null".utf8)
  }

  mutating func attribute(_ view: RowView, _ field: CodingField) throws {
    if rules.missing == .marked, view.isMissing(field.attribute) {
      return try json(.unknown, field)
    }
    switch field.form {
    case .scalar:
      if view.isNull(field.attribute) {
        try null(field)
      } else if field.scalar == .bool {
        try bool(view.byte(field.attribute) != 0, field)
      } else if field.scalar.isBytes {
        try text(view.bytes(field.attribute), field)
      } else {
        try number(view.word(field.attribute), field)
      }
    case .link:
      guard let target = view.target(field.attribute), let plan = field.target else {
        return try null(field)
      }
      try linked(target, plan, field)
    case .list where field.isKeyed, .set where field.isKeyed, .map where field.isKeyed:
      try keyed(view, field)
    case .list, .set:
      let omitsNil = rules.nils == .omitted
      if omitsNil { rules.nils = .asDeclared }
      writer.beginArray()
      for index in 0..<view.elementCount(field.attribute) {
        do {
          if field.hasElementPath {
            try nested(field.path.elementPath?[...] ?? []) { try $0.element(view, index, field) }
          } else {
            try element(view, index, field)
          }
        } catch var error as StoreCodingError {
          error.prepend(index: index)
          throw error
        }
      }
      writer.endArray()
      if omitsNil { rules.nils = .omitted }
    case .map:
      try map(view, field)
    case .linkingObjects:
      break
    }
  }

  /// Writes the objects and arrays that lead to a value along a path, and the value with `body`.
  mutating func nested(
    _ path: ArraySlice<JSONPath.Component>, _ body: (inout ObjectEncoder) throws -> Void
  ) throws {
    guard let component = path.first else { return try body(&self) }
    switch component {
    case .key(let key):
      writer.beginObject()
      writer.key(key)
    case .index(let index):
      writer.beginArray()
      var count = 0
      fill(to: index, &count)
    }
    do {
      try nested(path.dropFirst(), body)
    } catch var error as StoreCodingError {
      error.prepend([component])
      throw error
    }
    if component.index == nil { writer.endObject() } else { writer.endArray() }
  }

  /// Writes a linked object or its key.
  private mutating func linked(
    _ target: RowView, _ plan: CodingPlan, _ field: CodingField
  ) throws {
    guard field.isByKey || field.isByIdentifier, let key = plan.keyField else {
      return try row(target, plan)
    }
    guard target.isLive else {
      throw StoreCodingError(.objectInvalidated, attribute: plan.className)
    }
    try self.key(of: plan, field) { try $0.attribute(target, key) }
  }

  /// Writes the key of a linked object with `write`, inside a resource identifier if the link has this form.
  mutating func key(
    of plan: CodingPlan, _ field: CodingField, _ write: (inout ObjectEncoder) throws -> Void
  ) throws {
    guard let type = plan.resourceType, field.isByIdentifier else { return try write(&self) }
    writer.beginObject()
    if !configuration.outputFormatting.contains(.sortedKeys) { member("type", type) }
    writer.key("id")
    try write(&self)
    if configuration.outputFormatting.contains(.sortedKeys) { member("type", type) }
    writer.endObject()
  }

  private mutating func member(_ name: String, _ text: String) {
    writer.key(name)
    string(text)
  }

  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { writer.string($0) }
  }

  mutating func map(_ view: RowView, _ field: CodingField) throws {
    writer.beginObject()
    let order = configuration.sortsReadably ? readableOrder(view, field) : nil
    for position in 0..<view.elementCount(field.attribute) {
      let index = order?[position] ?? position
      let key = view.element(field.attribute, index).key
      writer.key(key.assumingMemoryBound(to: UInt8.self))
      do {
        try element(view, index, field)
      } catch var error as StoreCodingError {
        error.prepend(key: String(decoding: key, as: UTF8.self))
        throw error
      }
    }
    writer.endObject()
  }

  /// The positions of a map's elements in readable key order; they are stored in byte order.
  private func readableOrder(_ view: RowView, _ field: CodingField) -> [Int] {
    (0..<view.elementCount(field.attribute)).sorted { first, second in
      JSONKeyOrder.numericCaseInsensitive.areInIncreasingOrder(
        view.element(field.attribute, first).key.assumingMemoryBound(to: UInt8.self),
        view.element(field.attribute, second).key.assumingMemoryBound(to: UInt8.self))
    }
  }

  mutating func element(_ view: RowView, _ index: Int, _ field: CodingField) throws {
    let element = view.element(field.attribute, index)
    if let plan = field.target {
      guard let target = view.elementTarget(field.attribute, word: element.word) else {
        return try null(field)
      }
      try linked(target, plan, field)
    } else if element.isNull {
      try null(field)
    } else if field.scalar == .bool {
      try bool(element.word != 0, field)
    } else if field.scalar.isBytes {
      try text(element.bytes, field)
    } else {
      try number(element.word, field)
    }
  }
}
