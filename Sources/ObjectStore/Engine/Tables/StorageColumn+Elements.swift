extension StorageColumn {
  @inline(__always)
  func storeSlice(_ slice: CollectionSlice, _ row: Int) {
    assert((0..<ChunkLayout.rows).contains(row), "Row \(row) is not in a chunk")
    values.storeBytes(
      of: slice, toByteOffset: row &* CollectionSlice.byteCount, as: CollectionSlice.self)
  }

  /// True if the arenas have capacity for `count` more elements and `textBytes` more bytes of strings.
  func hasCapacity(elements count: Int, textBytes: Int, _ layout: ColumnLayout) -> Bool {
    (elementArena?._withUnsafeGuaranteedRef { $0.hasCapacity(count * layout.elementStride * 8) }
      ?? false)
      && (textBytes == 0 || hasTextCapacity(textBytes))
  }

  /// Returns a new slice at the end of the element arena, whose capacity the caller has checked.
  func newSlice(
    count: Int, capacity: Int, front: Int = 0, _ layout: ColumnLayout
  ) -> CollectionSlice {
    elementArena.unsafelyUnwrapped._withUnsafeGuaranteedRef { arena in
      let offset = arena.used / 8 + front * layout.elementStride
      arena.used += (front + capacity) * layout.elementStride * 8
      assert(arena.used <= arena.capacity, "Arena has no capacity for a slice of \(capacity)")
      return CollectionSlice(offset: offset, length: count, capacity: capacity, front: front)
    }
  }

  /// - Parameter keepsKey: True if the stored key already equals the value's.
  func storeElement(
    _ slice: CollectionSlice, _ index: Int, _ value: ElementValue, _ layout: ColumnLayout,
    keepsKey: Bool = false
  ) {
    assert(canStore(index..<index + 1, in: slice, layout), "Element \(index) is outside its slice")
    guard let elements else { return }
    var target = elements + Int(slice.offset) + index * layout.elementStride
    if layout.collection == .map {
      if !keepsKey { target.pointee = storedText(value.key) }
      target += 1
    }
    target.pointee = layout.elementKind == .bytes ? storedText(value.bytes) : value.word
    if layout.hasNullElements { target[1] = value.isNull ? 1 : 0 }
  }

  private func storedText(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return 0 }
    return appendText(start, bytes.count)
  }

  func copyElements(
    from old: CollectionSlice, to new: CollectionSlice, count: Int, _ layout: ColumnLayout
  ) {
    assert(count <= old.length, "\(count) elements exceed a slice of \(old.length)")
    assert(canStore(0..<count, in: new, layout), "\(count) elements are outside their slice")
    guard let elements else { return }
    copyWords(from: elements + Int(old.offset), to: new, count: count * layout.elementStride)
  }

  /// Returns the byte count of the slices of the first rows, with or without spare capacity.
  func elementsSize(rows: Int, withCapacity: Bool, _ layout: ColumnLayout) -> Int {
    var size = 0
    for row in 0..<rows {
      let slice = sliceWithCapacity(row)
      size += withCapacity ? slice.totalCapacity : Int(slice.length)
    }
    return size * layout.elementStride * 8
  }

  /// Returns the byte count of the strings and keys of the elements of the first rows.
  func elementsTextSize(rows: Int, _ layout: ColumnLayout) -> Int {
    var size = 0
    for row in 0..<rows { size += elementTextSize(row, layout) }
    return size
  }

  /// Returns the byte count of a row's slice and its strings. Spare capacity counts only up to the amount that
  /// appending would allocate, since a write that adds and removes elements can leave more.
  func size(_ row: Int, _ layout: ColumnLayout) -> Int {
    let slice = sliceWithCapacity(row)
    return min(slice.totalCapacity, 2 * Int(slice.length) + 4) * layout.elementStride * 8
      + (layout.hasBytes ? elementTextSize(row, layout) : 0)
  }

  private func elementTextSize(_ row: Int, _ layout: ColumnLayout) -> Int {
    let slice = slice(row)
    return textSize(of: 0..<Int(slice.length), slice, layout)
  }

  /// Returns the byte count of the strings and keys of a range of elements.
  func textSize(of range: Range<Int>, _ slice: CollectionSlice, _ layout: ColumnLayout) -> Int {
    assert(range.isEmpty || holds(range.upperBound - 1, of: slice, layout), "\(range) is outside")
    guard layout.hasBytes, let elements else { return 0 }
    let (areValuesTexts, areKeysTexts) = (layout.elementKind == .bytes, layout.collection == .map)
    let stride = layout.elementStride
    var size = 0
    // The low half of the word of a string is its byte count.
    func add(_ first: Int) {
      var word = elements + Int(slice.offset) + range.lowerBound * stride + first
      for _ in range {
        size += Int(word.pointee & 0xFFFF_FFFF)
        word += stride
      }
    }
    if areKeysTexts { add(0) }
    if areValuesTexts { add(areKeysTexts ? 1 : 0) }
    return size
  }

  /// Moves the slices of the first `rows` rows into a new arena with enough capacity, and the strings of their elements
  /// into another.
  ///
  /// - Parameters:
  ///   - text: The new arena of the strings. If nil, they stay in the old one.
  ///   - keepsCapacity: True if slices keep their spare capacity.
  ///   - shape: The row whose slice gets another spare capacity, with that capacity.
  mutating func packElements(
    into arena: Arena, text: Arena?, rows: Int, keepsCapacity: Bool,
    reshaping shape: SliceShape? = nil,
    _ layout: ColumnLayout
  ) {
    let old = self
    // Keeps the old arenas alive while their contents are moved.
    let (oldElements, oldText) = block._withUnsafeGuaranteedRef { ($0.elements, $0.text) }
    defer { withExtendedLifetime((oldElements, oldText)) {} }
    setElements(arena)
    if let text { setText(text) }
    for row in 0..<rows {
      let slice = old.sliceWithCapacity(row)
      let isReshaped = shape?.row == row
      guard slice.totalCapacity > 0 || isReshaped else { continue }
      let length = Int(slice.length)
      var (front, back) = keepsCapacity ? (Int(slice.front), Int(slice.capacity) - length) : (0, 0)
      if let shape, isReshaped { (front, back) = (shape.front, shape.back) }
      let moved = newSlice(count: length, capacity: length + back, front: front, layout)
      if text != nil {
        for index in 0..<length {
          storeElement(moved, index, old.element(slice, index, layout), layout)
        }
      } else if let source = old.elements {
        copyWords(from: source + Int(slice.offset), to: moved, count: length * layout.elementStride)
      }
      storeSlice(moved, row)
    }
  }

  func copyWords(
    from source: UnsafeMutablePointer<UInt64>, to slice: CollectionSlice, count: Int
  ) {
    guard let elements, count > 0 else { return }
    (elements + Int(slice.offset)).update(from: source, count: count)
  }

  /// Returns the element as stored: for links the target's slot + 1.
  func element(_ slice: CollectionSlice, _ index: Int, _ layout: ColumnLayout) -> ElementValue {
    assert(holds(index, of: slice, layout), "Element \(index) is outside its slice")
    guard let elements else { return ElementValue() }
    var target = elements + Int(slice.offset) + index * layout.elementStride
    var value = ElementValue()
    if layout.collection == .map {
      value.key = bytes(ofWord: target.pointee)
      target += 1
    }
    if layout.elementKind == .bytes {
      value.bytes = bytes(ofWord: target.pointee)
    } else {
      value.word = target.pointee
    }
    if layout.hasNullElements { value.isNull = target[1] != 0 }
    return value
  }

  /// Returns the words of all elements, or of a range.
  func words(
    _ slice: CollectionSlice, _ layout: ColumnLayout, _ range: Range<Int>? = nil
  ) -> [UInt64] {
    let all = 0..<Int(slice.length)
    return (range?.clamped(to: all) ?? all).map { elementWord(slice, $0, layout) }
  }

  /// Returns the indexes of the elements, or of the values in a map, that are stored as a word.
  func indices(
    of word: UInt64, _ slice: CollectionSlice, _ layout: ColumnLayout
  ) -> [Int] {
    guard let elements else { return [] }
    let stride = layout.elementStride
    var next = elements + Int(slice.offset) + (layout.collection == .map ? 1 : 0)
    var indices: [Int] = []
    for index in 0..<Int(slice.length) {
      if next.pointee == word { indices.append(index) }
      next += stride
    }
    return indices
  }

  /// Returns the index of a value in a set, or of a key in a map, or else the index at which to insert it.
  func index(
    of value: ElementValue, _ slice: CollectionSlice, _ layout: ColumnLayout
  ) -> (index: Int, isFound: Bool) {
    func precedes(_ a: ElementValue, _ b: ElementValue) -> Bool {
      layout.collection == .map
        ? a.key.precedes(b.key) : ElementValue.precedes(a, b, layout)
    }
    let index = (0..<Int(slice.length)).partitionPoint {
      precedes(element(slice, $0, layout), value)
    }
    let isFound = index < Int(slice.length) && !precedes(value, element(slice, index, layout))
    return (index, isFound)
  }

  /// Returns the word of an element's value; in a map it follows the key's.
  @inline(__always)
  func elementWord(_ slice: CollectionSlice, _ index: Int, _ layout: ColumnLayout) -> UInt64 {
    assert(holds(index, of: slice, layout), "Element \(index) is outside its slice")
    return elements.unsafelyUnwrapped[
      Int(slice.offset) + index * layout.elementStride + (layout.collection == .map ? 1 : 0)]
  }
}

