import Foundation
import JSONText
import ObjectStore

/// Writes objects as JSON, in declared order (or with sorted keys), each path once.
///
/// Managed and frozen objects are read in place, column by column; unmanaged ones through their
/// attributes.
struct ObjectEncoder: ~Copyable {
  var writer: JSONWriter
  private let configuration: StoreCoder.Configuration
  private var scratch: [UInt8] = []
  /// The rows and objects around the one being written, to notice circles.
  private var open: [Identity] = []
  /// Objects that may be open on this stack, and arrays and objects of a JSON value.
  var stackDepth = DeepStack.shallowDepth
  private var orders: [ObjectIdentifier: EncodeNode] = [:]

  private enum Identity: Equatable {
    case row(table: Int, slot: Int)
    case instance(ObjectIdentifier)
  }

  init(_ configuration: StoreCoder.Configuration, capacity: Int) {
    self.configuration = configuration
    writer = JSONWriter(formatting: configuration.writerFormatting, capacity: capacity)
  }

  mutating func key(_ key: String) {
    var key = key
    key.withUTF8 { writer.key($0) }
  }

  // MARK: - Objects

  mutating func object(_ object: ObjectBase, _ plan: CodingPlan) throws {
    if let view = RowView(object) {
      try row(view, plan)
      return
    }
    try entering(.instance(ObjectIdentifier(object))) {
      (encoder: inout ObjectEncoder) in
      try encoder.members(encoder.node(plan)) { (encoder: inout ObjectEncoder, field) in
        try encoder.attribute(object[field.name], field)
      } isAbsent: { field in
        switch object[field.name] {
        case nil: true
        case let text as String: field.raw != nil && text.isEmpty
        default: false
        }
      }
    }
  }

  mutating func row(_ view: RowView, _ plan: CodingPlan) throws {
    guard view.isLive else {
      throw StoreCodingError(.objectInvalidated, attribute: plan.className)
    }
    let identity = Identity.row(table: view.table, slot: view.slot)
    if open.contains(identity) { throw StoreCodingError(.cycle) }
    open.append(identity)
    defer { open.removeLast() }
    guard open.count <= stackDepth else { throw tooDeep() }
    try rowMembers(node(plan), view)
  }

  private mutating func entering(
    _ identity: Identity, _ body: (inout ObjectEncoder) throws -> Void
  ) throws {
    if open.contains(identity) { throw StoreCodingError(.cycle) }
    open.append(identity)
    defer { open.removeLast() }
    guard open.count <= stackDepth else { throw tooDeep() }
    try body(&self)
  }

  private func tooDeep() -> any Error {
    let limit = min(configuration.limits.depth, DeepStack.depthLimit)
    return stackDepth < limit
      ? TooDeep() : StoreCodingError(.limitExceeded, expected: "\(limit) nested objects")
  }

  private mutating func node(_ plan: CodingPlan) -> EncodeNode {
    if let known = orders[ObjectIdentifier(plan)] { return known }
    let node = EncodeNode(plan, configuration)
    orders[ObjectIdentifier(plan)] = node
    return node
  }

  // MARK: - Members

  /// Writes the members of a row.
  private mutating func rowMembers(_ node: EncodeNode, _ view: RowView) throws {
    if node.isArray { return try rowElements(node, view) }
    writer.beginObject()
    for index in 0..<node.entries.count {
      let step = node.steps + index
      let attribute = step.pointee.attribute
      switch step.pointee.operation {
      case .int:
        if view.isNull(attribute) { continue }
        writer.key(literal: step.pointee.literal)
        writer.int(Int64(bitPattern: view.word(attribute)))
      case .string:
        if view.isNull(attribute) { continue }
        writer.key(literal: step.pointee.literal)
        writer.string(view.bytes(attribute).assumingMemoryBound(to: UInt8.self))
      case .bool:
        if view.isNull(attribute) { continue }
        writer.key(literal: step.pointee.literal)
        writer.bool(view.byte(attribute) != 0)
      case .other:
        try otherMember(node.entries[index], view)
      }
    }
    writer.endObject()
  }

