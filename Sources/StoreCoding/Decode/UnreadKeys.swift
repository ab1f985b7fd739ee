import JSONText
import ObjectStore

/// A key in the objects of a payload that no attribute reads.
package struct UnreadKey: Sendable {
  /// The path from the decoded object, without indices: `friends.nick`.
  package let path: String
  /// The path of the first occurrence: `users[3].friends[0].nick`.
  package let location: String
  /// A description of the first value: `string "Jo"`.
  package let found: String
}

/// Walks a payload along its plan and collects the keys that the plan does not contain.
struct UnreadKeys: ~Copyable {
  private var reader: JSONReader
  private let text: PayloadText
  private var components: [JSONPath.Component] = []
  /// The number of components that lead to the decoded objects.
  private var topCount = 0
  private var seen: Set<String> = []
  private(set) var found: [UnreadKey] = []

  init(_ text: PayloadText, depthLimit: Int, repairsUnicode: Bool) {
    self.text = text
    reader = JSONReader(text.input, depthLimit: depthLimit, repairsUnicode: repairsUnicode)
  }

  /// - Parameter elementPath: The path from each element to its object.
  mutating func list(
    _ envelope: ArraySlice<JSONPath.Component>, _ elementPath: ArraySlice<JSONPath.Component>,
    _ node: PlanNode
  ) throws {
    guard let component = envelope.first else {
      topCount = components.count + 1 + elementPath.count
      try elements { try $0.part(elementPath, node, recordsOthers: false) }
      return
    }
    let rest = envelope.dropFirst()
    if reader.kind() == .array {
      try elements { walk in
        if walk.components.last == component {
          try walk.list(rest, elementPath, node)
        } else {
          try walk.reader.skipValue()
        }
      }
    } else {
      try members { walk, key in
        if key.elementsEqual(component.key.utf8) {
          try walk.list(rest, elementPath, node)
        } else {
          try walk.reader.skipValue()
        }
      }
    }
  }

  private mutating func object(_ node: PlanNode) throws {
    try members { walk, key in
      let index = node.keys.index(of: key)
      if index < 0 {
        try walk.record()
      } else {
        try walk.member(node.members[index])
      }
    }
  }

  private mutating func member(_ member: PlanNode.Member) throws {
    switch (member, reader.kind()) {
    case (.node(let node), .object):
      try object(node)
    case (.node(let node), .array):
      try elements { walk in
        let index = walk.components.last?.index
        if let position = node.indices.firstIndex(where: { $0 == index }) {
          try walk.member(node.members[position])
        } else {
          try walk.reader.skipValue()
        }
      }
    case (.field, let kind), (.alias, let kind):
      guard let field = member.field, field.raw == nil else { return try reader.skipValue() }
      var path = field.path
      if case .alias(let alias) = member { path = alias.path }
      if let path = path.elementPath, !path.isEmpty, kind == .array || field.acceptsSingleValue {
        guard kind == .array else { return try part(path[...], field.target?.root) }
        return try elements { try $0.part(path[...], field.target?.root) }
      }
      guard let node = field.target?.root else { return try reader.skipValue() }
      switch (field.form, kind) {
      case (.link, .object): try object(node)
      case (.list, .object) where field.isKeyed, (.set, .object) where field.isKeyed:
        try members { walk, _ in try walk.object(node) }
      case (.list, .object) where field.acceptsSingleValue,
        (.set, .object) where field.acceptsSingleValue:
        try object(node)
      case (.list, .array), (.set, .array): try elements { try $0.object(node) }
      case (.map, .object): try members { walk, _ in try walk.object(node) }
      default: try reader.skipValue()
      }
    default: try reader.skipValue()
    }
  }

  /// Walks to the part of an element that contains its value. A nil node means a value without attributes.
  ///
  /// - Parameter recordsOthers: True to record the other members along the path.
  private mutating func part(
    _ path: ArraySlice<JSONPath.Component>, _ node: PlanNode?, recordsOthers: Bool = true
  ) throws {
    guard let component = path.first else {
      guard let node else { return try reader.skipValue() }
      return try object(node)
    }
    let rest = path.dropFirst()
    if reader.kind() == .array {
      try elements { walk in
        if walk.components.last == component {
          try walk.part(rest, node, recordsOthers: recordsOthers)
        } else {
          try walk.reader.skipValue()
        }
      }
    } else {
      try members { walk, key in
        if key.elementsEqual(component.key.utf8) {
          try walk.part(rest, node, recordsOthers: recordsOthers)
        } else if recordsOthers {
          try walk.record()
        } else {
          try walk.reader.skipValue()
        }
      }
    }
  }

  // MARK: - Walking

  /// Runs `body` at the value of each member. Skips a value that is not an object.
  private mutating func members(
    _ body: (inout UnreadKeys, UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    guard reader.kind() == .object else { return try reader.skipValue() }
    guard try reader.beginObject() else { return }
    repeat {
      let key = try reader.key()
      components.append(.key(key.string))
      try body(&self, key.bytes)
      components.removeLast()
    } while try reader.objectContinues()
  }

  /// Runs `body` at each element. Skips a value that is not an array.
  private mutating func elements(_ body: (inout UnreadKeys) throws -> Void) throws {
    guard reader.kind() == .array else { return try reader.skipValue() }
    guard try reader.beginArray() else { return }
    var index = 0
    repeat {
      components.append(.index(index))
      try body(&self)
      components.removeLast()
      index += 1
    } while try reader.arrayContinues()
  }

  /// Records the key of the next value and skips the value.
  private mutating func record() throws {
    let keys = components[topCount...].filter { $0.index == nil }
    let path = Self.text(keys)
    if seen.insert(path).inserted {
      found.append(
        UnreadKey(
          path: path, location: Self.text(components),
          found: text.describeValue(at: reader.byteOffset)))
    }
    try reader.skipValue()
  }

  private static func text(_ components: some RandomAccessCollection<JSONPath.Component>) -> String
  {
    var path = PathText()
    path.prepend(components)
    return path.text
  }
}
