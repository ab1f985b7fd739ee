import Foundation
import JSONText
import ObjectStore

/// Writes objects as JSON, in declared order or with sorted keys. Attributes with a common path prefix share
/// one object.
///
/// Managed and frozen objects are read in place, column by column; unmanaged ones through their attributes.
struct ObjectEncoder: ~Copyable {
  var writer: JSONWriter
  let configuration: CodingConfiguration
  var scratch: [UInt8] = []
  /// The enclosing rows and objects, to detect cycles.
  private var open: [Visited] = []
  /// The keyed objects written so far, if each is written once; see
  /// ``CodingConfiguration/writesEachObjectOnce``.
  private var written: Set<Visited> = []
  /// The outermost managed or frozen object; nil while an unmanaged one is written.
  private var top: RowView?
  /// The maximum number of objects, or of arrays and objects of a JSON value, open on the current stack.
  var stackDepth = DeepStack.shallowDepth

  enum Visited: Hashable {
    case row(table: Int, slot: Int)
    case instance(ObjectIdentifier)
  }

  init(_ configuration: CodingConfiguration, capacity: Int) {
    self.configuration = configuration
    writer = JSONWriter(formatting: configuration.writerFormatting, capacity: capacity)
  }

  // MARK: - Objects

  mutating func object(_ object: ObjectBase, _ plan: CodingPlan) throws {
    if let view = RowView(object) {
      try row(view, plan)
      return
    }
    if open.isEmpty { top = nil }
    try entering(.instance(ObjectIdentifier(object))) {
      (encoder: inout ObjectEncoder) in
      let unread = plan.unreadField.flatMap { object[$0.name] as? JSONValue }
      try encoder.members(
        encoder.node(plan), UnreadMembers(unread, plan, encoder.configuration)
      ) { (encoder: inout ObjectEncoder, field) in
        let compoundKey =
          field === plan.keyField && plan.hasCompoundKey ? Self.compoundKey(object, plan) : nil
        try encoder.attribute(compoundKey ?? object[field.name], field)
      } isAbsent: { field in
        switch object[field.name] {
        case nil: !field.writesNil
        case let text as String: field.raw != nil && Self.isAbsent(field, rawText: text.utf8)
        case let json as JSONValue: field.omitsJSONNull && json == .null
        case let elements as any Sequence where field.omitsEmpty: CodingField.isEmpty(elements)
        default: false
        }
      }
    }
  }

  mutating func row(_ view: RowView, _ plan: CodingPlan) throws {
    guard view.isLive else {
      throw StoreCodingError(.objectInvalidated, attribute: plan.className)
    }
    let visited = Visited.row(table: view.table, slot: view.slot)
    if configuration.writesEachObjectOnce, let field = plan.keyField,
      !written.insert(visited).inserted
    {
      return try keyOnly(view, plan.hasCompoundKey ? plan.keyParts : [field])
    }
    if open.contains(visited) { throw StoreCodingError(.cycle) }
    if open.isEmpty { top = view }
    open.append(visited)
    defer { open.removeLast() }
    guard open.count <= stackDepth else { throw tooDeep() }
    guard let unread = plan.unreadField else { return try rowMembers(node(plan), view) }
    try members(
      node(plan),
      UnreadMembers(JSONValue(stored: view.bytes(unread.attribute)), plan, configuration)
    ) { (encoder: inout ObjectEncoder, field) in
      try encoder.attribute(view, field)
    } isAbsent: {
      Self.isAbsent($0, view)
    }
  }

  private mutating func keyOnly(_ view: RowView, _ fields: [CodingField]) throws {
    writer.beginObject()
    for field in fields {
      guard field.path.components.count == 1, case .key(let name) = field.path.components[0] else {
        throw StoreCodingError(.cycle)
      }
      writer.key(name)
      try attribute(view, field)
    }
    writer.endObject()
  }

  mutating func entering(
    _ visited: Visited, _ body: (inout ObjectEncoder) throws -> Void
  ) throws {
    if open.contains(visited) { throw StoreCodingError(.cycle) }
    open.append(visited)
    defer { open.removeLast() }
    guard open.count <= stackDepth else { throw tooDeep() }
    try body(&self)
  }

  func tooDeep() -> any Error {
    let limit = configuration.limits.usedDepth
    return stackDepth < limit
      ? TooDeep() : StoreCodingError(.limitExceeded, expected: "\(limit) nested objects")
  }

  mutating func node(_ plan: CodingPlan) -> EncodeNode {
    if let known = plan.encodeNode { return known }
    let configuration = configuration
    let node = evaluating { EncodeNode(plan, configuration) }
    plan.encodeNode = node
    return node
  }

