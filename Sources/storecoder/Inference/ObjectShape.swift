import JSONText

/// What was seen of the objects at one place: their members, and whether one of these tells them apart.
final class ObjectShape {
  /// How many objects there were.
  private(set) var count = 0
  /// Where the first of them stands in its file.
  private(set) var firstPlace = Int.max
  private(set) var members: [Member] = []
  /// By bytes: two spellings of a letter are two names.
  private var placeByName: [[UInt8]: Int] = [:]
  /// What was seen under the names that keys have, best first.
  private(set) var keys = KeySamples.names.map { KeySamples($0) }

  struct Member {
    let name: String
    let bytes: [UInt8]
    let shape: Shape
    /// In how many objects it was.
    var count: Int
    /// What may be keys of other objects; nil if its name does not say so, or nobody asked.
    var references: ReferenceSamples?
  }

  /// What was seen under all keys of a map, as one; nil for what is no map.
  var mapValue: Shape? {
    guard isMap else { return nil }
    if let knownMapValue { return knownMapValue }
    let all = Shape()
    for member in members { all.merge(member.shape) }
    knownMapValue = all
    return all
  }
  /// Objects in it have one identity until more is seen.
  private var knownMapValue: Shape?

  /// How many of the objects had no member.
  private(set) var emptyCount = 0

  /// Reads the next value, which is an object.
  func read(_ reader: inout JSONReader, of batch: JSONSource.Batch) throws(JSONError) {
    reader.skipWhitespace()
    let input = batch.input
    let start = reader.byteOffset
    if count == 0 { firstPlace = batch.place + start }
    count += 1
    var found: [(key: Int, value: Range<Int>)] = []
    var (content, memberCount) = (0, 0)
    if try reader.beginObject() {
      var expected = 0
      repeat {
        let place = place(try reader.key(), expected)
        expected = place + 1
        members[place].count += 1
        reader.skipWhitespace()
        let before = reader.byteOffset
        try members[place].shape.read(&reader, of: batch)
        if let key = KeySamples.names.firstIndex(of: members[place].name) {
          found.append((key, before..<reader.byteOffset))
        }
        if batch.notesKeys { try members[place].references?.note(batch, at: before) }
        if batch.notesParts {
          memberCount += 1
          content ^= Self.hash(members[place].bytes, input.bytes(before..<reader.byteOffset))
        }
      } while try reader.objectContinues()
    } else {
      emptyCount += 1
    }
    let end = reader.byteOffset
    for (key, value) in found {
      if batch.notesKeys {
        keys[key].remember(input.bytes(value), at: batch.place + value.lowerBound)
      }
      keys[key].note(input.bytes(value), of: input.bytes(start..<end))
      if batch.notesParts {
        keys[key].parts.note(input.bytes(value), content: memberCount == 1 ? nil : content)
      }
    }
  }