  private mutating func otherMember(_ entry: EncodeNode.Entry, _ view: RowView) throws {
    switch entry.content {
    case .field(let field):
      if Self.isAbsent(field, view) { return }
      entry.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
      do {
        try attribute(view, field)
      } catch var error as StoreCodingError {
        throw place(&error, field)
      }
    case .node(let child):
      guard child.fields.contains(where: { !Self.isAbsent($0, view) }) else { return }
      entry.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
      try rowMembers(child, view)
    }
  }

  /// Writes the elements that pointers name, up to the last one that is there.
  private mutating func rowElements(_ node: EncodeNode, _ view: RowView) throws {
    try elements(node) { (encoder: inout ObjectEncoder, field) in
      try encoder.attribute(view, field)
    } isAbsent: {
      Self.isAbsent($0, view)
    } nested: { (encoder: inout ObjectEncoder, child) in
      try encoder.rowMembers(child, view)
    }
  }

  private mutating func members(
    _ node: EncodeNode,
    _ write: (inout ObjectEncoder, CodingField) throws -> Void,
    isAbsent: (CodingField) -> Bool
  ) throws {
    if node.isArray {
      try elements(node, write, isAbsent: isAbsent) { (encoder: inout ObjectEncoder, child) in
        try encoder.members(child, write, isAbsent: isAbsent)
      }
      return
    }
    writer.beginObject()
    for entry in node.entries {
      switch entry.content {
      case .field(let field):
        if isAbsent(field) { continue }
        entry.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
        do {
          try write(&self, field)
        } catch var error as StoreCodingError {
          throw place(&error, field)
        }
      case .node(let child):
        guard child.fields.contains(where: { !isAbsent($0) }) else { continue }
        entry.literal.withUnsafeBufferPointer { writer.key(literal: $0) }
        try members(child, write, isAbsent: isAbsent)
      }
    }
    writer.endObject()
  }

  private mutating func elements(
    _ node: EncodeNode,
    _ write: (inout ObjectEncoder, CodingField) throws -> Void,
    isAbsent: (CodingField) -> Bool,
    nested: (inout ObjectEncoder, EncodeNode) throws -> Void
  ) throws {
    writer.beginArray()
    var count = 0
    for entry in node.entries {
      switch entry.content {
      case .field(let field):
        if isAbsent(field) { continue }
        fill(to: entry.index, &count)
        do {
          try write(&self, field)
        } catch var error as StoreCodingError {
          throw place(&error, field)
        }
      case .node(let child):
        guard child.fields.contains(where: { !isAbsent($0) }) else { continue }
        fill(to: entry.index, &count)
        try nested(&self, child)
      }
      count += 1
    }
    writer.endArray()
  }

  /// Writes null for the elements that nothing is known of.
  mutating func fill(to index: Int, _ count: inout Int) {
    while count < index {
      writer.null()
      count += 1
    }
  }

  private func place(_ error: inout StoreCodingError, _ field: CodingField) -> StoreCodingError {
    error.prepend(key: field.path.text)
    if error.attribute == nil { error.attribute = field.fullName }
    return error
  }

  // MARK: - Attributes of rows

  /// Whether the attribute is left out: null, or raw JSON that is not there.
  private static func isAbsent(_ field: CodingField, _ view: RowView) -> Bool {
    switch field.form {
    case .scalar:
      view.isNull(field.attribute) || field.raw != nil && view.bytes(field.attribute).isEmpty
    case .link:
      view.word(field.attribute) == 0
    case .list, .set, .map:
      false
    case .linkingObjects:
      true
    }
  }

