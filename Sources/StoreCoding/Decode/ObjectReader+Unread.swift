import JSONText
import ObjectStore

// The members that no attribute reads, for classes with an attribute that keeps them. Each is skipped first and read
// when its object has ended, because the buffer for JSON values holds one value at a time.

extension ObjectReader {
  /// Skips the value of the last key, which is unknown to `node`, and records the member.
  @inline(never)
  mutating func unreadMember(of node: PlanNode) throws {
    let name = UnsafeRawBufferPointer(reader.lastKey)
    let payload = UnsafeRawBufferPointer(start: input.start, count: input.count)
    // An unescaped key is in a buffer that the next one overwrites.
    let inPlace = name.baseAddress.flatMap { payload.contains($0) ? $0 : nil }
    let member = UnreadMember(
      name: inPlace.map { .text($0, name.count) } ?? batch.text(copying: name),
      keyOffset: reader.lastKeyOffset, valueOffset: reader.byteOffset, depth: reader.depth,
      node: node)
    try skipMember()
    unreadMembers.append(member)
  }

  /// Discards the recorded members of an object along a path, because a duplicate replaces it.
  mutating func discardUnreadMembers(of node: PlanNode) {
    guard unreadMembers.count > firstUnreadMember else { return }
    unreadMembers.append(UnreadMember(.discard, node))
  }

  /// Removes the stored members of an object along a path, because null or an array is in its place.
  ///
  /// - Parameter mark: `removal` or `array`.
  mutating func removeUnreadMembers(
    of node: PlanNode, _ mark: UnreadMember.Kind, _ plan: CodingPlan
  ) {
    // An object without a key is replaced as a whole.
    guard plan.unreadField != nil, plan.keyAttribute >= 0 else { return }
    unreadMembers.append(UnreadMember(mark, node))
  }

  /// Removes the recorded members of the current object, which has ended.
  ///
  /// - Parameter outer: The index of the first member of the enclosing object.
  @inline(never)
  mutating func endUnreadMembers(_ outer: Int) {
    while unreadMembers.count > firstUnreadMember { unreadMembers.removeLast() }
    firstUnreadMember = outer
  }

  /// True if a mark or member of this kind is recorded for the current object.
  func hasRecorded(_ kind: UnreadMember.Kind) -> Bool {
    // Indexing retains nothing, unlike a slice.
    (firstUnreadMember..<unreadMembers.count).contains { unreadMembers[$0].kind == kind }
  }

  /// Removes the recorded members of the current object that a mark discards, and these marks.
  private mutating func discardMarkedMembers() {
    let recorded = unreadMembers[firstUnreadMember...]
    var kept: [UnreadMember] = []
    var replaced: [PlanNode] = []
    for member in recorded.reversed() {
      if replaced.contains(where: member.isBelow) { continue }
      if member.kind == .discard {
        replaced.append(member.node.takeUnretainedValue())
      } else {
        kept.append(member)
      }
    }
    unreadMembers.replaceSubrange(firstUnreadMember..., with: kept.reversed())
  }

  /// Writes the recorded members of an object that was read to its end into the attribute that keeps them.
  ///
  /// - Parameter isWhole: True if the members replace those of earlier payloads.
  @inline(never)
  mutating func keepUnreadMembers(of row: BatchRow, _ plan: CodingPlan, isWhole: Bool) throws {
    guard let field = plan.unreadField, let merged = plan.mergedMembers else { return }
    if hasRecorded(.discard) { discardMarkedMembers() }
    if isWhole {
      let recorded = unreadMembers[firstUnreadMember...].filter { !$0.isRemoval }
      unreadMembers.replaceSubrange(firstUnreadMember..., with: recorded)
    }
    let members = firstUnreadMember..<unreadMembers.count
    if members.isEmpty {
      if isWhole {
        try plan.codingClass.assignMissing(
          field.attribute, to: row, in: batch, keepsGiven: true)
      }
      return
    }
    if let limit = limits.unreadMemberCount, members.count > limit {
      let count = distinctMemberCount(members)
      if count > limit {
        throw error(
          .limitExceeded, attribute: field.fullName, expected: "\(limit) unread members",
          found: "\(count)", at: row.source)
      }
    }
    let (end, depth) = (reader.byteOffset, reader.depth)
    let stored = isWhole ? nil : storedMembers(members, of: row, plan, field)
    var cell =
      try stored
      ?? unreadValue(members, of: row, plan, field, depthLimit: depth + JSONValue.depthLimit)
    reader.rewind(to: end, depth: depth)
    cell.mergesMembers = !isWhole
    cell.removesMembers = stored == nil && (hasRecorded(.removal) || hasRecorded(.array))
    row[field.attribute] = cell
    batch.setMergedMembers(merged, ofTable: row.table, limit: limits.unreadMemberCount)
  }

