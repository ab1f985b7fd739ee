/// Builds the stored form of a JSON value, piece by piece in document order.
///
/// The form is the store's own, not JSON text. A value begins with a tag byte:
///
///     n f t          null, false, true
///     i <8 bytes>    integer, little endian
///     d <8 bytes>    double, the bits little endian
///     N s <4-byte count> <UTF-8>     number text, string
///     a <4-byte count> <values>      array
///     o <4-byte count> <string value>…   object, keys sorted by their bytes, each once
///
/// A number is stored as text if it is neither an integer nor a double, or has a notation of its own: 0.40 and 1e2 are
/// texts, 0.4 and 100.0 are doubles. Values with the same notations are equal if and only if their bytes are; see
/// ``StoredJSONReader/areEqual(_:_:)``. Elements of collections have no notations of their own.
///
/// Members are appended in document order. Objects with unsorted keys are recorded, and all of them are sorted in a
/// single copy at the end, so that each byte moves only once, whatever the depth.
package struct StoredJSON {
  /// The maximum nesting depth of decoded values. Values are deallocated recursively, possibly on a small stack.
  package static let depthLimit = 512

  enum Tag: UInt8 {
    case null = 0x6E, no = 0x66, yes = 0x74, int = 0x69, double = 0x64, number = 0x4E
    case string = 0x73, array = 0x61, object = 0x6F
  }

  private var bytes: [UInt8] = []
  /// The members of objects that have not ended.
  private var open: [Member] = []
  /// All objects in document order, except those that have sorted keys at every level.
  private var objects: [Placed] = []
  /// The sorted members of the objects whose keys were not in order, without duplicates.
  private var ordered: [Member] = []

  private struct Member {
    var start: Int
    /// The index in `objects` of the first object that may be inside the member.
    var object: Int
    /// The offset of the next member.
    var end = 0
  }

  private struct Placed {
    var start: Int
    var end = 0
    /// The index in `objects` of the first object after this one and those inside it.
    var next = 0
    /// The range of its members in `ordered`; nil if they are already sorted.
    var members: Range<Int>?
  }

  /// An object that has begun, as needed to end it.
  package struct Object {
    fileprivate let start: Int
    fileprivate let place: Int
    fileprivate let firstMember: Int
  }

  package init() {}

  /// Removes the value but keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    ordered.removeAll(keepingCapacity: true)
  }

  // MARK: - Pieces

  package mutating func null() { bytes.append(Tag.null.rawValue) }

  package mutating func bool(_ value: Bool) {
    bytes.append(value ? Tag.yes.rawValue : Tag.no.rawValue)
  }

  package mutating func int(_ value: Int64) { append(.int, UInt64(bitPattern: value)) }

  package mutating func double(_ value: Double) { append(.double, value.bitPattern) }

  /// Appends a number as its text.
  package mutating func number(_ text: UnsafeRawBufferPointer) { append(.number, text) }

  package mutating func string(_ text: UnsafeRawBufferPointer) { append(.string, text) }

  /// - Returns: The argument for ``endArray(_:count:)``.
  package mutating func beginArray() -> Int {
    append(.array, count: 0)
    return bytes.count
  }

  package mutating func endArray(_ array: Int, count: Int) { setCount(count, at: array - 4) }

  package mutating func beginObject() -> Object {
    let object = Object(start: bytes.count, place: objects.count, firstMember: open.count)
    objects.append(Placed(start: bytes.count))
    append(.object, count: 0)
    return object
  }

  /// Appends the key of the innermost object's next member. Its value must follow.
  package mutating func key(_ text: UnsafeRawBufferPointer) {
    open.append(Member(start: bytes.count, object: objects.count))
    append(.string, text)
  }

  /// - Returns: All keys in document order if any was repeated, in which case its last value counts; otherwise nil.
  @discardableResult
  package mutating func endObject(_ object: Object) -> [[UInt8]]? {
    let count = open.count - object.firstMember
    defer { open.removeLast(count) }
    for index in object.firstMember..<open.count {
      open[index].end = index + 1 < open.count ? open[index + 1].start : bytes.count
    }
    guard !isInOrder(from: object.firstMember) else {
      setCount(count, at: object.start + 1)
      if objects.count == object.place + 1 {
        objects.removeLast()
      } else {
        objects[object.place].end = bytes.count
        objects[object.place].next = objects.count
      }
      return nil
    }
    let first = ordered.count
    bytes.withUnsafeBytes { bytes in
      PlacedText.withSorted(count, { Self.key(open[object.firstMember + $0], bytes) }) { keys in
        for (index, key) in keys.enumerated() {
          if index > 0, keys[index - 1].equals(key) { ordered.removeLast() }
          ordered.append(open[object.firstMember + Int(key.position)])
        }
      }
    }
    setCount(ordered.count - first, at: object.start + 1)
    objects[object.place].end = bytes.count
    objects[object.place].next = objects.count
    objects[object.place].members = first..<ordered.count
    guard ordered.count - first < count else { return nil }
    return (0..<count).map { key($0, of: object) }
  }

  /// Returns the key of a member of an object that has not ended.
  package func key(_ index: Int, of object: Object) -> [UInt8] {
    bytes.withUnsafeBytes { Array(Self.key(open[object.firstMember + index], $0)) }
  }

  // MARK: - Result

  /// Calls `body` with the complete value. The bytes are valid during the call.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    guard !ordered.isEmpty else { return try bytes.withUnsafeBytes(body) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    bytes.withUnsafeBytes { copy($0, 0..<$0.count, from: 0, into: &result) }
    return try result.withUnsafeBytes(body)
  }

  /// Copies a part of the bytes with its objects sorted. `first` is the index in `objects` of the first object in that
  /// part.
  private func copy(
    _ bytes: UnsafeRawBufferPointer, _ part: Range<Int>, from first: Int, into result: inout [UInt8]
  ) {
    var place = part.lowerBound
    var index = first
    while index < objects.count, objects[index].start < part.upperBound {
      let object = objects[index]
      guard let members = object.members else {
        index += 1
        continue
      }
      let body = object.start + 5
      result.append(contentsOf: bytes[place..<body])
      for member in ordered[members] {
        copy(bytes, member.start..<member.end, from: member.object, into: &result)
      }
      place = object.end
      index = object.next
    }
    result.append(contentsOf: bytes[place..<part.upperBound])
  }

  // MARK: - Sorting

  private func isInOrder(from first: Int) -> Bool {
    guard open.count - first > 1 else { return true }
    return bytes.withUnsafeBytes { bytes in
      var previous = Self.key(open[first], bytes)
      for member in open[(first + 1)...] {
        let key = Self.key(member, bytes)
        guard previous.precedes(key) else { return false }
        previous = key
      }
      return true
    }
  }

  private static func key(
    _ member: Member, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    var reader = StoredJSONReader(UnsafeRawBufferPointer(rebasing: bytes[member.start...]))
    return reader.key() ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  // MARK: - Bytes

  private mutating func append(_ tag: Tag, _ word: UInt64) {
    bytes.append(tag.rawValue)
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ tag: Tag, count: Int) {
    bytes.append(tag.rawValue)
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian) {
      bytes.append(contentsOf: $0)
    }
  }

  private mutating func append(_ tag: Tag, _ text: UnsafeRawBufferPointer) {
    append(tag, count: text.count)
    bytes.append(contentsOf: text)
  }

  private mutating func setCount(_ count: Int, at offset: Int) {
    let count = UInt32(truncatingIfNeeded: count).littleEndian
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: count, toByteOffset: offset, as: UInt32.self) }
  }
}
