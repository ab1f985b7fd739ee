// Writing the elements of lists, sets and maps.
//
// A collection is a run of words in the element arena of its chunk's column. Appending goes in
// place past the length any version can see; every other edit leaves the run to older versions and
// works on a new one (TableWriter+Splicing.swift). R7.

/// An element on its way into a collection: a word (or target slot + 1), or text bytes.
struct ElementValue {
  var word: UInt64 = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  var isNull = false
  /// A map's key.
  var key = UnsafeRawBufferPointer(start: nil, count: 0)
}

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
    // The new elements may lie in the arena that the new run pushes out.
    let arena = current.block._withUnsafeGuaranteedRef { $0.text }
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
    var run = CollectionRun.empty
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
            toByteOffset: row * CollectionRun.byteCount + CollectionRun.capacityOffset,
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

// MARK: - Elements in their arena

extension ElementValue {
  func equals(_ other: ElementValue) -> Bool {
    word == other.word && isNull == other.isNull && bytes.hasSameBytes(as: other.bytes)
      && key.hasSameBytes(as: other.key)
  }
}

extension StorageColumn {
  @inline(__always)
  func storeRun(_ run: CollectionRun, _ row: Int) {
    values.storeBytes(
      of: run, toByteOffset: row &* CollectionRun.byteCount, as: CollectionRun.self)
  }

  /// Whether the arenas have room for so many more elements and bytes of text.
  func hasRoom(elements count: Int, textBytes: Int, _ layout: ColumnLayout) -> Bool {
    block._withUnsafeGuaranteedRef {
      ($0.elements?.hasRoom(count * layout.elementStride * 8) ?? false)
        && (textBytes == 0 || $0.text?.hasRoom(textBytes) ?? false)
    }
  }

  /// A run at the end of the element arena, which has room.
  func newRun(
    count: Int, capacity: Int, front: Int = 0, _ layout: ColumnLayout
  ) -> CollectionRun {
    block._withUnsafeGuaranteedRef { block in
      let arena = block.elements.unsafelyUnwrapped
      let offset = arena.used / 8 + front * layout.elementStride
      arena.used += (front + capacity) * layout.elementStride * 8
      return CollectionRun(offset: offset, length: count, capacity: capacity, front: front)
    }
  }

  /// - Parameter keepsKey: Whether the key that stands there is the value's.
  func storeElement(
    _ run: CollectionRun, _ index: Int, _ value: ElementValue, _ layout: ColumnLayout,
    keepsKey: Bool = false
  ) {
    guard let elements else { return }
    var place = elements + Int(run.offset) + index * layout.elementStride
    if layout.collection == .map {
      if !keepsKey { place.pointee = storedText(value.key) }
      place += 1
    }
    place.pointee = layout.elementKind == .text ? storedText(value.bytes) : value.word
    if layout.hasNullElements { place[1] = value.isNull ? 1 : 0 }
  }