  /// The number of recorded members with different names or at different nodes. Marks of removed objects are no members.
  private func distinctMemberCount(_ members: Range<Int>) -> Int {
    var names: [UnsafeRawPointer: Set<[UInt8]>] = [:]
    for member in unreadMembers[members] where member.kind == .member {
      names[member.node.toOpaque(), default: []].insert(Array(member.name.bytes))
    }
    return names.values.reduce(0) { $0 + $1.count }
  }

  /// Builds the value of the recorded members of the current object. Moves the reader.
  private mutating func unreadValue(
    _ members: Range<Int>, of row: BatchRow, _ plan: CodingPlan, _ field: CodingField,
    depthLimit: Int
  ) throws -> BatchCell {
    json.removeAll()
    do {
      try unreadObject(plan.root, members, field, depthLimit: depthLimit)
    } catch let error as JSONError {
      throw syntax(error)
    }
    return try json.withBytes { bytes in
      guard bytes.count < BatchExport.sizeLimit else {
        throw error(
          .outOfRange, attribute: field.fullName, expected: field.expected(),
          found: "a value of 16 MiB or more", at: row.source)
      }
      return batch.text(copying: bytes)
    }
  }

  /// Appends an object with the members of a node, and those of the nodes below it, to `json`. Removed objects are null.
  ///
  /// - Parameter members: The range of `unreadMembers` that contains them.
  private mutating func unreadObject(
    _ node: PlanNode, _ members: Range<Int>, _ field: CodingField, depthLimit: Int
  ) throws {
    let object = json.beginObject()
    var issueRanges: IssueRanges?
    var count = 0
    for index in members {
      let member = unreadMembers[index]
      guard member.kind == .member, member.isOf(node) else { continue }
      json.key(member.name.bytes)
      reader.rewind(to: member.valueOffset, depth: member.depth)
      let issueCount = issues.count
      do {
        try jsonValue(field, depthLimit: depthLimit)
      } catch {
        throw prefixed(error, .key(String(decoding: member.name.bytes, as: UTF8.self)))
      }
      if issues.count > issueCount {
        issues.label(
          from: issueCount, .key(String(decoding: member.name.bytes, as: UTF8.self)))
        issueRanges = issueRanges ?? [:]
        issueRanges?[count] = issueCount..<issues.count
      }
      count += 1
    }
    for (name, child) in node.childNodes
    where unreadMembers[members].contains(where: { $0.isBelow(child) }) {
      var name = name
      name.withUTF8 { json.key(UnsafeRawBufferPointer($0)) }
      if unreadMembers[members].contains(where: { $0.isRemoval && $0.isOf(child) }) {
        json.null()
        continue
      }
      let issueCount = issues.count
      do {
        try unreadObject(child, members, field, depthLimit: depthLimit)
      } catch {
        throw prefixed(error, .key(name))
      }
      if issues.count > issueCount { issues.label(from: issueCount, .key(name)) }
    }
    if let keys = json.endObject(object) {
      // The names of child nodes are not repeated.
      let own = unreadMembers[members].filter { $0.kind == .member && $0.isOf(node) }
      let offsets =
        own.map(\.keyOffset) + Array(repeating: 0, count: max(0, keys.count - count))
      _ = recordDuplicates(offsets[...], issueRanges, field, key: { keys[$0] })
    }
  }
}

extension UnsafeRawBufferPointer {
  /// True if an address is inside the buffer.
  fileprivate func contains(_ address: UnsafeRawPointer) -> Bool {
    guard let baseAddress else { return false }
    return address >= baseAddress && address < baseAddress + count
  }
}
