import JSONText
import ObjectStore

// The comparison of unread members with those of the stored object, without building their value. A page that is decoded
// again costs a third of what it costs to build and merge its members.

extension ObjectReader {
  /// The maximum number of members of an object that are compared in any order.
  private static var comparedMemberLimit: Int { 64 }

  /// Returns a cell with the stored value if it consists of the recorded members of the current object, and nothing else;
  /// nil if it differs or may differ. Moves the reader.
  ///
  /// The bytes are those that building the value would produce.
  mutating func storedMembers(
    _ members: Range<Int>, of row: BatchRow, _ plan: CodingPlan, _ field: CodingField
  ) -> BatchCell? {
    // The reader would take repeated reading for duplicate keys.
    guard let store, configuration.duplicateKeys != .fail,
      members.count <= Self.comparedMemberLimit, !hasRecorded(.removal),
      // The same object may have been read before with an object in place of the array.
      !hasObjectsInPlaceOfArrays || !hasRecorded(.array),
      let bytes = store.storedBytes(field.attribute, of: row, plan.codingClass)
    else { return nil }
    var stored = StoredJSONReader(bytes, keepsNotation: true)
    var matched = 0
    skippableByteCount = 4 * bytes.count
    // An error is thrown again when the value is built.
    guard (try? isStored(plan.root, members, &stored, &matched)) == true,
      matched == members.count(where: { unreadMembers[$0].kind == .member })
    else { return nil }
    return batch.text(copying: bytes)
  }

  /// True if an object in the store has the recorded members of a node and of the nodes below it. A stored object has no
  /// name twice, so if all recorded members are found, none is a duplicate.
  ///
  /// - Parameter matched: The number of recorded members that were found.
  private mutating func isStored(
    _ node: PlanNode, _ members: Range<Int>, _ stored: inout StoredJSONReader, _ matched: inout Int
  ) throws(JSONError) -> Bool {
    guard case .object(let count) = stored.next() else { return false }
    for _ in 0..<count {
      guard let name = stored.key() else { return false }
      // The members are usually in the same order each time.
      let next = members.lowerBound + matched
      if next < members.upperBound, isRecorded(next, name, of: node) {
        guard try isRecordedValue(next, &stored) else { return false }
        matched += 1
      } else if let index = members.first(where: { isRecorded($0, name, of: node) }) {
        guard try isRecordedValue(index, &stored) else { return false }
        matched += 1
      } else {
        let first = matched
        guard let child = node.childNodes.first(where: { $0.name.hasSameBytes(as: name) })?.node,
          try isStored(child, members, &stored, &matched), matched > first
        else { return false }
      }
    }
    return true
  }

  /// True if a recorded member has a name and belongs to a node.
  private func isRecorded(
    _ index: Int, _ name: UnsafeRawBufferPointer, of node: PlanNode
  ) -> Bool {
    let member = unreadMembers[index]
    return member.kind == .member && member.isOf(node) && member.name.bytes.hasSameBytes(as: name)
  }

  /// Reads the value of a recorded member and the next stored value, and returns true if they are the same.
  private mutating func isRecordedValue(
    _ index: Int, _ stored: inout StoredJSONReader
  ) throws(JSONError) -> Bool {
    reader.rewind(to: unreadMembers[index].valueOffset, depth: unreadMembers[index].depth)
    return try isNext(&stored)
  }

  /// Reads the next value and the next stored one, and returns true if they are the same.
  private mutating func isNext(_ stored: inout StoredJSONReader) throws(JSONError) -> Bool {
    guard reader.depth < stackDepth else { return false }
    switch (stored.next(), reader.kind()) {
    case (.null, .null): return try reader.null()
    case (.bool(let value), .bool): return try reader.bool() == value
    case (.string(let text), .string):
      return UnsafeRawBufferPointer(try reader.string().bytes).hasSameBytes(as: text)
    case (.int(let value), .number):
      if case .int(let number) = try reader.writtenNumber() { return number == value }
      return false
    case (.double(let value), .number):
      if case .double(let number) = try reader.writtenNumber() {
        return number.bitPattern == value.bitPattern
      }
      return false
    case (.number(let text), .number):
      if case .text(let number) = try reader.writtenNumber() {
        return UnsafeRawBufferPointer(number).hasSameBytes(as: text)
      }
      return false
    case (.array(let count), .array):
      var rest = count
      guard try reader.beginArray() else { return count == 0 }
      repeat {
        rest -= 1
        guard rest >= 0, try isNext(&stored) else { return false }
      } while try reader.arrayContinues()
      return rest == 0
    case (.object(let count), .object): return try isNextObject(count, &stored)
    default: return false
    }
  }

  /// Reads the members of the next object, in any order, and those of a stored one. Of a member that is repeated, the last
  /// would count, so the objects may differ.
  private mutating func isNextObject(
    _ count: Int, _ stored: inout StoredJSONReader
  ) throws(JSONError) -> Bool {
    guard count <= Self.comparedMemberLimit else { return false }
    let first = stored
    var found: UInt64 = 0
    var next = 0
    guard try reader.beginObject() else { return count == 0 }
    repeat {
      let name = UnsafeRawBufferPointer(try reader.key().bytes)
      // The members are usually in the same order each time.
      var index = next
      var member = stored
      if index >= count || member.key().map({ $0.hasSameBytes(as: name) }) != true {
        member = first
        index = 0
        while index < count, let key = member.key(), !key.hasSameBytes(as: name) {
          guard skipsValue(of: &member) else { return false }
          index += 1
        }
        guard index < count else { return false }
      }
      guard found & 1 << UInt64(index) == 0, try isNext(&member) else { return false }
      found |= 1 << UInt64(index)
      next = index + 1
      stored = member
    } while try reader.objectContinues()
    guard found.nonzeroBitCount == count else { return false }
    // Moves to the end of the stored object.
    for _ in next..<count where stored.key() == nil || !skipsValue(of: &stored) { return false }
    return true
  }

  /// Skips a stored value. Returns false if it is invalid, or if so much was skipped that building the value costs less:
  /// members in another order at every level would otherwise be skipped once per level.
  private mutating func skipsValue(of stored: inout StoredJSONReader) -> Bool {
    guard let value = stored.value() else { return false }
    skippableByteCount -= value.count
    return skippableByteCount >= 0
  }
}