extension StorageColumn {
  /// Resizes `range` to `count` elements in a slice that has the capacity.
  func resize(_ row: Int, _ range: Range<Int>, to count: Int, _ layout: ColumnLayout) {
    let growth = count - range.count
    guard growth != 0, let elements else { return }
    var slice = sliceWithCapacity(row)
    let stride = layout.elementStride
    let front = Int(slice.front)
    let back = Int(slice.capacity - slice.length)
    let (head, tail) = (range.lowerBound, Int(slice.length) - range.upperBound)
    // If the side with fewer elements has too little capacity, the spare capacity that remains is divided between both
    // sides.
    let newFront =
      if head < tail {
        growth <= front ? front - growth : (front + back - growth) / 2
      } else {
        growth <= back ? front : (front + back - growth) / 2
      }
    assert(
      growth <= front + back,
      "A slice of \(slice.totalCapacity) has no capacity for \(growth) more elements")
    let oldStart = elements + Int(slice.offset)
    let newStart = oldStart + (newFront - front) * stride
    let moveHead = { newStart.update(from: oldStart, count: head * stride) }
    let moveTail = {
      (newStart + (head + count) * stride)
        .update(from: oldStart + range.upperBound * stride, count: tail * stride)
    }
    if newFront > front {
      moveTail()
      moveHead()
    } else {
      if newFront < front { moveHead() }
      moveTail()
    }
    slice.offset = UInt32(Int(slice.offset) + (newFront - front) * stride)
    slice.capacity = UInt32(Int(slice.capacity) + front - newFront)
    slice.front = UInt32(newFront)
    slice.length = UInt32(Int(slice.length) + growth)
    storeSlice(slice, row)
  }

