import JSONText
import ObjectStore

// Attributes with several paths: the value at the first path that is present is read after the other members of the
// object, because its members have any order.

/// A place at which an attribute with aliases was found.
struct AliasRead {
  /// The offset of the object that has the attribute.
  let objectOffset: Int
  let field: Unmanaged<CodingField>
  /// The index of the path among those of the field. The value at the lowest one is read; 0 was already read.
  let rank: Int
  let byteOffset: Int
  let depth: Int

  /// The rank of the null in place of an object along the field's own path. It applies if no path is present.
  static let nullParent = Int.max
}

extension PayloadDecoder {
  /// Records that the attribute was found at its own path.
  mutating func noteOwnPath(of field: CodingField, _ row: BatchRow) {
    note(field, rank: 0, row)
  }

  /// Records the value of an alias and skips it.
  @inline(never)
  mutating func note(_ alias: AliasedField, _ row: BatchRow) throws {
    note(alias.field, rank: alias.rank, row)
    try skip()
  }

  /// Records a null in place of an object along the attribute's own path and skips it.
  mutating func noteNullParent(of field: CodingField, _ row: BatchRow) throws {
    note(field, rank: AliasRead.nullParent, row)
    try skip()
  }

  private mutating func note(_ field: CodingField, rank: Int, _ row: BatchRow) {
    reader.skipWhitespace()
    aliasReads.append(
      AliasRead(
        objectOffset: row.source, field: .passUnretained(field), rank: rank,
        byteOffset: reader.byteOffset,
        depth: reader.depth))
  }

  /// Forgets what was found below a key that occurs again.
  mutating func forgetAliases(of node: PlanNode, _ row: BatchRow) {
    let (fields, aliases) = (node.fields, node.aliases)
    aliasReads.removeAll { read in
      read.objectOffset == row.source
        && read.field._withUnsafeGuaranteedRef { field in
          (read.rank == 0 || read.rank == AliasRead.nullParent) && fields.contains { $0 === field }
            || aliases.contains { $0.field === field && $0.rank == read.rank }
        }
    }
  }

  /// Reads the attributes of an object, whose members were read, that were found at an alias only.
  ///
  /// - Parameter first: The index of the first place that belongs to the object.
  @inline(never)
  mutating func readAliases(
    from first: Int, _ row: BatchRow, _ plan: CodingPlan, _ failure: inout Failure?
  ) throws {
    var reads: [AliasRead] = []
    for read in aliasReads[first...] {
      let known = reads.firstIndex { $0.field.toOpaque() == read.field.toOpaque() }
      if let known {
        // The last value of a duplicate key is read.
        if read.rank <= reads[known].rank { reads[known] = read }
      } else {
        reads.append(read)
      }
    }
    aliasReads.removeSubrange(first...)
    let (end, depth) = (reader.byteOffset, reader.depth)
    for read in reads where read.rank > 0 {
      try read.field._withUnsafeGuaranteedRef { try readAlias(read, of: $0, row, plan, &failure) }
    }
    reader.rewind(to: end, depth: depth)
  }

  private mutating func readAlias(
    _ read: AliasRead, of field: CodingField, _ row: BatchRow, _ plan: CodingPlan,
    _ failure: inout Failure?
  ) throws {
    let isAlias = read.rank != AliasRead.nullParent
    let components = (isAlias ? field.aliases[read.rank - 1] : field.path).components
    reader.rewind(to: read.byteOffset, depth: read.depth)
    let issueCount = issues.count
    do {
      try attribute(field, row, plan)
      guard issues.count > issueCount else { return }
      for component in components.reversed() { issues.label(from: issueCount, component) }
    } catch {
      var located: StoreCodingError
      switch error {
      case let error as StoreCodingError: located = error
      case let error as JSONError: located = valueError(error, field, isElement: false)
      default: throw error
      }
      located.resolvePolicy(field)
      located.prepend(components)
      // The rank follows those of all keys of the object.
      try record(
        located, rank: plan.root.members.count + field.attribute, from: read.byteOffset,
        depth: read.depth, in: &failure)
    }
  }
}
