import JSONText

/// Statistics of the objects at one path of a document: their members and candidate keys.
final class ObjectShape {
  /// The number of objects.
  private(set) var count = 0
  /// The offset of the first object in its file, in bytes.
  private(set) var firstOffset = Int.max
  private(set) var members: [Member] = []
  /// Indexes of `members` by UTF-8 bytes: canonically equivalent names are different members.
  private var indexByName: [[UInt8]: Int] = [:]
  /// The samples of members whose names suggest a key, in order of preference.
  private(set) var keys = KeySamples.names.map { KeySamples($0) }

  struct Member {
    fileprivate(set) var name: String
    fileprivate(set) var bytes: [UInt8]
    let shape: Shape
    /// The number of objects with this member.
    var count: Int
    /// Values that may be keys of other objects; nil unless the name has a suffix such as `_id` or `Ids`.
    var references: ReferenceSamples?
    /// The spellings of the name in other files.
    var aliases: [String] = []
  }

  /// The merged values of a map; nil if the objects are not maps.
  var mapValue: Shape? {
    guard isMap else { return nil }
    if let knownMapValue { return knownMapValue }
    let all = Shape()
    for member in members { all.merge(member.shape) }
    knownMapValue = all
    return all
  }
  /// Caches `mapValue`: nested shapes keep their identity until another object is read.
  private var knownMapValue: Shape?

  /// The number of objects without members.
  private(set) var emptyCount = 0

  /// The relation of the members' names to their objects; nil unless the notation of values is recorded.
  private(set) var names: MemberNameSamples?
  /// The keys of the last object read, by index of `KeySamples.names`.
  private var lastKeys: [(key: Int, value: Range<Int>)] = []

  /// Reads the next value, which must be an object.
  func read(_ reader: inout JSONReader, of batch: JSONSource.Batch) throws(JSONError) {
    reader.skipWhitespace()
    let input = batch.input
    let start = reader.byteOffset
    if count == 0 { firstOffset = batch.fileOffset + start }
    count += 1
    knownIsMap = nil
    var found: [(key: Int, value: Range<Int>)] = []
    var (content, memberCount) = (0, 0)
    if batch.notesValues, names == nil { names = MemberNameSamples() }
    if try reader.beginObject() {
      var expected = 0
      repeat {
        let index = index(of: try reader.key(), expected)
        expected = index + 1
        members[index].count += 1
        reader.skipWhitespace()
        let before = reader.byteOffset
        try members[index].shape.read(&reader, of: batch)
        if let key = KeySamples.names.firstIndex(of: members[index].name) {
          found.append((key, before..<reader.byteOffset))
        }
        if batch.notesKeys { try members[index].references?.note(batch, at: before) }
        if batch.notesValues, let object = members[index].shape.object,
          input.start[before] == UInt8(ascii: "{")
        {
          for (key, value) in object.lastKeys {
            names?.note(members[index].bytes, key: input.bytes(value), at: key)
          }
        }
        if batch.notesParts {
          memberCount += 1
          content ^= Self.hash(members[index].bytes, input.bytes(before..<reader.byteOffset))
        }
      } while try reader.objectContinues()
    } else {
      emptyCount += 1
    }
    let end = reader.byteOffset
    lastKeys = batch.notesValues ? found : []
    for (key, value) in found {
      if batch.notesKeys {
        keys[key].remember(input.bytes(value), at: batch.fileOffset + value.lowerBound)
      }
      keys[key].note(input.bytes(value), of: input.bytes(start..<end), inFile: batch.fileIndex)
      if batch.notesParts {
        keys[key].parts.note(input.bytes(value), content: memberCount == 1 ? nil : content)
      }
    }
  }

