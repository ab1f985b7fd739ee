// Writing the elements of lists, sets and maps.
//
// A collection is a run of words in the element arena of its chunk's column. Appending goes in
// place past the length any version can see; every other edit writes a new run and leaves the
// old one to older versions.

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
    mark(slot, column)
    return true
  }

  /// Writes a new run without comparing.
  private func storeElements(
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
    target.pointee.values.storeBytes(
      of: run, toByteOffset: row * CollectionRun.byteCount, as: CollectionRun.self)
  }

  /// Appends one element to a list.
  func appendElement(_ slot: Int, _ column: Int, _ value: ElementValue) {
    let columnLayout = self.columnLayout(column)
    let row = slot & ChunkLayout.mask
    var target = writable(slot, column)
    var run = target.pointee.runWithRoom(row)
    if run.length < run.capacity,
      value.bytes.count == 0 || target.pointee.hasTextRoom(value.bytes.count)
    {
      target.pointee.storeElement(run, Int(run.length), value, columnLayout)
      run.length += 1
    } else {
      let length = Int(run.length)
      let capacity = max(4, length * 2)
      guard
        let room = room(slot, column, elements: capacity, textBytes: value.bytes.count)
      else { return }
      target = room
      let old = target.pointee.run(row)
      run = target.pointee.newRun(count: length, capacity: capacity, columnLayout)
      target.pointee.copyElements(from: old, to: run, count: length, columnLayout)
      target.pointee.storeElement(run, length, value, columnLayout)
      run.length += 1
    }
    target.pointee.values.storeBytes(
      of: run, toByteOffset: row * CollectionRun.byteCount, as: CollectionRun.self)
    mark(slot, column)
  }

  /// Takes the elements of a collection of links out whose words `isGone` names; returns these.
  ///
  /// - Complexity: O(length): a comparison and a copied word for each element.
  func removeLinks(_ slot: Int, _ column: Int, where isGone: (UInt64) -> Bool) -> [UInt64] {
    let columnLayout = self.columnLayout(column)
    let row = slot & ChunkLayout.mask
    let words = self.words(slot, column, columnLayout)
    let gone = words.filter(isGone)
    let kept = words.count - gone.count
    guard !gone.isEmpty, let target = room(slot, column, elements: kept, textBytes: 0) else {
      return []
    }
    let old = target.pointee.run(row)
    let new = target.pointee.newRun(count: kept, capacity: kept, columnLayout)
    var next = 0
    for index in words.indices where !isGone(words[index]) {
      target.pointee.copyElement(from: old, index, to: new, next, columnLayout)
      next += 1
    }
    target.pointee.values.storeBytes(
      of: new, toByteOffset: row * CollectionRun.byteCount, as: CollectionRun.self)
    mark(slot, column)
    return gone
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
  private func room(
    _ slot: Int, _ column: Int, elements: Int, textBytes: Int
  ) -> UnsafeMutablePointer<StorageColumn>? {
    let target = writable(slot, column)
    let columnLayout = self.columnLayout(column)
    let byteCount = elements * columnLayout.elementStride * 8
    let hasRoom = target.pointee.block._withUnsafeGuaranteedRef {
      ($0.elements?.hasRoom(byteCount) ?? false)
        && (textBytes == 0 || $0.text?.hasRoom(textBytes) ?? false)
    }
    if hasRoom { return target }
    return rebuildArenas(slot, column, columnLayout, extraBytes: byteCount, textBytes: textBytes)
  }

  /// Fresh arenas with the live elements and texts of the column, and room for more.
  @inline(never)
  private func rebuildArenas(
    _ slot: Int, _ column: Int, _ columnLayout: ColumnLayout, extraBytes: Int, textBytes: Int
  ) -> UnsafeMutablePointer<StorageColumn>? {
    let target = ownedForGrowth(slot, column)
    let capacity = chunkCapacity(slot)
    let size = target.pointee.elementsSize(rows: capacity, columnLayout)
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
      rows: capacity, keepsRoom: true, columnLayout)
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
  /// A run at the end of the element arena, which has room.
  fileprivate func newRun(count: Int, capacity: Int, _ layout: ColumnLayout) -> CollectionRun {
    block._withUnsafeGuaranteedRef { block in
      let arena = block.elements.unsafelyUnwrapped
      let offset = arena.used / 8
      arena.used += capacity * layout.elementStride * 8
      return CollectionRun(offset: offset, length: count, capacity: capacity)
    }
  }

  fileprivate func storeElement(
    _ run: CollectionRun, _ index: Int, _ value: ElementValue, _ layout: ColumnLayout
  ) {
    guard let elements else { return }
    var place = elements + Int(run.offset) + index * layout.elementStride
    if layout.collection == .map {
      place.pointee = storedText(value.key)
      place += 1
    }
    place.pointee = layout.elementKind == .text ? storedText(value.bytes) : value.word
    if layout.hasNullElements { place[1] = value.isNull ? 1 : 0 }
  }

  private func storedText(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return 0 }
    return appendText(start, bytes.count)
  }

  fileprivate func copyElements(
    from old: CollectionRun, to new: CollectionRun, count: Int, _ layout: ColumnLayout
  ) {
    guard let elements else { return }
    copyWords(from: elements + Int(old.offset), to: new, count: count * layout.elementStride)
  }

  /// Copies one element, whose texts stay where they are.
  fileprivate func copyElement(
    from old: CollectionRun, _ index: Int, to new: CollectionRun, _ place: Int,
    _ layout: ColumnLayout
  ) {
    guard let elements else { return }
    let stride = layout.elementStride
    for word in 0..<stride {
      elements[Int(new.offset) + place * stride + word] =
        elements[Int(old.offset) + index * stride + word]
    }
  }

  /// Bytes of the runs of the first rows, the room behind their elements included, and of the
  /// texts of their elements.
  func elementsSize(rows: Int, _ layout: ColumnLayout) -> (elements: Int, text: Int) {
    var size = (elements: 0, text: 0)
    for row in 0..<rows {
      size.elements += Int(runWithRoom(row).capacity) * layout.elementStride * 8
      if layout.hasText { size.text += elementTextSize(row, layout) }
    }
    return size
  }

  /// Bytes of a row's run, the room behind its elements included, and of the texts in it.
  func size(_ row: Int, _ layout: ColumnLayout) -> Int {
    Int(runWithRoom(row).capacity) * layout.elementStride * 8
      + (layout.hasText ? elementTextSize(row, layout) : 0)
  }

  private func elementTextSize(_ row: Int, _ layout: ColumnLayout) -> Int {
    let run = run(row)
    var size = 0
    for index in 0..<Int(run.length) {
      let value = element(run, index, layout)
      size += value.bytes.count + value.key.count
    }
    return size
  }

  /// Moves the runs of the first rows, and the texts of their elements, into new arenas that have
  /// room for them.
  ///
  /// - Parameter keepsRoom: Whether a run keeps the room behind its elements.
  mutating func packElements(
    into arena: Arena, text: Arena?, rows: Int, keepsRoom: Bool, _ layout: ColumnLayout
  ) {
    let old = self
    // Keeps the old arenas alive while their contents move.
    let (oldElements, oldText) = block._withUnsafeGuaranteedRef { ($0.elements, $0.text) }
    defer { withExtendedLifetime((oldElements, oldText)) {} }
    setElements(arena)
    if let text { setText(text) }
    for row in 0..<rows {
      let run = old.runWithRoom(row)
      guard run.capacity > 0 else { continue }
      let length = Int(run.length)
      let moved = newRun(
        count: length, capacity: keepsRoom ? Int(run.capacity) : length, layout)
      if layout.hasText {
        for index in 0..<length {
          storeElement(moved, index, old.element(run, index, layout), layout)
        }
      } else if let source = old.elements {
        copyWords(from: source + Int(run.offset), to: moved, count: length * layout.elementStride)
      }
      values.storeBytes(
        of: moved, toByteOffset: row * CollectionRun.byteCount, as: CollectionRun.self)
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

  /// The words of all elements.
  func words(_ run: CollectionRun, _ layout: ColumnLayout) -> [UInt64] {
    (0..<Int(run.length)).map { elementWord(run, $0, layout) }
  }

  /// The first word of an element: a map's key, else the value.
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
