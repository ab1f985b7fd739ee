// Merging two stored objects without creating their values.

/// The members of a stored object, in the order of their names.
struct JSONMembers {
  struct Member {
    let name: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer
  }

  private var reader: StoredJSONReader
  private var rest: Int

  /// Creates nil for a value that is not an object.
  init?(_ stored: UnsafeRawBufferPointer) {
    reader = StoredJSONReader(stored)
    guard case .object(let count) = reader.next() else { return nil }
    rest = count
  }

  /// Reads the next member; returns nil at the end and for invalid bytes.
  mutating func next() -> Member? {
    guard rest > 0, let name = reader.key(), let value = reader.value() else { return nil }
    rest -= 1
    return Member(name: name, value: value)
  }
}

/// A stored object that is being built from members in the order of their names.
struct MergedText {
  fileprivate(set) var bytes: [UInt8] = []
  /// The number of members, without those that are merged objects themselves.
  fileprivate(set) var memberCount = 0

  fileprivate mutating func count(_ count: Int) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian) {
      bytes.append(contentsOf: $0)
    }
  }

  fileprivate mutating func setCount(_ count: Int, at offset: Int) {
    let count = UInt32(truncatingIfNeeded: count).littleEndian
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: count, toByteOffset: offset, as: UInt32.self) }
  }

  fileprivate mutating func name(_ name: UnsafeRawBufferPointer) {
    bytes.append(StoredJSON.Tag.string.rawValue)
    count(name.count)
    bytes.append(contentsOf: name)
  }
}

extension MergedMembers.Node {
  /// Returns the stored object with the members of two objects: a member of `new` replaces that of `old`. A child that is
  /// null or empty is removed. The result is that of ``merge(_:)``.
  ///
  /// - Parameters:
  ///   - old: A stored object; nil if there is none.
  ///   - new: A stored object.
  /// - Complexity: O(*n*) in the size of the objects.
  func merged(_ old: UnsafeRawBufferPointer?, with new: UnsafeRawBufferPointer) -> MergedText {
    var text = MergedText()
    text.bytes.reserveCapacity((old?.count ?? 0) + new.count)
    appendMerged(old, new, to: &text)
    return text
  }

  /// Appends the merged object and returns the number of its members.
  @discardableResult
  private func appendMerged(
    _ old: UnsafeRawBufferPointer?, _ new: UnsafeRawBufferPointer?, to text: inout MergedText
  ) -> Int {
    var olds = old.flatMap { JSONMembers($0) }
    var news = new.flatMap { JSONMembers($0) }
    text.bytes.append(StoredJSON.Tag.object.rawValue)
    let countOffset = text.bytes.count
    text.count(0)
    var count = 0
    var (first, second) = (olds?.next(), news?.next())
    while let next = Self.lower(first, second) {
      let isOld = first?.name.hasSameBytes(as: next.name) ?? false
      let isNew = second?.name.hasSameBytes(as: next.name) ?? false
      if append(next.name, isOld ? first?.value : nil, isNew ? second?.value : nil, to: &text) {
        count += 1
      }
      if isOld { first = olds?.next() }
      if isNew { second = news?.next() }
    }
    text.setCount(count, at: countOffset)
    return count
  }

  private static func lower(
    _ first: JSONMembers.Member?, _ second: JSONMembers.Member?
  ) -> JSONMembers.Member? {
    guard let first, let second else { return first ?? second }
    return second.name.precedes(first.name) ? second : first
  }

  /// Appends a member; returns false if it is a child that is removed.
  private func append(
    _ name: UnsafeRawBufferPointer, _ old: UnsafeRawBufferPointer?, _ new: UnsafeRawBufferPointer?,
    to text: inout MergedText
  ) -> Bool {
    let child =
      children.isEmpty ? nil : children[ExactString(String(decoding: name, as: UTF8.self))]
    guard let child else {
      text.name(name)
      text.bytes.append(contentsOf: new ?? old ?? UnsafeRawBufferPointer(start: nil, count: 0))
      text.memberCount += 1
      return true
    }
    let start = text.bytes.count
    text.name(name)
    let (newObject, oldObject) = (new.flatMap { JSONMembers($0) }, old.flatMap { JSONMembers($0) })
    // A value that is not an object replaces an object, and an object replaces it.
    let isObject = new == nil ? oldObject != nil : newObject != nil
    if !isObject, let value = new ?? old, !StoredJSONReader.isNull(value) {
      text.bytes.append(contentsOf: value)
      text.memberCount += 1
      return true
    }
    if isObject, child.appendMerged(oldObject == nil ? nil : old, new, to: &text) > 0 {
      return true
    }
    text.bytes.removeLast(text.bytes.count - start)
    return false
  }
}