  /// Returns a hash of a member, independent of its position; 0 if the value is an object or an array.
  private static func hash(_ name: [UInt8], _ value: UnsafeRawBufferPointer) -> Int {
    if value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[") { return 0 }
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(bytes: value)
    return hasher.finalize()
  }

  /// Returns the index of a member. `expected`, the index after the previous member, is the most likely one.
  private func index(of key: JSONString, _ expected: Int) -> Int {
    if expected < members.count, members[expected].bytes.elementsEqual(key.bytes) {
      return expected
    }
    return index(named: Array(key.bytes))
  }

  private func index(named name: [UInt8]) -> Int {
    if let index = indexByName[name] { return index }
    indexByName[name] = members.count
    let text = String(decoding: name, as: UTF8.self)
    members.append(
      Member(
        name: text, bytes: name, shape: Shape(), count: 0,
        references: ClassNames.targets(of: text).isEmpty ? nil : ReferenceSamples()))
    return members.count - 1
  }

  /// Adds the statistics of another path.
  /// - Parameters:
  ///   - isOutlined: True for members whose objects are only counted.
  ///   - resolved: A function that returns the shape into which a nested shape was merged, or the shape itself.
  func merge(
    _ other: ObjectShape, outlining isOutlined: (String) -> Bool = { _ in false },
    resolving resolved: (ObjectShape) -> ObjectShape = { $0 }
  ) {
    addCounts(of: other)
    for member in other.members {
      let index = index(named: member.bytes)
      members[index].count += member.count
      members[index].shape.merge(
        member.shape, isOutlined: isOutlined(member.name), resolving: resolved)
      if let references = member.references { members[index].references?.merge(references) }
      members[index].aliases += member.aliases.filter { !members[index].aliases.contains($0) }
    }
    if let theirs = other.names {
      if names == nil { names = theirs } else { names?.merge(theirs) }
    }
    for index in keys.indices { keys[index].merge(other.keys[index]) }
  }

  /// Renames a member. The previous name becomes an alias. Precondition: no member has the new name.
  func rename(_ name: String, to newName: String) {
    guard let index = indexByName.removeValue(forKey: Array(name.utf8)) else { return }
    members[index].name = newName
    members[index].bytes = Array(newName.utf8)
    members[index].aliases.append(name)
    indexByName[members[index].bytes] = index
  }

  /// Adds the number of objects at another path, without their members.
  func addCounts(of other: ObjectShape) {
    knownMapValue = nil
    knownIsMap = nil
    count += other.count
    firstOffset = min(firstOffset, other.firstOffset)
    emptyCount += other.emptyCount
  }

  /// Subtracts objects that only repeat the key of another object.
  func leaveOut(_ partCount: Int) { count -= partCount }

  func copy() -> ObjectShape {
    let copy = ObjectShape()
    copy.merge(self)
    return copy
  }

  /// The key: a member that all objects have and whose values identify them. Nil if there is none.
  var key: String? {
    keys.first { sample in
      guard let member = self[sample.name], !sample.hasConflict else { return false }
      return isKey(member)
    }?.name
  }

  /// True if a member can be the primary key: all objects have it, as an integer or all as a string.
  func isKey(_ member: Member) -> Bool {
    let shape = member.shape
    return member.count == count && shape.count == count
      && (shape.integers == count || shape.strings == count)
  }

  subscript(name: String) -> Member? { indexByName[Array(name.utf8)].map { members[$0] } }

  /// True if the objects are maps rather than instances of a class.
  var isMap: Bool {
    if let knownIsMap { return knownIsMap }
    let isMap = findIsMap()
    knownIsMap = isMap
    return isMap
  }
  /// Caches `isMap`, so that merging nested shapes does not change it.
  private var knownIsMap: Bool?

  /// The only member of all objects, if its values are objects. Nil if the objects are not wrappers.
  var wrapped: Member? {
    guard members.count == 1, let member = members.first, member.count == count,
      member.shape.kindCount == 1, member.shape.nulls == 0, let object = member.shape.object,
      !object.isMap, !object.members.isEmpty
    else { return nil }
    return member
  }

  /// The first member that a class cannot have, because its name is empty, and the offset of its first value.
  var unusableMember: (problem: String, byteOffset: Int)? {
    members.first(where: \.name.isEmpty).map {
      (
        "a member with an empty name, which a class cannot have",
        $0.shape.firstOffsets.first() ?? firstOffset
      )
    }
  }

  /// True if the objects have little in common, so that they are kept as JSON.
  var isVaried: Bool {
    if members.isEmpty || unusableMember != nil { return true }
    let sum = members.reduce(0) { $0 + $1.count }
    return members.count >= 4 && sum * 2 < members.count * count
  }
}

extension JSONInput {
  /// Bytes of the input, valid as long as the input.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }
}
