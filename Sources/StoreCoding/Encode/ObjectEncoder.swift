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
  var rules: BodyRules
  var scratch: [UInt8] = []
  /// The enclosing rows and objects, to detect cycles.
  private var open: [Visited] = []
  /// The keyed objects written so far, if each is written once; see
  /// ``CodingConfiguration/writesEachObjectOnce``.
  private var written: Set<Visited> = []
  /// True if some objects are written as objects that contain only the primary key.
  private let shortensObjects: Bool
  /// The store of the outermost managed or frozen object; nil while an unmanaged one is written.
  private var owner: RowView.Owner?
  /// The maximum number of objects, or of arrays and objects of a JSON value, open on the current stack.
  var stackDepth = DeepStack.shallowDepth

  enum Visited: Hashable {
    case row(table: Int, slot: Int)
    case instance(ObjectIdentifier)
  }

  init(_ configuration: CodingConfiguration, _ rules: BodyRules = BodyRules(), capacity: Int) {
    self.configuration = configuration
    self.rules = rules
    if configuration.encodesUnknown { self.rules.missing = .written }
    shortensObjects = configuration.writesEachObjectOnce || rules.linksByKey
    writer = JSONWriter(formatting: configuration.writerFormatting, capacity: capacity)
  }

  // MARK: - Objects

  mutating func object(_ object: ObjectBase, _ plan: CodingPlan) throws {
    if let view = RowView(object) {
      try row(view, plan)
      return
    }
    if rules.linksByKey, !open.isEmpty, plan.keyField != nil {
      return try unmanagedMembers(of: object, plan, keyNode(plan), UnreadMembers())
    }
    if open.isEmpty { owner = nil }
    try entering(.instance(ObjectIdentifier(object))) {
      (encoder: inout ObjectEncoder) in
      let unread = plan.unreadField.flatMap { object[$0.name] as? JSONValue }
      try encoder.unmanagedMembers(
        of: object, plan, encoder.node(plan), UnreadMembers(unread, plan, encoder.configuration))
    }
  }

  /// Writes the object with the members of a node only.
  mutating func object(_ object: ObjectBase, _ plan: CodingPlan, only node: EncodeNode) throws {
    if let view = RowView(object) { return try row(view, plan, only: node) }
    owner = nil
    try entering(.instance(ObjectIdentifier(object))) { (encoder: inout ObjectEncoder) in
      let unread = plan.unreadField.flatMap { object[$0.name] as? JSONValue }
      try encoder.unmanagedMembers(
        of: object, plan, node, UnreadMembers(unread, plan, encoder.configuration, isHidden: true))
    }
  }

  private mutating func unmanagedMembers(
    of object: ObjectBase, _ plan: CodingPlan, _ node: EncodeNode, _ unread: UnreadMembers
  ) throws {
    let rules = rules
    try members(node, unread) { (encoder: inout ObjectEncoder, field) in
      let compoundKey =
        field === plan.keyField && plan.hasCompoundKey ? Self.compoundKey(object, plan) : nil
      try encoder.attribute(compoundKey ?? object[field.name], field)
    } isAbsent: {
      Self.isAbsent($0, object[$0.name], rules)
    }
  }

  mutating func row(_ view: RowView, _ plan: CodingPlan) throws {
    guard view.isLive else {
      throw StoreCodingError(.objectInvalidated, attribute: plan.className)
    }
    let visited = Visited.row(table: view.table, slot: view.slot)
    if shortensObjects, plan.keyField != nil {
      let isShort = rules.linksByKey ? !open.isEmpty : !written.insert(visited).inserted
      if isShort { return try rowMembers(keyNode(plan), view) }
    }
    if rules.missing == .writtenOfOutermost {
      rules.missing = .omitted
      defer { rules.missing = .writtenOfOutermost }
      return try row(view, plan)
    }
    if open.contains(visited) { throw StoreCodingError(.cycle) }
    if open.isEmpty { owner = view.owner }
    open.append(visited)
    defer { open.removeLast() }
    guard open.count <= stackDepth else { throw tooDeep() }
    if plan.unreadField != nil {
      return try rowWithUnreadMembers(view, plan, node(plan), isHidden: false)
    }
    try rowMembers(node(plan), view)
  }

  /// Writes the object with the members of a node only.
  mutating func row(_ view: RowView, _ plan: CodingPlan, only node: EncodeNode) throws {
    guard view.isLive else {
      throw StoreCodingError(.objectInvalidated, attribute: plan.className)
    }
    owner = view.owner
    try entering(.row(table: view.table, slot: view.slot)) {
      if plan.unreadField != nil, node.containsArray {
        return try $0.rowWithUnreadMembers(view, plan, node, isHidden: true)
      }
      try $0.rowMembers(node, view)
    }
  }

  /// - Parameter isHidden: True if the unread members are not written; see ``UnreadMembers``.
  @inline(never)
  private mutating func rowWithUnreadMembers(
    _ view: RowView, _ plan: CodingPlan, _ node: EncodeNode, isHidden: Bool
  ) throws {
    let rules = rules
    guard let unread = plan.unreadField else { return }
    try members(
      node,
      UnreadMembers(
        JSONValue(stored: view.bytes(unread.attribute), keepsNotation: true), plan, configuration,
        isHidden: isHidden)
    ) { (encoder: inout ObjectEncoder, field) in
      try encoder.attribute(view, field)
    } isAbsent: {
      Self.isAbsent($0, view, rules)
    }
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
    return evaluating { plan.makeEncodeNode(configuration) }
  }

  /// The members of some of the attributes of a class.
  mutating func node(
    of selection: AttributeSelection, _ plan: CodingPlan
  ) throws(StoreCodingError) -> EncodeNode {
    // The members of the class record the defaults of its attributes.
    _ = node(plan)
    return try plan.encodeNode(of: selection, configuration)
  }

  /// The members of a body with the attributes that the caller names. Of the others, which are always encoded or share an
  /// array with them, those that are missing from the row are left out.
  mutating func node(
    of selection: AttributeSelection, _ plan: CodingPlan, in view: RowView?
  ) throws(StoreCodingError) -> EncodeNode {
    var selection = selection
    if let view, rules.missing == .writtenOfOutermost, view.isLive, view.hasMissing {
      _ = node(plan)
      selection.missingNames = (plan.alwaysEncodedFields + plan.sharingFields)
        .filter { view.isMissing($0.attribute) }.map(\.name)
    }
    return try node(of: selection, plan)
  }

  /// The members of an object that represents another one by its primary key.
  mutating func keyNode(_ plan: CodingPlan) -> EncodeNode {
    if let known = plan.keyNode { return known }
    // The members of the class record the defaults of its attributes.
    _ = node(plan)
    let node = EncodeNode(plan.identifyingFields, of: plan, configuration)
    plan.keyNode = node
    return node
  }

  /// Runs user code, on the caller's thread. Code that could change the rows being written may not write to the store.
  func evaluating<R>(_ body: () throws -> R) rethrows -> R {
    try owner.map { try $0.evaluating(body) } ?? DeepStack.onCaller(body)
  }

  // MARK: - Members

  mutating func rowMembers(_ node: EncodeNode, _ view: RowView) throws {
    if node.isArray { return try rowElements(node, view) }
    if rules.missing == .marked { return try markedMembers(node, view) }
    writer.beginObject()
    let omitsMissing = view.hasMissing && rules.missing == .omitted
    for index in 0..<node.members.count {
      let step = node.steps + index
      let attribute = step.pointee.attribute
      if omitsMissing, step.pointee.operation != .other, view.isMissing(attribute) { continue }
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
          if writesNil(step) { writeNil(step) }
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

  /// Writes an object in which the missing attributes are marked.
  @inline(never)
  private mutating func markedMembers(_ node: EncodeNode, _ view: RowView) throws {
    writer.beginObject()
    for member in node.members { try otherMember(member, view) }
    writer.endObject()
  }

  /// Returns true if the attribute is nil, after writing null if it may not be omitted.
  @inline(__always)
  private mutating func passesNil(
    _ step: UnsafeMutablePointer<EncodeNode.Step>, _ view: RowView
  ) -> Bool {
    guard view.isNull(step.pointee.attribute) else { return false }
    if writesNil(step) { writeNil(step) }
    return true
  }

  /// True if nil is written as null instead of omitted.
  @inline(__always)
  private func writesNil(_ step: UnsafeMutablePointer<EncodeNode.Step>) -> Bool {
    step.pointee.writesNil ? rules.nils != .omitted : rules.nils == .written
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
      if Self.isAbsent(field, view, rules) { return }
      member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
      do {
        try attribute(view, field)
      } catch var error as StoreCodingError {
        throw located(&error, field)
      }
    case .constant(let constant):
      member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
      string(constant.text)
    case .node(let child):
      guard child.fields.contains(where: { !Self.isAbsent($0, view, rules) }) else { return }
      member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
      try rowMembers(child, view)
    }
  }

  /// Writes the elements of an array node, up to the last one present.
  mutating func rowElements(_ node: EncodeNode, _ view: RowView) throws {
    let rules = rules
    try elements(node) { (encoder: inout ObjectEncoder, field) in
      try encoder.attribute(view, field)
    } isAbsent: {
      Self.isAbsent($0, view, rules)
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
    if node.isArray, !unread.isObject {
      try elements(node, write, isAbsent: isAbsent) { (encoder: inout ObjectEncoder, child) in
        try encoder.members(child, UnreadMembers(), write, isAbsent: isAbsent)
      }
      return
    }
    writer.beginObject()
    var rest = unread
    let sortsKeys = configuration.outputFormatting.contains(.sortedKeys)
    let sortsUnread = sortsKeys && !unread.isEmpty
    let order = sortsKeys && node.isArray ? node.nameOrder(configuration.keyOrder) : nil
    for position in node.members.indices {
      let index = order?[position] ?? position
      let (member, name) = (node.members[index], node.names[index])
      if sortsUnread {
        while let next = rest.popFirst(before: name, configuration.keyOrder) {
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
      case .constant(let constant):
        member.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
        string(constant.text)
      case .node(let child):
        let below = rest.removeMembers(of: name)
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
}
