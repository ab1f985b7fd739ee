// Editing the elements of a collection in place.
//
//      front          elements       spare capacity
//     ├───────┼──────────────────────┼───────────┤
//             offset                 length      capacity
//
// The first edit of a transaction copies the words of the slice, with spare capacity on the side that needs it. From
// then on the transaction owns the slice: an edit moves the words before the edited range or those after it, whichever
// are fewer. Sealing (a savepoint, a frozen view) or a loop over the slice ends the ownership, since the slice may be
// read from then on. Strings stay in place; only their words move. R7.

/// One collection of one row.
struct RowCollection: Hashable {
  let slot: Int
  let column: Int
}

extension TableWriter {
  /// Replaces the elements of `range`; returns false if they already equal the new ones.
  ///
  /// - Complexity: O(length) for the first edit of the collection in a transaction. Later edits cost O(new elements +
  ///   elements on the shorter side of the range), which is O(new elements) at either end.
  func replaceElements(
    _ slot: Int, _ column: Int, _ range: Range<Int>, with new: [ElementValue]
  ) -> Bool {
    let layout = columnLayout(column)
    let current = columns(slot)[column]
    // Allocating may replace the arena that contains the strings of the new elements.
    let arena = current.block._withUnsafeGuaranteedRef { $0.text }
    defer { withExtendedLifetime(arena) {} }
    let slice = current.slice(slot & ChunkLayout.mask)
    let length = Int(slice.length)
    var old = range.clamped(to: 0..<length)
    var added = new[...]
    while let first = added.first, !old.isEmpty,
      current.element(slice, old.lowerBound, layout).equals(first)
    {
      old = old.lowerBound + 1..<old.upperBound
      added.removeFirst()
    }
    while let last = added.last, !old.isEmpty,
      current.element(slice, old.upperBound - 1, layout).equals(last)
    {
      old = old.lowerBound..<old.upperBound - 1
      added.removeLast()
    }
    if old.isEmpty && added.isEmpty { return false }
    if old.lowerBound == length && layout.collection == .list {
      append(slot, column, layout, added)
    } else if old.count == length {
      let first = added.startIndex
      storeElements(slot, column, layout, count: added.count) { added[first + $0] }
    } else if added.isEmpty, old.lowerBound == 0 || old.upperBound == length,
      !ownSlices.contains(RowCollection(slot: slot, column: column))
    {
      shortenSlice(slot, column, layout, old)
    } else {
      splice(slot, column, layout, old, added)
    }
    noteChange(slot, column)
    return true
  }

  private func splice(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ old: Range<Int>,
    _ added: ArraySlice<ElementValue>
  ) {
    let row = slot & ChunkLayout.mask
    let length = Int(columns(slot)[column].slice(row).length)
    let shared = min(old.count, added.count)
    guard
      let target = ownSlice(
        slot, column, extra: added.count - shared, textBytes: added.textSize(layout),
        atFront: old.lowerBound < length - old.upperBound)
    else { return }
    target.pointee.resize(
      row, old.lowerBound + shared..<old.upperBound, to: added.count - shared, layout)
    let slice = target.pointee.slice(row)
    for (index, value) in added.enumerated() {
      let position = old.lowerBound + index
      let keepsKey =
        layout.collection == .map && index < shared
        && target.pointee.element(slice, position, layout).key.hasSameBytes(as: value.key)
      target.pointee.storeElement(slice, position, value, layout, keepsKey: keepsKey)
    }
  }

  /// Inserts elements into a set, each before the element at its index. The indexes ascend.
  ///
  /// - Complexity: O(length + new elements); for a single element, the same as ``replaceElements(_:_:_:with:)``.
  func insertElements(_ slot: Int, _ column: Int, _ new: [(index: Int, value: ElementValue)]) {
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let length = Int(columns(slot)[column].slice(row).length)
    let values = new.map(\.value)
    if new.count == 1 || length == 0 {
      let index = new.first?.index ?? 0
      _ = replaceElements(slot, column, index..<index, with: values)
      return
    }
    guard
      let target = ownSlice(
        slot, column, extra: new.count, textBytes: values[...].textSize(layout))
    else { return }
    target.pointee.resize(row, length..<length, to: new.count, layout)
    let slice = target.pointee.slice(row)
    var end = length
    for (offset, (index, value)) in new.enumerated().reversed() {
      target.pointee.moveElements(slice, index..<end, to: index + offset + 1, layout)
      target.pointee.storeElement(slice, index + offset, value, layout)
      end = index
    }
    noteChange(slot, column)
  }

  /// Removes the elements at ascending `indices`.
  ///
  /// - Complexity: O(length); for a single element, the same as ``replaceElements(_:_:_:with:)``.
  func removeElements(_ slot: Int, _ column: Int, at indices: [Int]) {
    guard let first = indices.first else { return }
    if indices.count == 1 {
      _ = replaceElements(slot, column, first..<first + 1, with: [])
      return
    }
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let length = Int(columns(slot)[column].slice(row).length)
    if indices.count == length {
      storeElements(slot, column, layout, count: 0) { _ in ElementValue() }
    } else if let target = ownSlice(slot, column) {
      var slice = target.pointee.sliceWithCapacity(row)
      var next = first
      for (offset, index) in indices.enumerated() {
        let end = offset + 1 < indices.count ? indices[offset + 1] : length
        target.pointee.moveElements(slice, index + 1..<end, to: next, layout)
        next += end - index - 1
      }
      slice.length = UInt32(next)
      target.pointee.storeSlice(slice, row)
    }
    noteChange(slot, column)
  }

  // MARK: - Reordering

