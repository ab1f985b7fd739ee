// Writing the elements of lists, sets and maps.
//
// A collection is a run of words in the element arena of its chunk's column. Appending goes in
// place past the length any version can see; every other edit leaves the run to older versions and
// works on a new one (TableWriter+Splicing.swift). R7.

extension TableWriter {
  /// Replaces the whole collection; false if it held exactly these elements already.
  @discardableResult
  func setElements(
    _ slot: Int, _ column: Int, count: Int, _ element: (Int) -> ElementValue
  ) -> Bool {
    let columnLayout = self.columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = columns(slot)[column]
    let run = current.run(row)
    // New texts may lie in the arena that the new run pushes out.
    let arena = columnLayout.hasText ? current.block._withUnsafeGuaranteedRef { $0.text } : nil
    defer { withExtendedLifetime(arena) {} }
    if Int(run.length) == count {
      var isEqual = true
      for index in 0..<count
      where !current.element(run, index, columnLayout).equals(element(index)) {
        isEqual = false
        break
      }
      if isEqual { return false }
    }
    storeElements(slot, column, columnLayout, count: count, element)
    noteChange(slot, column)
    return true
  }

  /// Writes a new run without comparing.
  func storeElements(
    _ slot: Int, _ column: Int, _ columnLayout: ColumnLayout, count: Int,
    _ element: (Int) -> ElementValue
  ) {
    let row = slot & ChunkLayout.mask
    var run = CollectionSlice.empty
    var target = writable(slot, column)
    noteReplaced(
      slot, column,
      byteCount: Int(target.pointee.run(row).length) * columnLayout.elementStride * 8)
    if count > 0 {
      var textBytes = 0
      if columnLayout.hasText {
        for index in 0..<count {
          let value = element(index)
          textBytes += value.bytes.count + value.key.count
        }
      }
      guard let room = room(slot, column, elements: count, textBytes: textBytes) else { return }
      target = room
      run = target.pointee.newRun(count: count, capacity: count, columnLayout)
      for index in 0..<count {
        target.pointee.storeElement(run, index, element(index), columnLayout)
      }
    }
    target.pointee.storeRun(run, row)
  }

  /// Appends elements to a list.
  func append(
    _ slot: Int, _ column: Int, _ columnLayout: ColumnLayout, _ values: ArraySlice<ElementValue>
  ) {
    let row = slot & ChunkLayout.mask
    let textBytes = columnLayout.hasText ? values.reduce(0) { $0 + $1.bytes.count } : 0
    var target = writable(slot, column)
    var run = target.pointee.runWithRoom(row)
    let length = Int(run.length) + values.count
    let hasRoom = length <= Int(run.capacity)
    if !hasRoom || textBytes > 0 && !target.pointee.hasTextRoom(textBytes) {
      let capacity = max(4, Int(run.length) * 2, length)
      guard
        let room = room(slot, column, elements: hasRoom ? 0 : capacity, textBytes: textBytes)
      else { return }
      target = room
      // More room may have moved it.
      run = target.pointee.runWithRoom(row)
      if !hasRoom {
        let old = run
        run = target.pointee.newRun(count: Int(old.length), capacity: capacity, columnLayout)
        target.pointee.copyElements(from: old, to: run, count: Int(old.length), columnLayout)
        ownRuns.insert(RowCollection(slot: slot, column: column))
      }
    }
    for (index, value) in values.enumerated() {
      target.pointee.storeElement(run, Int(run.length) + index, value, columnLayout)
    }
    run.length = UInt32(length)
    target.pointee.storeRun(run, row)
  }

  /// Before a rollback to `earlier` of writes that a frozen view looked into: lists appended to in
  /// place may hold what that view shows behind the length `earlier` knows. Its runs forget their
  /// room, so that the next append copies them.
  func forgetAppendRoom(_ earlier: TableVersion) {
    for (column, columnLayout) in layout.columns.enumerated()
    where columnLayout.kind == .collection && columnLayout.collection == .list {
      earlier.forEachChunk { slots in
        let cell = earlier.columns(slots.lowerBound)[column]
        // An append to a row that `earlier` has copied the column first.
        if cell.values == version.columns(slots.lowerBound)[column].values { return true }
        for row in 0..<slots.count {
          // Readers never look at the capacity, so this word may change under them.
          cell.values.storeBytes(
            of: cell.run(row).length,
            toByteOffset: row * CollectionSlice.byteCount + CollectionSlice.capacityOffset,
            as: UInt32.self)
        }
        return true
      }
    }
  }

  // MARK: - Room

  /// The column with room for a run of `elements` elements and `textBytes` bytes of text; nil, and
  /// the write fails, if no arena can hold that.
  func room(
    _ slot: Int, _ column: Int, elements: Int, textBytes: Int
  ) -> UnsafeMutablePointer<StorageColumn>? {
    let target = writable(slot, column)
    let columnLayout = self.columnLayout(column)
    if target.pointee.hasRoom(elements: elements, textBytes: textBytes, columnLayout) {
      return target
    }
    return rebuildArenas(
      slot, column, columnLayout, extraBytes: elements * columnLayout.elementStride * 8,
      textBytes: textBytes)
  }

  /// Fresh arenas with the live elements and texts of the column, and room for more.
  ///
  /// - Parameter shape: A run that gets other room than it had.
  @inline(never)
  func rebuildArenas(
    _ slot: Int, _ column: Int, _ columnLayout: ColumnLayout, extraBytes: Int, textBytes: Int,
    reshaping shape: RunShape? = nil
  ) -> UnsafeMutablePointer<StorageColumn>? {
    let target = ownedForGrowth(slot, column)
    let capacity = chunkCapacity(slot)
    let size = target.pointee.elementsSize(rows: capacity, withRoom: true, columnLayout)
    guard size.elements + extraBytes <= table.arenaLimits.elements,
      size.text + textBytes <= table.arenaLimits.text
    else {
      failure.note(StoreError(.collectionsTooLarge(attribute: layout.attributeName(column))))
      return nil
    }
    let hasElements = target.pointee.elements != nil
    let hint = hasElements ? (text: 0, elements: 0) : arenaHint(slot, column)
    target.pointee.packElements(
      into: Arena(
        capacity: max(256, hint.elements, (size.elements + extraBytes) * 2),
        limit: table.arenaLimits.elements),
      text: columnLayout.hasText
        ? Arena(
          capacity: max(128, hint.text, (size.text + textBytes) * 2),
          limit: table.arenaLimits.text)
        : nil,
      rows: capacity, keepsRoom: true, reshaping: shape, columnLayout)
    return target
  }
}