  /// Runs user code, on the caller's thread. Code that could change the rows being written may not write to the store.
  func evaluating<R>(_ body: () throws -> R) rethrows -> R {
    try top.map { try $0.evaluating(body) } ?? DeepStack.onCaller(body)
  }

  // MARK: - Members

  mutating func rowMembers(_ node: EncodeNode, _ view: RowView) throws {
    if node.isArray { return try rowElements(node, view) }
    writer.beginObject()
    for index in 0..<node.members.count {
      let step = node.steps + index
      let attribute = step.pointee.attribute
      switch step.pointee.operation {
      case .int:
        if passesNil(step, view) { continue }
        writer.key(paddedLiteral: step.pointee.literal)
        writer.int(Int64(bitPattern: view.word(attribute)))
      case .string:
        if passesNil(step, view) { continue }
        writer.key(paddedLiteral: step.pointee.literal)
        writer.string(view.bytes(attribute).assumingMemoryBound(to: UInt8.self))
      case .bool:
        if passesNil(step, view) { continue }
        writer.key(paddedLiteral: step.pointee.literal)
        writer.bool(view.byte(attribute) != 0)
      case .double:
        if passesNil(step, view) { continue }
        let value = Double(bitPattern: view.word(attribute))
        guard value.isFinite else {
          try otherMember(node.members[index], view)
          continue
        }
        writer.key(paddedLiteral: step.pointee.literal)
        _ = writer.double(value)
      case .isoDate:
        if passesNil(step, view) { continue }
        guard let time = DateText.time(of: Double(bitPattern: view.word(attribute))) else {
          try otherMember(node.members[index], view)
          continue
        }
        writer.key(paddedLiteral: step.pointee.literal)
        writer.iso8601(time)
      case .day:
        if passesNil(step, view) { continue }
        guard let day = DateText.day(of: Double(bitPattern: view.word(attribute))) else {
          try otherMember(node.members[index], view)
          continue
        }
        writer.key(paddedLiteral: step.pointee.literal)
        writer.day(day)
      case .object:
        guard let target = view.target(attribute) else {
          if step.pointee.writesNil { writeNil(step) }
          continue
        }
        writer.key(paddedLiteral: step.pointee.literal)
        try linked(step, target)
      case .other:
        try otherMember(node.members[index], view)
      }
    }
    writer.endObject()
  }

  /// Returns true if the attribute is nil, after writing null if it may not be omitted.
  @inline(__always)
  private mutating func passesNil(
    _ step: UnsafeMutablePointer<EncodeNode.Step>, _ view: RowView
  ) -> Bool {
    guard view.isNull(step.pointee.attribute) else { return false }
    if step.pointee.writesNil { writeNil(step) }
    return true
  }

  @inline(never)
  private mutating func writeNil(_ step: UnsafeMutablePointer<EncodeNode.Step>) {
    writer.key(paddedLiteral: step.pointee.literal)
    writer.null()
  }

  private mutating func linked(
    _ step: UnsafeMutablePointer<EncodeNode.Step>, _ target: RowView
  ) throws {
    guard let field = step.pointee.field else { return writer.null() }
    do {
      guard let plan = field._withUnsafeGuaranteedRef({ $0.target }) else { return writer.null() }
      try row(target, plan)
    } catch var error as StoreCodingError {
      throw located(&error, field.takeUnretainedValue())
    }
  }

  mutating func otherMember(_ member: EncodeNode.Member, _ view: RowView) throws {
    switch member.content {
    case .field(let field):
      if Self.isAbsent(field, view) { return }
      member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
      do {
        try attribute(view, field)
      } catch var error as StoreCodingError {
        throw located(&error, field)
      }
    case .constant(let text):
      member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
      string(text)
    case .node(let child):
      guard child.fields.contains(where: { !Self.isAbsent($0, view) }) else { return }
      member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
      try rowMembers(child, view)
    }
  }

  /// Writes the elements of an array node, up to the last one present.
  mutating func rowElements(_ node: EncodeNode, _ view: RowView) throws {
    try elements(node) { (encoder: inout ObjectEncoder, field) in
      try encoder.attribute(view, field)
    } isAbsent: {
      Self.isAbsent($0, view)
    } nested: { (encoder: inout ObjectEncoder, child) in
      try encoder.rowMembers(child, view)
    }
  }

