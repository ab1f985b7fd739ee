extension StoreHandle {
  /// Applies all assignments to an existing row, or none if one is refused.
  func update(
    _ entry: ClassEntry, _ slot: Int, _ assignments: UnsafeBufferPointer<UntypedAssignment>
  ) throws -> UpdateOutcome {
    rowRecorder?.note(entry.table, slot)
    var areWords = true
    var assignsKey = entry.hasCompoundKey
    let keyAttribute = entry.keyColumn - entry.layout.firstAttribute
    // Access by index: copying an assignment retains two references.
    for index in assignments.indices {
      if try attribute(assignments[index].keyPath, entry) == keyAttribute { assignsKey = true }
      if case .word = assignments[index].change { continue }
      areWords = false
    }
    if assignsKey { try checkKey(entry, slot, assignments) }
    if areWords, assignments.count <= ChangedNames.Indexes.limit, entry.attributes.count < 256 {
      let indexes = try withWriter(entry.table) { transaction, writer in
        if writer.hasUseDate { transaction.noteUse(writer, slot) }
        var indexes = ChangedNames.Indexes()
        for index in assignments.indices {
          guard case .word(let bits) = assignments[index].change else { continue }
          let attribute = try attribute(assignments[index].keyPath, entry)
          writer.give(slot, attribute)
          if transaction.write(
            writer, slot, writer.firstAttribute + attribute, .word(bits), writesEqual: false)
          {
            indexes.add(attribute)
          }
        }
        return indexes
      }
      return indexes.isEmpty
        ? .unchanged : .updated(changedNames.names(indexes, of: entry))
    }
    var changed: [String] = []
    // A later assignment may build on an earlier one (`+=`), so they are written one by one.
    try write {
      let transaction = try writableTransaction()
      let writer = transaction.writer(entry.table)
      if writer.hasUseDate { transaction.noteUse(writer, slot) }
      try withBatch { batch in
        let export = _BatchExport(batch, for: self)
        for assignment in assignments {
          let cell = try cell(assignment, slot, entry, export)
          try applyExported(export)
          let transaction = try writableTransaction()
          let attribute = entry.attributes[try attribute(assignment.keyPath, entry)]
          if transaction.assign(
            cell, to: attribute, transaction.writer(entry.table), slot),
            !changed.contains(attribute.name)
          {
            changed.append(attribute.name)
          }
        }
      }
    }
    return changed.isEmpty ? .unchanged : .updated(changed)
  }

  /// Checks that assignments to the key and its parts do not change them.
  /// - Throws: `invalidKeyPath` for a value that differs.
  @inline(never)
  private func checkKey(
    _ entry: ClassEntry, _ slot: Int, _ assignments: UnsafeBufferPointer<UntypedAssignment>
  ) throws {
    let version = tableVersion(entry.table)
    let keyAttribute = entry.keyColumn - entry.layout.firstAttribute
    try withBatch { batch in
      let export = _BatchExport(batch, for: self)
      for assignment in assignments {
        let part = try attribute(assignment.keyPath, entry)
        guard part == keyAttribute || entry.schema.keyParts.contains(part) else { continue }
        let cell = try cell(assignment, slot, entry, export)
        let column = version.columns(slot)[entry.layout.firstAttribute + part]
        let row = slot & ChunkLayout.mask
        let isSame =
          entry.attributes[part].kind.isBytes
          ? column.textEquals(row, cell.bytes) : column.word(row) == cell.bits
        if !isSame { throw StoreError(.invalidKeyPath(entry.schema.keyAdvice(part))) }
      }
    }
  }

  func cell(
    _ assignment: UntypedAssignment, _ slot: Int?, _ entry: ClassEntry, _ export: _BatchExport
  ) throws -> _BatchCell {
    if case .word(let bits) = assignment.change { return .word(bits) }
    let attribute = entry.attributes[try attribute(assignment.keyPath, entry)]
    export.attribute = (entry.schema.className, attribute.property)
    switch assignment.change {
    case .word(let bits): return .word(bits)
    case .export(let body): return try body(export)
    case .deferred(let body): return try body(self, entry, slot, export)
    }
  }

  /// Adds the unmanaged objects that an assignment links to.
  private func applyExported(_ export: _BatchExport) throws {
    guard !export.instances.isEmpty else { return export.batch.forgetLinks() }
    try export.finish()
    try apply(export.batch, .error)
    attachInstances(of: export)
    export.removeInstances()
  }
}

extension Transaction {
  /// Notes the elements of an assigned list that were deleted locally, so that they return to it.
  func noteWithheldElements(
    _ elements: [(index: Int, tombstone: Int)], _ entry: ClassEntry, _ slot: Int, _ attribute: Int
  ) {
    let writer = writer(entry.table)
    let column = writer.firstAttribute + attribute
    var (source, row) = (writer, slot)
    if let base = writer.base, let baseSlot = liveBaseRow(writer, slot, base),
      self.writer(base.table).version.marks(baseSlot, base, attribute).contains(.edited)
    {
      (source, row) = (self.writer(base.table), baseSlot)
    }
    for element in elements {
      noteReference(from: source, row, column, .index(element.index), to: element.tombstone)
    }
    addWithheldReferences()
  }

  /// Writes a cell to an attribute; returns true if it changed. The server's value of an edited attribute goes to its base
  /// row.
  fileprivate func assign(
    _ cell: BatchCell, to attribute: StoredAttribute, _ writer: TableWriter, _ slot: Int
  ) -> Bool {
    if edits.phase.isApplying, let base = writer.base,
      let baseSlot = liveBaseRow(writer, slot, base),
      self.writer(base.table).version.marks(baseSlot, base, attribute.index).contains(.edited)
    {
      receive(cell, of: attribute.index, writer, slot, base, baseSlot)
      return false
    }
    writer.give(slot, attribute.index)
    return write(writer, slot, attribute.column, cell, writesEqual: false)
  }
}