  /// Copies the slice of a row to the end of the arena, with a different spare capacity.
  func reshapeSlice(_ shape: SliceShape, _ layout: ColumnLayout) {
    let old = slice(shape.row)
    let length = Int(old.length)
    let new = newSlice(
      count: length, capacity: length + shape.back, front: shape.front, layout)
    copyElements(from: old, to: new, count: length, layout)
    storeSlice(new, shape.row)
  }

  /// Moves elements within their slice.
  func moveElements(
    _ slice: CollectionSlice, _ range: Range<Int>, to index: Int, _ layout: ColumnLayout
  ) {
    assert(canStore(range, in: slice, layout), "Elements \(range) are outside their slice")
    assert(
      canStore(index..<index + range.count, in: slice, layout),
      "Elements at \(index) are outside their slice")
    guard let elements, range.lowerBound != index else { return }
    let stride = layout.elementStride
    let start = elements + Int(slice.offset)
    (start + index * stride)
      .update(from: start + range.lowerBound * stride, count: range.count * stride)
  }

  func swapElements(
    _ slice: CollectionSlice, _ i: Int, _ j: Int, _ layout: ColumnLayout
  ) {
    assert(
      holds(i, of: slice, layout) && holds(j, of: slice, layout),
      "Element \(i) or \(j) is outside its slice")
    guard let elements, i != j else { return }
    let stride = layout.elementStride
    let start = elements + Int(slice.offset)
    for word in 0..<stride {
      swap(&start[i * stride + word], &start[j * stride + word])
    }
  }

  func elementWords(
    _ slice: CollectionSlice, _ index: Int, _ layout: ColumnLayout
  ) -> [UInt64] {
    assert(holds(index, of: slice, layout), "Element \(index) is outside its slice")
    guard let elements else { return [] }
    let stride = layout.elementStride
    return (0..<stride).map { elements[Int(slice.offset) + index * stride + $0] }
  }

  func storeWords(
    _ slice: CollectionSlice, _ index: Int, _ words: [UInt64], _ layout: ColumnLayout
  ) {
    assert(holds(index, of: slice, layout), "Element \(index) is outside its slice")
    guard let elements else { return }
    for (word, value) in words.enumerated() {
      elements[Int(slice.offset) + index * layout.elementStride + word] = value
    }
  }
}

// MARK: - Assertions

extension StorageColumn {
  /// True if an element of the slice exists and lies inside the arena.
  fileprivate func holds(_ index: Int, of slice: CollectionSlice, _ layout: ColumnLayout) -> Bool {
    (0..<Int(slice.length)).contains(index) && isInArena(slice, end: index + 1, layout)
  }

  /// True if the slice has capacity for elements at these indexes and lies inside the arena.
  fileprivate func canStore(
    _ range: Range<Int>, in slice: CollectionSlice, _ layout: ColumnLayout
  ) -> Bool {
    range.lowerBound >= 0 && range.upperBound <= Int(max(slice.length, slice.capacity))
      && isInArena(slice, end: range.upperBound, layout)
  }

  /// True if the elements before `end` lie inside the arena's capacity. Only the writer may read the number of used
  /// bytes.
  private func isInArena(_ slice: CollectionSlice, end: Int, _ layout: ColumnLayout) -> Bool {
    let byteCount = (Int(slice.offset) + end * layout.elementStride) * 8
    return byteCount == 0
      || elementArena?._withUnsafeGuaranteedRef { byteCount <= $0.capacity } ?? false
  }
}