  private mutating func attribute(_ view: RowView, _ field: CodingField) throws {
    switch field.form {
    case .scalar:
      if field.scalar == .bool {
        writer.bool(view.byte(field.attribute) != 0)
      } else if field.scalar.isText {
        try text(view.bytes(field.attribute), field)
      } else {
        try number(view.word(field.attribute), field)
      }
    case .link:
      guard let target = view.target(field.attribute), let plan = field.target else {
        writer.null()
        return
      }
      try row(target, plan)
    case .list, .set:
      writer.beginArray()
      for index in 0..<view.elementCount(field.attribute) {
        do {
          try element(view, index, field)
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

  private mutating func map(_ view: RowView, _ field: CodingField) throws {
    writer.beginObject()
    for index in 0..<view.elementCount(field.attribute) {
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

  private mutating func element(_ view: RowView, _ index: Int, _ field: CodingField) throws {
    let element = view.element(field.attribute, index)
    if let plan = field.target {
      guard let target = view.elementTarget(field.attribute, word: element.word) else {
        writer.null()
        return
      }
      try row(target, plan)
    } else if element.isNull {
      writer.null()
    } else if field.scalar == .bool {
      writer.bool(element.word != 0)
    } else if field.scalar.isText {
      try text(element.bytes, field)
    } else {
      try number(element.word, field)
    }
  }

  // MARK: - Attributes of unmanaged objects

  private mutating func attribute(_ value: Any?, _ field: CodingField) throws {
    guard let value else {
      writer.null()
      return
    }
    switch field.form {
    case .scalar:
      try scalar(value, field)
    case .link:
      try target(value, field)
    case .list, .set:
      writer.beginArray()
      let elements = field.form == .set ? Self.sorted(value, field) : Self.elements(value)
      for (index, element) in elements.enumerated() {
        do {
          try self.element(element, field)
        } catch var error as StoreCodingError {
          error.prepend(index: index)
          throw error
        }
      }
      writer.endArray()
    case .map:
      writer.beginObject()
      for (key, element) in Self.pairs(value) {
        self.key(key)
        do {
          try self.element(element, field)
        } catch var error as StoreCodingError {
          error.prepend(key: key)
          throw error
        }
      }
      writer.endObject()
    case .linkingObjects:
      break
    }
  }

  private mutating func element(_ value: Any, _ field: CodingField) throws {
    if Self.isNil(value) {
      writer.null()
    } else if field.target != nil {
      try target(value, field)
    } else {
      try scalar(value, field)
    }
  }

  private mutating func target(_ value: Any, _ field: CodingField) throws {
    guard let object = value as? ObjectBase, let plan = field.target else {
      writer.null()
      return
    }
    try self.object(object, plan)
  }

  private mutating func scalar(_ value: Any, _ field: CodingField) throws {
    guard let value = value as? any ScalarValue else {
      writer.null()
      return
    }
    if let flag = value as? Bool {
      writer.bool(flag)
      return
    }
    // The cell's bytes do not outlive the call.
    let cell = value.encode { (word: $0.word, bytes: Array($0.bytes)) }
    if field.scalar.isText {
      try cell.bytes.withUnsafeBytes { try text($0, field) }
    } else if field.scalar == .bool {
      writer.bool(cell.word != 0)
    } else {
      try number(cell.word, field)
    }
  }

  /// Whether the value is an optional without one, boxed.
  private static func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  private static func elements(_ value: Any) -> [Any] {
    func open(_ sequence: some Sequence) -> [Any] { sequence.map { $0 as Any } }
    return (value as? any Sequence).map { open($0) } ?? []
  }

  /// The elements of a set in the order the store keeps them in: null first, then by bits or bytes.
  private static func sorted(_ set: Any, _ field: CodingField) -> [Any] {
    let elements = elements(set)
    guard field.target == nil else { return elements }
    let keyed = elements.map { element -> (rank: Int, word: UInt64, bytes: [UInt8], value: Any) in
      guard let value = element as? any ScalarValue, !isNil(element) else {
        return (0, 0, [], element)
      }
      let cell = value.encode { (word: $0.word, bytes: Array($0.bytes)) }
      return field.scalar.isText ? (1, 0, cell.bytes, element) : (1, cell.word, [], element)
    }
    return keyed.sorted { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      return a.word != b.word ? a.word < b.word : a.bytes.lexicographicallyPrecedes(b.bytes)
    }.map(\.value)
  }

  private static func pairs(_ value: Any) -> [(String, Any)] {
    elements(value).compactMap { element in
      let parts = Mirror(reflecting: element).children.map(\.value)
      guard parts.count == 2, let key = parts[0] as? String else { return nil }
      return (key, parts[1])
    }
  }

  // MARK: - Values

  private mutating func number(_ word: UInt64, _ field: CodingField) throws {
    let isWritten: Bool
    switch field.scalar {
    case .double:
      isWritten = writer.double(Double(bitPattern: word))
    case .float:
      isWritten = writer.float(Float(Double(bitPattern: word)))
    case .date:
      guard let codec = field.dates.first else { return writer.null() }
      isWritten = codec.write(Double(bitPattern: word), to: &writer, &scratch)
    default:
      if field.scalar.unsignedMaximum != nil {
        writer.uint(word)
      } else {
        writer.int(Int64(bitPattern: word))
      }
      isWritten = true
    }
    guard isWritten else {
      let value = Double(bitPattern: word)
      if field.scalar == .date, value.isFinite {
        throw StoreCodingError(
          .outOfRange, attribute: field.fullName, expected: field.expected(element: true),
          found: "the moment \(value) seconds after 1970")
      }
      throw StoreCodingError(
        .nonFiniteNumber, attribute: field.fullName, found: "\(Double(bitPattern: word))")
    }
  }

  private mutating func text(_ bytes: UnsafeRawBufferPointer, _ field: CodingField) throws {
    if field.raw != nil {
      try raw(bytes, field)
      return
    }
    let utf8 = bytes.assumingMemoryBound(to: UInt8.self)
    switch field.scalar {
    case .decimal:
      writer.numberText(utf8)
    case .data:
      var text = Data(bytes).base64EncodedString()
      text.withUTF8 { writer.string($0) }
    case .uuid:
      guard bytes.count == 16 else { return writer.null() }
      var text = UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).uuidString
      text.withUTF8 { writer.string($0) }
    case .json:
      try json(JSONValue(stored: bytes), field)
    default:
      writer.string(utf8)
    }
  }

  /// Splices a text that is JSON into the output, after checking that it is.
  private mutating func raw(_ bytes: UnsafeRawBufferPointer, _ field: CodingField) throws {
    let input: JSONInput
    do {
      input = try JSONInput(copying: bytes)
      var reader = JSONReader(input, depthLimit: configuration.limits.depth)
      _ = try reader.rawValue()
      try reader.finish()
    } catch {
      throw StoreCodingError(
        .invalidRawJSON, attribute: field.fullName, found: error.message)
    }
    let utf8 = UnsafeBufferPointer(start: input.start, count: input.count)
    var strict = JSONReader(input, dialect: .strict, depthLimit: configuration.limits.depth)
    if (try? strict.skipValue()) == nil {
      // A trailing comma that was let in does not go out again.
      writer.minified(utf8, sortingKeys: configuration.outputFormatting.contains(.sortedKeys))
    } else {
      writer.raw(utf8)
    }
  }

  private mutating func json(
    _ value: JSONValue, _ field: CodingField, depth: Int = 0
  ) throws {
    guard depth <= stackDepth else { throw tooDeep() }
    switch value {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .double(let value):
      guard writer.double(value) else {
        throw StoreCodingError(
          .nonFiniteNumber, attribute: field.fullName, found: "\(value)")
      }
    case .number(var text):
      // Digits may come from code too, not only from a payload.
      guard let input = try? text.withUTF8({ try JSONInput(copying: UnsafeRawBufferPointer($0)) })
      else { throw StoreCodingError(.invalidRawJSON, attribute: field.fullName, found: text) }
      var reader = JSONReader(input, dialect: .strict)
      guard (try? reader.numberText()) != nil, (try? reader.finish()) != nil else {
        throw StoreCodingError(.invalidRawJSON, attribute: field.fullName, found: text)
      }
      text.withUTF8 { writer.numberText($0) }
    case .string(var text): text.withUTF8 { writer.string($0) }
    case .array(let elements):
      writer.beginArray()
      for element in elements { try json(element, field, depth: depth + 1) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      let order = configuration.keyOrder
      for key in members.keys.sorted(by: { order.precedes($0, $1) }) {
        self.key(key)
        try json(members[key] ?? .null, field, depth: depth + 1)
      }
      writer.endObject()
    }
  }
}

extension ScalarKind {
  /// Whether its cells hold bytes.
  var isText: Bool {
    switch self {
    case .decimal, .string, .data, .uuid, .url, .json: true
    default: false
    }
  }
}

// MARK: - Order

/// The members of one output object, in the order they are written.
final class EncodeNode {
  enum Content {
    case field(CodingField)
    case node(EncodeNode)
  }

  struct Entry {
    /// The key with its quotes and escapes.
    let literal: [UInt8]
    /// Its place, if the node is an array.
    let index: Int
    let content: Content
  }

  /// What to do for an entry: the common cases without touching a class instance.
  struct Step {
    enum Operation: UInt8 {
      case int, string, bool
      /// See the entry.
      case other
    }

    let operation: Operation
    let attribute: Int
    let literal: UnsafeBufferPointer<UInt8>
  }

  let entries: [Entry]
  /// All fields at and below this node.
  let fields: [CodingField]
  /// One per entry.
  let steps: UnsafeMutablePointer<Step>

  /// Whether pointers name all of it by number.
  let isArray: Bool

  convenience init(_ plan: CodingPlan, _ configuration: StoreCoder.Configuration) {
    let fields = plan.fields.filter { !$0.isIgnoredInEncoding }
    self.init(fields.map { ($0.path.components[...], $0) }, configuration, isRoot: true)
  }

  private init(
    _ fields: [(rest: ArraySlice<JSONPath.Component>, field: CodingField)],
    _ configuration: StoreCoder.Configuration, isRoot: Bool = false
  ) {
    self.fields = fields.map(\.field)
    var order: [String] = []
    var groups: [String: [(rest: ArraySlice<JSONPath.Component>, field: CodingField)]] = [:]
    for (rest, field) in fields {
      guard let key = rest.first?.key else { continue }
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append((rest.dropFirst(), field))
    }
    isArray =
      !isRoot
      && fields.allSatisfy { if case .index = $0.rest.first { true } else { false } }
    if isArray {
      order.sort { (Int($0) ?? 0) < (Int($1) ?? 0) }
    } else if configuration.outputFormatting.contains(.sortedKeys) {
      let keyOrder = configuration.keyOrder
      order.sort { keyOrder.precedes($0, $1) }
    }
    entries = order.map { key in
      let group = groups[key] ?? []
      let leaf = group.first { $0.rest.isEmpty }?.field
      return Entry(
        literal: Self.literal(key, configuration), index: Int(key) ?? 0,
        content: leaf.map { .field($0) } ?? .node(EncodeNode(group, configuration)))
    }
    steps = .allocate(capacity: max(1, entries.count))
    for (index, entry) in entries.enumerated() {
      let literal = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: entry.literal.count)
      _ = literal.initialize(from: entry.literal)
      var field: CodingField?
      if case .field(let leaf) = entry.content { field = leaf }
      (steps + index).initialize(
        to: Step(
          operation: field.map { Self.operation($0) } ?? .other,
          attribute: field?.attribute ?? 0, literal: UnsafeBufferPointer(literal)))
    }
  }

  deinit {
    for index in entries.indices { steps[index].literal.deallocate() }
    steps.deallocate()
  }

  private static func operation(_ field: CodingField) -> Step.Operation {
    guard field.form == .scalar, field.raw == nil else { return .other }
    switch field.scalar {
    case .bool: return .bool
    case .string, .url: return .string
    case let kind where kind.signedRange != nil: return .int
    default: return .other
    }
  }

  private static func literal(
    _ key: String, _ configuration: StoreCoder.Configuration
  ) -> [UInt8] {
    var writer = JSONWriter(formatting: configuration.writerFormatting, capacity: 64)
    var key = key
    key.withUTF8 { writer.string($0) }
    return writer.withBytes { Array($0) }
  }
}

extension JSONKeyOrder {
  func precedes(_ a: String, _ b: String) -> Bool {
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { b in areInIncreasingOrder(a, b) } }
  }
}

extension StoreCoder.Configuration {
  var keyOrder: JSONKeyOrder { sortsAsSerialization ? .numericCaseInsensitive : .bytes }

  var writerFormatting: JSONWriter.Formatting {
    var formatting: JSONWriter.Formatting = []
    if outputFormatting.contains(.prettyPrinted) { formatting.insert(.prettyPrinted) }
    if outputFormatting.contains(.sortedKeys) { formatting.insert(.sortedKeys) }
    if sortsAsSerialization { formatting.insert(.readableKeyOrder) }
    if !outputFormatting.contains(.withoutEscapingSlashes) { formatting.insert(.escapesSlashes) }
    return formatting
  }
}
