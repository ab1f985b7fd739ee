import JSONText
import ObjectStore

/// Reads a payload along the plan of a class and records in an audit what does not fit.
///
/// The walk follows objects and collections itself, so that it reaches all values of a payload that decoding refuses. It
/// reads all other values with the functions of the decoder, so that both accept the same values.
struct AuditWalk: ~Copyable {
  var decoder: ObjectReader
  let text: PayloadText
  var audit = Audit()
  /// True if decoding refuses duplicate keys.
  private let refusesDuplicates: Bool
  /// True inside a list or a keyed section at the top of the payload.
  var isInList = false
  /// The offset of the value that determines the class of the current object; nil for other objects.
  var tagOffset: Int?
  /// The path from the top of the payload.
  private(set) var components: [JSONPath.Component] = []
  /// The path from the decoded object, without indices.
  private var names = AuditPaths()
  /// The ends of the objects and arrays that were skipped, by their offsets.
  private var ends: [Int: Int] = [:]

  init(_ input: JSONInput, _ batch: RowBatch, _ configuration: CodingConfiguration) {
    // A duplicate key is no syntax error: both values are recorded.
    var lenient = configuration
    refusesDuplicates = configuration.duplicateKeys == .fail
    lenient.duplicateKeys = .lastWins
    decoder = ObjectReader(input, batch, lenient, lenient.limits, issueLimit: 0)
    decoder.stackDepth = lenient.limits.usedDepth
    text = PayloadText(input, lenient, lenient.limits)
  }

  /// Walks the payload, and completes the audit.
  /// - Throws: `StoreCodingError`: `syntax`, `limitExceeded`.
  mutating func payload(_ root: PartNode) throws {
    audit.payloadCount = 1
    do {
      try node(root)
      try decoder.finish()
    } catch let error as JSONError {
      throw decoder.syntax(error)
    }
    audit.finish(text.input)
  }

  // MARK: - The top of the payload

  /// Runs `body` at the part of each element of a list.
  mutating func list(
    _ part: PayloadPart, _ body: (inout AuditWalk) throws -> Void
  ) throws {
    let elementPath = part.elementPath
    var count = 0
    func element(_ walk: inout AuditWalk) throws {
      try walk.decoder.checkElementLimit(count)
      count += 1
      try walk.part(elementPath[...], body) {
        try $0.decoder.reader.skipValue()
      } missing: {
        $0.mismatch(
          at: $1, "", nil, $0.topOutcome,
          expected: "the element at \(JSONPath.text(of: elementPath))", isAbsent: true)
      }
    }
    isInList = true
    switch decoder.reader.kind() {
    case .array:
      try elements { walk, _ in try element(&walk) }
    case .object where part.entersMembers:
      try members(isMap: true) { walk, _ in
        walk.decoder.reader.skipWhitespace()
        try element(&walk)
      }
    default:
      isInList = false
      try refuseTop(expected: part.expectedList ?? "an array of objects")
    }
    isInList = false
  }

  /// The outcome of a bad element of the payload's list.
  var topOutcome: Audit.Outcome {
    isInList && decoder.configuration.mismatches == .skipElement ? .skipped : .refused
  }

  /// Walks an object at the top of the payload; for the parameters, see ``object(_:of:isKeyGiven:isIdentifier:)``.
  mutating func topObject(
    _ plan: CodingPlan, isKeyGiven: Bool = false, isIdentifier: Bool = false
  ) throws {
    guard decoder.reader.kind() == .object else {
      return try refuseTop(expected: plan.className)
    }
    audit.objectCount += 1
    let outer = names.beginObject()
    defer { names.endObject(outer) }
    try object(plan, of: nil, isKeyGiven: isKeyGiven, isIdentifier: isIdentifier)
  }

  /// Records that the next value has the wrong kind, and skips it.
  mutating func refuseTop(expected: String) throws {
    mismatch(at: decoder.reader.byteOffset, "", nil, topOutcome, expected: expected)
    try decoder.reader.skipValue()
  }

  // MARK: - Walking

  /// Runs `body` at the part of a value at a path, and `other` at the other members along the path.
  ///
  /// - Parameter missing: Receives the offset of a value that does not have the path.
  mutating func part(
    _ path: ArraySlice<JSONPath.Component>, _ body: (inout AuditWalk) throws -> Void,
    other: (inout AuditWalk) throws -> Void,
    missing: (inout AuditWalk, Int) -> Void
  ) throws {
    guard let component = path.first else { return try body(&self) }
    let kind = decoder.reader.kind()
    let offset = decoder.reader.byteOffset
    var isFound = false
    switch (kind, component.index) {
    case (.object, _):
      try members { walk, key in
        guard key.elementsEqual(component.key.utf8) else { return try other(&walk) }
        isFound = true
        try walk.part(path.dropFirst(), body, other: other, missing: missing)
      }
    case (.array, let index?):
      try elements { walk, position in
        guard position == index else { return try walk.decoder.reader.skipValue() }
        isFound = true
        try walk.part(path.dropFirst(), body, other: other, missing: missing)
      }
    default:
      try decoder.reader.skipValue()
    }
    if !isFound { missing(&self, offset) }
  }