  private func storedText(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return 0 }
    return appendText(start, bytes.count)
  }

  func copyElements(
    from old: CollectionRun, to new: CollectionRun, count: Int, _ layout: ColumnLayout
  ) {
    guard let elements else { return }
    copyWords(from: elements + Int(old.offset), to: new, count: count * layout.elementStride)
  }

  /// Bytes of the runs of the first rows, with or without the room around their elements, and of the
  /// texts of their elements.
  func elementsSize(
    rows: Int, withRoom: Bool, _ layout: ColumnLayout
  ) -> (elements: Int, text: Int) {
    var size = (elements: 0, text: 0)
    for row in 0..<rows {
      let run = runWithRoom(row)
      size.elements += (withRoom ? run.room : Int(run.length)) * layout.elementStride * 8
      if layout.hasText { size.text += elementTextSize(row, layout) }
    }
    return size
  }

  /// Bytes of a row's run and of the texts in it. Of the room around its elements as much is included
  /// as appending would make: more is left of elements that came and went in one write.
  func size(_ row: Int, _ layout: ColumnLayout) -> Int {
    let run = runWithRoom(row)
    return min(run.room, 2 * Int(run.length) + 4) * layout.elementStride * 8
      + (layout.hasText ? elementTextSize(row, layout) : 0)
  }

  private func elementTextSize(_ row: Int, _ layout: ColumnLayout) -> Int {
    let run = run(row)
    return textSize(of: 0..<Int(run.length), run, layout)
  }

  /// Bytes of the texts and keys of some elements.
  func textSize(of range: Range<Int>, _ run: CollectionRun, _ layout: ColumnLayout) -> Int {
    var size = 0
    for index in range {
      let value = element(run, index, layout)
      size += value.bytes.count + value.key.count
    }
    return size
  }

  /// Moves the runs of the first rows, and the texts of their elements, into new arenas that have
  /// room for them.
  ///
  /// - Parameters:
  ///   - keepsRoom: Whether a run keeps the room around its elements.
  ///   - shape: A run that gets other room than it had.
  mutating func packElements(
    into arena: Arena, text: Arena?, rows: Int, keepsRoom: Bool, reshaping shape: RunShape? = nil,
    _ layout: ColumnLayout
  ) {
    let old = self
    // Keeps the old arenas alive while their contents move.
    let (oldElements, oldText) = block._withUnsafeGuaranteedRef { ($0.elements, $0.text) }
    defer { withExtendedLifetime((oldElements, oldText)) {} }
    setElements(arena)
    if let text { setText(text) }
    for row in 0..<rows {
      let run = old.runWithRoom(row)
      let isReshaped = shape?.row == row
      guard run.room > 0 || isReshaped else { continue }
      let length = Int(run.length)
      var (front, back) = keepsRoom ? (Int(run.front), Int(run.capacity) - length) : (0, 0)
      if let shape, isReshaped { (front, back) = (shape.front, shape.back) }
      let moved = newRun(count: length, capacity: length + back, front: front, layout)
      if layout.hasText {
        for index in 0..<length {
          storeElement(moved, index, old.element(run, index, layout), layout)
        }
      } else if let source = old.elements {
        copyWords(from: source + Int(run.offset), to: moved, count: length * layout.elementStride)
      }
      storeRun(moved, row)
    }
  }

  fileprivate func copyWords(
    from source: UnsafeMutablePointer<UInt64>, to run: CollectionRun, count: Int
  ) {
    guard let elements, count > 0 else { return }
    (elements + Int(run.offset)).update(from: source, count: count)
  }

  /// The element as stored: for links the target's slot + 1.
  func element(_ run: CollectionRun, _ index: Int, _ layout: ColumnLayout) -> ElementValue {
    guard let elements else { return ElementValue() }
    var place = elements + Int(run.offset) + index * layout.elementStride
    var value = ElementValue()
    if layout.collection == .map {
      value.key = bytes(ofWord: place.pointee)
      place += 1
    }
    if layout.elementKind == .text {
      value.bytes = bytes(ofWord: place.pointee)
    } else {
      value.word = place.pointee
    }
    if layout.hasNullElements { value.isNull = place[1] != 0 }
    return value
  }

  /// The words of all elements, or of some.
  func words(
    _ run: CollectionRun, _ layout: ColumnLayout, _ range: Range<Int>? = nil
  ) -> [UInt64] {
    let all = 0..<Int(run.length)
    return (range?.clamped(to: all) ?? all).map { elementWord(run, $0, layout) }
  }

  /// Where a value stands in a set, or a key in a map; or where it would be put in.
  func place(
    of value: ElementValue, _ run: CollectionRun, _ layout: ColumnLayout
  ) -> (index: Int, isFound: Bool) {
    func precedes(_ a: ElementValue, _ b: ElementValue) -> Bool {
      layout.collection == .map
        ? a.key.precedes(b.key) : ElementValue.precedes(a, b, layout)
    }
    var low = 0
    var high = Int(run.length)
    while low < high {
      let middle = (low + high) / 2
      if precedes(element(run, middle, layout), value) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let isFound = low < Int(run.length) && !precedes(value, element(run, low, layout))
    return (low, isFound)
  }

  /// The word of an element's value, which in a map stands behind the key's.
  @inline(__always)
  func elementWord(_ run: CollectionRun, _ index: Int, _ layout: ColumnLayout) -> UInt64 {
    elements.unsafelyUnwrapped[
      Int(run.offset) + index * layout.elementStride + (layout.collection == .map ? 1 : 0)]
  }
}

extension TableVersion {
  /// Calls `body` with each target slot of a link or of a collection of links.
  func forEachTarget(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ body: (Int) -> Void
  ) {
    let cell = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if layout.kind == .link {
      let word = cell.word(row)
      if word != 0 { body(Int(word) - 1) }
    } else {
      let run = cell.run(row)
      for index in 0..<Int(run.length) {
        let word = cell.elementWord(run, index, layout)
        if word != 0 { body(Int(word) - 1) }
      }
    }
  }
}