  /// Moves one element; returns false if this does not change the collection.
  @discardableResult
  func moveElement(_ slot: Int, _ column: Int, from source: Int, to destination: Int) -> Bool {
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = columns(slot)[column]
    let slice = current.slice(row)
    let value = current.element(slice, source, layout)
    let between = min(source, destination)...max(source, destination)
    guard between.contains(where: { !current.element(slice, $0, layout).equals(value) }) else {
      return false
    }
    // Removing and inserting the element moves the elements outside the range instead, which may be fewer.
    let last = Int(slice.length) - 1
    let outside = min(source, last - source) + min(destination, last - destination)
    let isOutside = outside < between.count - 1
    guard
      let target = ownSlice(
        slot, column, extra: isOutside ? 1 : 0, atFront: destination < last - destination)
    else { return false }
    let words = target.pointee.elementWords(target.pointee.slice(row), source, layout)
    if isOutside {
      target.pointee.resize(row, source..<source + 1, to: 0, layout)
      target.pointee.resize(row, destination..<destination, to: 1, layout)
    } else {
      let slice = target.pointee.slice(row)
      if source < destination {
        target.pointee.moveElements(slice, source + 1..<destination + 1, to: source, layout)
      } else {
        target.pointee.moveElements(slice, destination..<source, to: destination + 1, layout)
      }
    }
    target.pointee.storeWords(target.pointee.slice(row), destination, words, layout)
    noteChange(slot, column)
    return true
  }

  /// Swaps two elements; returns false if they are equal.
  @discardableResult
  func swapElements(_ slot: Int, _ column: Int, _ i: Int, _ j: Int) -> Bool {
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = columns(slot)[column]
    let slice = current.slice(row)
    guard !current.element(slice, i, layout).equals(current.element(slice, j, layout)),
      let target = ownSlice(slot, column)
    else { return false }
    target.pointee.swapElements(target.pointee.slice(row), i, j, layout)
    noteChange(slot, column)
    return true
  }

  /// Reverses the elements; returns false if they are a palindrome.
  @discardableResult
  func reverseElements(_ slot: Int, _ column: Int) -> Bool {
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = columns(slot)[column]
    let slice = current.slice(row)
    let last = Int(slice.length) - 1
    let differs = (0..<Int(slice.length) / 2).contains {
      !current.element(slice, $0, layout).equals(current.element(slice, last - $0, layout))
    }
    guard differs, let target = ownSlice(slot, column) else { return false }
    let own = target.pointee.slice(row)
    for index in 0..<Int(own.length) / 2 {
      target.pointee.swapElements(own, index, last - index, layout)
    }
    noteChange(slot, column)
    return true
  }

  // MARK: - Slices

  /// Returns the column after making the transaction the owner of the row's slice, with capacity for `extra` more
  /// elements and `textBytes` bytes of strings. If no arena can hold that, returns nil and the write fails.
  private func ownSlice(
    _ slot: Int, _ column: Int, extra: Int = 0, textBytes: Int = 0, atFront: Bool = false
  ) -> UnsafeMutablePointer<StorageColumn>? {
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let collection = RowCollection(slot: slot, column: column)
    let current = columns(slot)[column].sliceWithCapacity(row)
    let length = Int(current.length)
    noteReplaced(slot, column, byteCount: length * layout.elementStride * 8)
    if ownSlices.contains(collection), current.totalCapacity >= length + extra {
      return ensureCapacity(slot, column, elements: 0, textBytes: textBytes)
    }
    // A quarter more than necessary, so that many insertions cost few copies.
    let free = extra == 0 ? 0 : extra + max(4, length / 4)
    let shape = SliceShape(row: row, front: atFront ? free : 0, back: atFront ? 0 : free)
    let target = writable(slot, column)
    if target.pointee.hasCapacity(elements: length + free, textBytes: textBytes, layout) {
      target.pointee.reshapeSlice(shape, layout)
    } else {
      guard
        rebuildArenas(
          slot, column, layout,
          extraBytes: max(0, length + free - current.totalCapacity) * layout.elementStride * 8,
          textBytes: textBytes, reshaping: shape) != nil
      else { return nil }
    }
    ownSlices.insert(collection)
    return writable(slot, column)
  }

  /// Removes elements at one end of a slice that versions may see, by shortening it.
  private func shortenSlice(_ slot: Int, _ column: Int, _ layout: ColumnLayout, _ old: Range<Int>) {
    let row = slot & ChunkLayout.mask
    let target = writable(slot, column)
    let slice = target.pointee.sliceWithCapacity(row)
    noteShortened(
      slot, column, elementBytes: old.count * layout.elementStride * 8,
      textBytes: layout.hasBytes ? target.pointee.textSize(of: old, slice, layout) : 0)
    let atFront = old.lowerBound == 0
    let first = atFront ? old.upperBound : 0
    let length = Int(slice.length) - old.count
    // Versions may see the removed elements, so their memory is not spare capacity. A list that loses its first
    // elements keeps the capacity after its last: no version reads past the length.
    let keepsCapacity = atFront && layout.collection == .list
    target.pointee.storeSlice(
      CollectionSlice(
        offset: Int(slice.offset) + first * layout.elementStride, length: length,
        capacity: keepsCapacity ? Int(slice.capacity) - first : length),
      row)
  }
}

/// The spare capacity to allocate for a row's slice, in elements.
struct SliceShape {
  let row: Int
  let front: Int
  let back: Int
}

extension ArraySlice<ElementValue> {
  /// Returns the byte count of the strings and keys.
  fileprivate func textSize(_ layout: ColumnLayout) -> Int {
    layout.hasBytes ? reduce(0) { $0 + $1.bytes.count + $1.key.count } : 0
  }
}