  /// Runs `body` at the value of each member of an object.
  ///
  /// - Parameter isMap: True if the names are data.
  mutating func members(
    isMap: Bool = false, _ body: (inout AuditWalk, UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    guard try decoder.reader.beginObject() else { return }
    var keys: Set<[UInt8]> = []
    repeat {
      let key = try decoder.reader.key()
      if refusesDuplicates, !keys.insert(Array(key.bytes)).inserted {
        mismatch(
          at: decoder.reader.lastKeyOffset, path, nil, .refused, expected: "each key once",
          isAbsent: true)
      }
      let component = JSONPath.Component.key(key.string)
      components.append(component)
      names.append(isMap ? .key("*") : component)
      try body(&self, key.bytes)
      names.removeLast()
      components.removeLast()
    } while try decoder.reader.objectContinues()
  }

  /// Runs `body` with another component at the end of the path from the decoded object.
  mutating func named(
    _ component: JSONPath.Component, _ body: (inout AuditWalk) throws -> Void
  ) rethrows {
    names.append(component)
    defer { names.removeLast() }
    try body(&self)
  }

  /// Runs `body` at each element of an array.
  mutating func elements(_ body: (inout AuditWalk, Int) throws -> Void) throws {
    guard try decoder.reader.beginArray() else { return }
    var index = 0
    repeat {
      components.append(.index(index))
      decoder.reader.skipWhitespace()
      try body(&self, index)
      components.removeLast()
      index += 1
    } while try decoder.reader.arrayContinues()
  }

  /// A value that is walked after the object that contains it.
  struct SkippedValue {
    let byteOffset: Int
    let depth: Int
    /// The path from the object.
    let components: [JSONPath.Component]
  }

  /// Skips the next value, for ``revisit(_:_:)`` when the object that contains it has ended.
  ///
  /// - Parameter objectDepth: The number of components of the object's path.
  mutating func skippingValue(from objectDepth: Int) throws -> SkippedValue {
    decoder.reader.skipWhitespace()
    let value = SkippedValue(
      byteOffset: decoder.reader.byteOffset, depth: decoder.reader.depth,
      components: Array(components[objectDepth...]))
    try skipRecordingEnds()
    return value
  }

  /// Runs `body` at a value that was skipped, and returns to the current position.
  mutating func revisit(
    _ value: SkippedValue, _ body: (inout AuditWalk) throws -> Void
  ) throws {
    let (offset, depth) = (decoder.reader.byteOffset, decoder.reader.depth)
    let (componentCount, nameCount) = (components.count, names.count)
    components += value.components
    for component in value.components where component.index == nil { names.append(component) }
    decoder.reader.rewind(to: value.byteOffset, depth: value.depth)
    try body(&self)
    decoder.reader.rewind(to: offset, depth: depth)
    components.removeLast(components.count - componentCount)
    names.removeLast(names.count - nameCount)
  }

  /// Skips the next value and records the ends of the objects and arrays in it, so that skipping those takes constant
  /// time.
  private mutating func skipRecordingEnds() throws {
    decoder.reader.skipWhitespace()
    let (offset, depth) = (decoder.reader.byteOffset, decoder.reader.depth)
    if let end = ends[offset] { return decoder.reader.rewind(to: end, depth: depth) }
    switch decoder.reader.kind() {
    case .object:
      if try decoder.reader.beginObject() {
        repeat {
          _ = try decoder.reader.key()
          try skipRecordingEnds()
        } while try decoder.reader.objectContinues()
      }
    case .array:
      if try decoder.reader.beginArray() {
        repeat { try skipRecordingEnds() } while try decoder.reader.arrayContinues()
      }
    default:
      return try decoder.reader.skipValue()
    }
    ends[offset] = decoder.reader.byteOffset
  }

  // MARK: - Places

  /// The path of the current value from the decoded object.
  var path: String {
    mutating get { names.text }
  }

  /// Returns the paths of the attributes of an object at the current path.
  mutating func attributePaths(of plan: CodingPlan) -> AuditPaths.Attributes {
    names.attributes(of: plan)
  }

  /// Records a value that does not fit.
  /// - Parameters:
  ///   - found: The description of the value; nil for the value at `offset`.
  ///   - isAbsent: True if the expected value is absent in the value at `offset`.
  @inline(never)
  mutating func mismatch(
    at offset: Int, _ path: String, _ attribute: String?, _ outcome: Audit.Outcome,
    expected: String, found: String? = nil, isAbsent: Bool = false
  ) {
    let kind = isAbsent ? nil : text.auditKind(at: offset)
    let first = { [text, components] in
      Audit.Mismatch(
        path: path, attribute: attribute, outcome: outcome, kind: kind, expected: expected,
        found: found ?? text.describeValue(at: offset),
        first: Audit.Place(at: components, byteOffset: offset))
    }
    audit.mismatchTable.update(
      Audit.Mismatch.id(path, attribute, outcome, kind, expected), first
    ) { $0.count += 1 }
  }
}

extension JSONPath {
  /// The components as in messages.
  static func text(of components: some RandomAccessCollection<Component>) -> String {
    var path = PathText()
    path.prepend(components)
    return path.text
  }
}

extension PayloadText {
  /// The kind of the value at an offset.
  func auditKind(at byteOffset: Int) -> Audit.Kind {
    var probe = JSONReader(input, depthLimit: 1, repairsUnicode: true)
    probe.rewind(to: byteOffset, depth: 0)
    switch probe.kind() {
    case .object: return .object
    case .array: return .array
    case .string: return .string
    case .bool: return .bool
    case .null, .invalid: return .null
    case .number:
      guard let text = try? probe.numberText(),
        text.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") })
      else { return .number }
      if text.count <= 18 { return .integer }
      return Int64(String(decoding: text, as: UTF8.self)) != nil ? .integer : .number
    }
  }
}