  /// The same for a member wherever it stands; 0 if its value has values of its own.
  private static func hash(_ name: [UInt8], _ value: UnsafeRawBufferPointer) -> Int {
    if value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[") { return 0 }
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(bytes: value)
    return hasher.finalize()
  }

  /// The place of a member, which is often the one behind the last.
  private func place(_ key: JSONString, _ expected: Int) -> Int {
    if expected < members.count, members[expected].bytes.elementsEqual(key.bytes) {
      return expected
    }
    return place(named: Array(key.bytes))
  }

  private func place(named name: [UInt8]) -> Int {
    if let place = placeByName[name] { return place }
    placeByName[name] = members.count
    let text = String(decoding: name, as: UTF8.self)
    members.append(
      Member(
        name: text, bytes: name, shape: Shape(), count: 0,
        references: ClassNames.targets(of: text).isEmpty ? nil : ReferenceSamples()))
    return members.count - 1
  }

  /// Adds what another place saw.
  /// - Parameter isOutlined: The members whose objects are counted, and nothing else.
  func merge(_ other: ObjectShape, outlining isOutlined: (String) -> Bool = { _ in false }) {
    addCounts(of: other)
    for member in other.members {
      let place = place(named: member.bytes)
      members[place].count += member.count
      members[place].shape.merge(member.shape, isOutlined: isOutlined(member.name))
      if let references = member.references { members[place].references?.merge(references) }
    }
    for index in keys.indices { keys[index].merge(other.keys[index]) }
  }

  /// Adds how many another place saw, and not what they had.
  func addCounts(of other: ObjectShape) {
    knownMapValue = nil
    count += other.count
    firstPlace = min(firstPlace, other.firstPlace)
    emptyCount += other.emptyCount
  }

  /// Counts so many less: they were there in parts.
  func leaveOut(_ partCount: Int) { count -= partCount }

  func copy() -> ObjectShape {
    let copy = ObjectShape()
    copy.merge(self)
    return copy
  }

  /// The member that all objects have and none shares; nil if there is none.
  var key: String? {
    keys.first { sample in
      guard let member = self[sample.name], !sample.hasConflict else { return false }
      return isKey(member)
    }?.name
  }

  /// Whether a member can be a primary key: all objects have it, and it is an integer or a text.
  func isKey(_ member: Member) -> Bool {
    let shape = member.shape
    return member.count == count && shape.count == count
      && (shape.integers == count || shape.strings == count)
  }

  subscript(name: String) -> Member? { placeByName[Array(name.utf8)].map { members[$0] } }

  /// Whether its members are no attributes but keys of what stands behind them: numbers, or very many names
  /// of which an object has few.
  var isMap: Bool {
    if members.isEmpty { return false }
    if members.allSatisfy({ !$0.bytes.isEmpty && $0.bytes.allSatisfy { 0x30...0x39 ~= $0 } }) {
      return true
    }
    if members.count > 500 { return true }
    let mean = members.reduce(0) { $0 + $1.count } / max(1, count)
    return members.count > 100 && count > 2 && mean * 10 < members.count
  }

  /// The first member that no class can have, and the position of its first value: one without a name, or one
  /// whose name differs from another's only in the Unicode form of a letter.
  var unusableMember: (problem: String, place: Int)? {
    var names: Set<String> = []
    for member in members {
      let place = member.shape.places.first() ?? firstPlace
      if member.name.isEmpty { return ("a member without a name, which no class can have", place) }
      if !names.insert(member.name).inserted {
        return (
          "the name '\(member.name)' comes in two Unicode forms, and no class can have both", place
        )
      }
    }
    return nil
  }

  /// Whether its objects have little in common: then they are kept as the JSON they are.
  var isVaried: Bool {
    if members.isEmpty || unusableMember != nil { return true }
    let sum = members.reduce(0) { $0 + $1.count }
    return members.count >= 4 && sum * 2 < members.count * count
  }
}

extension JSONInput {
  /// Bytes of a text that was copied.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }
}

/// What was seen under a name that keys have: whether each value stood for one object alone.
struct KeySamples {
  static let names = ["id", "_id", "uuid", "guid", "identifier"]

  /// So many are remembered. Where there are more they are parts of their owners.
  static let limit = 1_000_000

  let name: String
  /// Hashes of objects, by hashes of their keys.
  private var contents: [Int: Int] = [:]
  /// Whether two different objects have one key.
  private(set) var hasConflict = false
  /// Where each key stands first in the file, by its hash, if they are remembered; nil if there are too many.
  private(set) var places: [Int: Int]? = [:]
  /// What tells whether objects stand in parts, if that was asked.
  var parts = PartSamples()

  init(_ name: String) {
    self.name = name
  }

  mutating func note(_ key: UnsafeRawBufferPointer, of object: UnsafeRawBufferPointer) {
    note(Self.hash(key), Self.hash(object))
  }

  /// Keeps a key whatever it stands for.
  mutating func remember(_ key: UnsafeRawBufferPointer, at place: Int) {
    let hash = Self.hash(key)
    if places?[hash] == nil { places?[hash] = place }
    if places?.count ?? 0 > Self.limit { places = nil }
  }

  private mutating func note(_ key: Int, _ content: Int) {
    if hasConflict { return }
    if let known = contents[key] {
      hasConflict = known != content
    } else {
      contents[key] = content
      hasConflict = contents.count > Self.limit
    }
    if hasConflict { contents = [:] }
  }

  mutating func merge(_ other: KeySamples) {
    hasConflict = hasConflict || other.hasConflict
    parts.merge(other.parts)
    if let theirs = other.places {
      places?.merge(theirs) { min($0, $1) }
    } else {
      places = nil
    }
    for (key, content) in other.contents { note(key, content) }
    if hasConflict { contents = [:] }
  }

  static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return hasher.finalize()
  }
}