  /// Writes the members of an object, and those of `unread` after them, or among them if keys are sorted.
  mutating func members(
    _ node: EncodeNode, _ unread: UnreadMembers,
    _ write: (inout ObjectEncoder, CodingField) throws -> Void,
    isAbsent: (CodingField) -> Bool
  ) throws {
    if node.isArray {
      try elements(node, write, isAbsent: isAbsent) { (encoder: inout ObjectEncoder, child) in
        try encoder.members(child, UnreadMembers(), write, isAbsent: isAbsent)
      }
      return
    }
    writer.beginObject()
    var rest = unread
    let sorts = !unread.isEmpty && configuration.outputFormatting.contains(.sortedKeys)
    for member in node.members {
      if sorts {
        while let next = rest.popFirst(before: member.name, configuration.keyOrder) {
          try unreadMember(next)
        }
      }
      switch member.content {
      case .field(let field):
        if isAbsent(field) { continue }
        member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
        do {
          try write(&self, field)
        } catch var error as StoreCodingError {
          throw located(&error, field)
        }
      case .constant(let text):
        member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
        string(text)
      case .node(let child):
        let below = rest.removeMembers(of: member.name)
        guard !below.isEmpty || child.fields.contains(where: { !isAbsent($0) }) else { continue }
        member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
        try members(child, below, write, isAbsent: isAbsent)
      }
    }
    while let next = rest.popFirst() { try unreadMember(next) }
    writer.endObject()
  }

  private mutating func unreadMember(
    _ member: (name: String, value: JSONValue, field: CodingField)
  ) throws {
    writer.key(member.name)
    do {
      try json(member.value, member.field)
    } catch var error as StoreCodingError {
      error.prepend(key: member.name)
      throw error
    }
  }

  mutating func elements(
    _ node: EncodeNode,
    _ write: (inout ObjectEncoder, CodingField) throws -> Void,
    isAbsent: (CodingField) -> Bool,
    nested: (inout ObjectEncoder, EncodeNode) throws -> Void
  ) throws {
    writer.beginArray()
    var count = 0
    var omitted: [CodingField] = []
    for member in node.members {
      switch member.content {
      case .field(let field):
        if isAbsent(field) {
          omitted.append(field)
          continue
        }
        try checkHoles(&omitted)
        fill(to: member.index, &count)
        do {
          try write(&self, field)
        } catch var error as StoreCodingError {
          throw located(&error, field)
        }
      case .constant: break
      case .node(let child):
        guard child.fields.contains(where: { !isAbsent($0) }) else {
          omitted += child.fields
          continue
        }
        try checkHoles(&omitted)
        fill(to: member.index, &count)
        try nested(&self, child)
      }
      count += 1
    }
    writer.endArray()
  }

  /// Throws an error if an attribute was omitted before a present one and the null written for it would be rejected
  /// or read as a different value.
  private func checkHoles(_ omitted: inout [CodingField]) throws {
    for field in omitted {
      guard let rejection = field.nullRejection else { continue }
      var error = StoreCodingError(.nullForNonOptional, expected: rejection)
      throw located(&error, field)
    }
    omitted.removeAll()
  }

  /// Writes null for the missing elements before an index.
  mutating func fill(to index: Int, _ count: inout Int) {
    while count < index {
      writer.null()
      count += 1
    }
  }

  func located(_ error: inout StoreCodingError, _ field: CodingField) -> StoreCodingError {
    error.prepend(field.path.components)
    if error.attribute == nil { error.attribute = field.fullName }
    return error
  }

  // MARK: - Attributes of rows

  /// True if the attribute is omitted: nil or an empty collection that may be omitted, empty raw JSON, a JSON null
  /// that would not read back, or linking objects.
  static func isAbsent(_ field: CodingField, _ view: RowView) -> Bool {
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
    guard field.omitsJSONNull, rawText.contains(UInt8(ascii: "n")) else { return false }
    return rawText.lazy.filter { $0 > 0x20 }.elementsEqual("null".utf8)
  }

  mutating func attribute(_ view: RowView, _ field: CodingField) throws {
    switch field.form {
    case .scalar:
      if view.isNull(field.attribute) {
        writer.null()
      } else if field.scalar == .bool {
        try bool(view.byte(field.attribute) != 0, field)
      } else if field.scalar.isBytes {
        try text(view.bytes(field.attribute), field)
      } else {
        try number(view.word(field.attribute), field)
      }
    case .link:
      guard let target = view.target(field.attribute), let plan = field.target else {
        writer.null()
        return
      }
      try linked(target, plan, field)
    case .list where field.isKeyed, .set where field.isKeyed, .map where field.isKeyed:
      try keyed(view, field)
    case .list, .set:
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
        writer.null()
        return
      }
      try linked(target, plan, field)
    } else if element.isNull {
      writer.null()
    } else if field.scalar == .bool {
      try bool(element.word != 0, field)
    } else if field.scalar.isBytes {
      try text(element.bytes, field)
    } else {
      try number(element.word, field)
    }
  }
}
