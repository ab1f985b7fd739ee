// Writing the elements of lists, sets and maps.
//
// A collection is a slice of words in the element arena of its chunk's column. Appending writes in place past the
// length that any version can see. Most other edits work on a copy of the slice and leave the original to older
// versions (TableWriter+Splicing.swift). R7.

extension TableWriter {
  /// Replaces the whole collection; returns false if it already held exactly these elements.
  @discardableResult
  func setElements(
    _ slot: Int, _ column: Int, count: Int, _ element: (Int) -> ElementValue
  ) -> Bool {
    let columnLayout = self.columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = columns(slot)[column]
    let slice = current.slice(row)
    // Storing the elements may replace the arena that contains the new strings.
    let arena = columnLayout.hasBytes ? current.block._withUnsafeGuaranteedRef { $0.text } : nil
    defer { withExtendedLifetime(arena) {} }
    if Int(slice.length) == count {
      var isEqual = true
      for index in 0..<count
      where !current.element(slice, index, columnLayout).equals(element(index)) {
        isEqual = false
        break
      }
      if isEqual { return false }
    }
    storeElements(slot, column, columnLayout, count: count, element)
    noteChange(slot, column)
    return true
  }

  /// Stores the elements in a new slice without comparing them with the old ones.
  func storeElements(
    _ slot: Int, _ column: Int, _ columnLayout: ColumnLayout, count: Int,
    _ element: (Int) -> ElementValue
  ) {
    let row = slot & ChunkLayout.mask
    var slice = CollectionSlice.empty
    var target = writable(slot, column)
    noteReplaced(
      slot, column,
      byteCount: Int(target.pointee.slice(row).length) * columnLayout.elementStride * 8)
    if count > 0 {
      var textBytes = 0
      if columnLayout.hasBytes {
        for index in 0..<count {
          let value = element(index)
          textBytes += value.bytes.count + value.key.count
        }
      }
      guard let grown = ensureCapacity(slot, column, elements: count, textBytes: textBytes) else {
        return
      }
      target = grown
      slice = target.pointee.newSlice(count: count, capacity: count, columnLayout)
      for index in 0..<count {
        target.pointee.storeElement(slice, index, element(index), columnLayout)
      }
    }
    target.pointee.storeSlice(slice, row)
  }

  /// Appends elements to a list.
  func append(
    _ slot: Int, _ column: Int, _ columnLayout: ColumnLayout, _ values: ArraySlice<ElementValue>
  ) {
    let row = slot & ChunkLayout.mask
    let textBytes = columnLayout.hasBytes ? values.reduce(0) { $0 + $1.bytes.count } : 0
    var target = writable(slot, column)
    var slice = target.pointee.sliceWithCapacity(row)
    let length = Int(slice.length) + values.count
    let hasCapacity = length <= Int(slice.capacity)
    if !hasCapacity || textBytes > 0 && !target.pointee.hasTextCapacity(textBytes) {
      let capacity = max(4, Int(slice.length) * 2, length)
      guard
        let grown = ensureCapacity(
          slot, column, elements: hasCapacity ? 0 : capacity, textBytes: textBytes)
      else { return }
      target = grown
      // Allocating may have moved the slice.
      slice = target.pointee.sliceWithCapacity(row)
      if !hasCapacity {
        let old = slice
        slice = target.pointee.newSlice(count: Int(old.length), capacity: capacity, columnLayout)
        target.pointee.copyElements(from: old, to: slice, count: Int(old.length), columnLayout)
        ownSlices.insert(RowCollection(slot: slot, column: column))
      }
    }
    for (index, value) in values.enumerated() {
      target.pointee.storeElement(slice, Int(slice.length) + index, value, columnLayout)
    }
    slice.length = UInt32(length)
    target.pointee.storeSlice(slice, row)
  }

  /// Prepares a rollback to `earlier` of writes that a frozen view or a loop may still read. Lists that were appended
  /// to in place may hold elements past their length in `earlier` that such a reader shows. Clears the spare capacity
  /// of their slices in `earlier`, so that the next append copies them.
  func forgetAppendCapacity(_ earlier: TableVersion) {
    for (column, columnLayout) in layout.columns.enumerated()
    where columnLayout.kind == .collection && columnLayout.collection == .list {
      earlier.forEachChunk { slots in
        let earlierColumn = earlier.columns(slots.lowerBound)[column]
        // Nothing was appended: an append to a row of `earlier` copies the column first.
        if earlierColumn.values == version.columns(slots.lowerBound)[column].values { return true }
        for row in 0..<slots.count {
          // Readers never read the capacity, so this word may change concurrently.
          earlierColumn.values.storeBytes(
            of: earlierColumn.slice(row).length,
            toByteOffset: row * CollectionSlice.byteCount + CollectionSlice.capacityOffset,
            as: UInt32.self)
        }
        return true
      }
    }
  }

  // MARK: - Capacity

  /// Returns the column with capacity for a slice of `elements` elements and `textBytes` bytes of strings. If no arena
  /// can hold that, returns nil and the write fails.
  func ensureCapacity(
    _ slot: Int, _ column: Int, elements: Int, textBytes: Int
  ) -> UnsafeMutablePointer<StorageColumn>? {
    let target = writable(slot, column)
    let columnLayout = self.columnLayout(column)
    if target.pointee.hasCapacity(elements: elements, textBytes: textBytes, columnLayout) {
      return target
    }
    return rebuildArenas(
      slot, column, columnLayout, extraBytes: elements * columnLayout.elementStride * 8,
      textBytes: textBytes)
  }

  /// Moves the current elements of the column into a new arena with additional capacity, and their strings if the text
  /// arena lacks capacity. If they would exceed the limits, returns nil and the write fails.
  ///
  /// - Parameter shape: A slice that gets a different spare capacity.
  @inline(never)
  func rebuildArenas(
    _ slot: Int, _ column: Int, _ columnLayout: ColumnLayout, extraBytes: Int, textBytes: Int,
    reshaping shape: SliceShape? = nil
  ) -> UnsafeMutablePointer<StorageColumn>? {
    let target = ownedForGrowth(slot, column)
    let capacity = chunkCapacity(slot)
    let movesText = columnLayout.hasBytes && !target.pointee.hasTextCapacity(textBytes)
    let elements = target.pointee.elementsSize(rows: capacity, withCapacity: true, columnLayout)
    let text = movesText ? target.pointee.elementsTextSize(rows: capacity, columnLayout) : 0
    guard elements + extraBytes <= table.arenaLimits.elements,
      !movesText || text + textBytes <= table.arenaLimits.text
    else {
      failure.note(StoreError(.collectionsTooLarge(attribute: layout.attributeName(column))))
      return nil
    }
    let hasElements = target.pointee.elements != nil
    let hint = hasElements ? (text: 0, elements: 0) : arenaHint(slot, column)
    target.pointee.packElements(
      into: Arena(
        capacity: max(256, hint.elements, (elements + extraBytes) * 2),
        limit: table.arenaLimits.elements),
      text: movesText
        ? Arena(
          capacity: max(128, hint.text, (text + textBytes) * 2), limit: table.arenaLimits.text)
        : nil,
      rows: capacity, keepsCapacity: true, reshaping: shape, columnLayout)
    return target
  }
}
