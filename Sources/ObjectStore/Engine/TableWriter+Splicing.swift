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
  /// - Complexity: O(length) for the first edit of the collection in a transaction, then that of the elements and of
  ///   the words on the shorter side of them; at both ends O(elements).
  func replaceElements(
    _ slot: Int, _ column: Int, _ range: Range<Int>, with new: [ElementValue]
  ) -> Bool {
    let layout = columnLayout(column)
    let current = columns(slot)[column]
    // The new elements may be in the arena that allocating replaces.
    let arena = current.block._withUnsafeGuaranteedRef { $0.text }
    defer { withExtendedLifetime(arena) {} }
    let run = current.slice(slot & ChunkLayout.mask)
    let length = Int(run.length)
    var old = range.clamped(to: 0..<length)
    var added = new[...]
    while let first = added.first, !old.isEmpty,
      current.element(run, old.lowerBound, layout).equals(first)
    {
      old = old.lowerBound + 1..<old.upperBound
      added.removeFirst()
    }
    while let last = added.last, !old.isEmpty,
      current.element(run, old.upperBound - 1, layout).equals(last)
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
      !ownRuns.contains(RowCollection(slot: slot, column: column))
    {
      cutRun(slot, column, layout, old)
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
      let target = ownRun(
        slot, column, extra: added.count - shared, textBytes: added.textSize(layout),
        atFront: old.lowerBound < length - old.upperBound)
    else { return }
    target.pointee.resize(
      row, old.lowerBound + shared..<old.upperBound, to: added.count - shared, layout)
    let run = target.pointee.slice(row)
    for (index, value) in added.enumerated() {
      let place = old.lowerBound + index
      let keepsKey =
        layout.collection == .map && index < shared
        && target.pointee.element(run, place, layout).key.hasSameBytes(as: value.key)
      target.pointee.storeElement(run, place, value, layout, keepsKey: keepsKey)
    }
  }

  /// Inserts elements into a set, each before the element at its index. The indexes ascend.
  ///
  /// - Complexity: O(length + new elements); for a single element that of ``replaceElements(_:_:_:with:)``.
  func insertElements(_ slot: Int, _ column: Int, _ new: [(place: Int, value: ElementValue)]) {
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let length = Int(columns(slot)[column].slice(row).length)
    let values = new.map(\.value)
    if new.count == 1 || length == 0 {
      let place = new.first?.place ?? 0
      _ = replaceElements(slot, column, place..<place, with: values)
      return
    }
    guard
      let target = ownRun(
        slot, column, extra: new.count, textBytes: values[...].textSize(layout))
    else { return }
    target.pointee.resize(row, length..<length, to: new.count, layout)
    let run = target.pointee.slice(row)
    var end = length
    for (index, (place, value)) in new.enumerated().reversed() {
      target.pointee.moveElements(run, place..<end, to: place + index + 1, layout)
      target.pointee.storeElement(run, place + index, value, layout)
      end = place
    }
    noteChange(slot, column)
  }

  /// Removes the elements at ascending `indices`.
  ///
  /// - Complexity: O(length), one copied word for each element.
  func removeElements(_ slot: Int, _ column: Int, at indices: [Int]) {
    guard let first = indices.first else { return }
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let length = Int(columns(slot)[column].slice(row).length)
    if indices.count == length {
      storeElements(slot, column, layout, count: 0) { _ in ElementValue() }
    } else if let target = ownRun(slot, column) {
      var run = target.pointee.runWithRoom(row)
      var next = first
      for (place, index) in indices.enumerated() {
        let end = place + 1 < indices.count ? indices[place + 1] : length
        target.pointee.moveElements(run, index + 1..<end, to: next, layout)
        next += end - index - 1
      }
      run.length = UInt32(next)
      target.pointee.storeRun(run, row)
    }
    noteChange(slot, column)
  }

  // MARK: - Reordering

  /// Moves one element; returns false if the collection stays equal.
  @discardableResult
  func moveElement(_ slot: Int, _ column: Int, from source: Int, to destination: Int) -> Bool {
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let current = columns(slot)[column]
    let run = current.slice(row)
    let value = current.element(run, source, layout)
    let between = min(source, destination)...max(source, destination)
    guard between.contains(where: { !current.element(run, $0, layout).equals(value) }) else {
      return false
    }
    // Removing it at one end and inserting it at the other may move fewer words.
    let last = Int(run.length) - 1
    let outside = min(source, last - source) + min(destination, last - destination)
    let isOutside = outside < between.count - 1
    guard
      let target = ownRun(
        slot, column, extra: isOutside ? 1 : 0, atFront: destination < last - destination)
    else { return false }
    let words = target.pointee.elementWords(target.pointee.slice(row), source, layout)
    if isOutside {
      target.pointee.resize(row, source..<source + 1, to: 0, layout)
      target.pointee.resize(row, destination..<destination, to: 1, layout)
    } else {
      let run = target.pointee.slice(row)
      if source < destination {
        target.pointee.moveElements(run, source + 1..<destination + 1, to: source, layout)
      } else {
        target.pointee.moveElements(run, destination..<source, to: destination + 1, layout)
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
    let run = current.slice(row)
    guard !current.element(run, i, layout).equals(current.element(run, j, layout)),
      let target = ownRun(slot, column)
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
    let run = current.slice(row)
    let last = Int(run.length) - 1
    let differs = (0..<Int(run.length) / 2).contains {
      !current.element(run, $0, layout).equals(current.element(run, last - $0, layout))
    }
    guard differs, let target = ownRun(slot, column) else { return false }
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
  private func ownRun(
    _ slot: Int, _ column: Int, extra: Int = 0, textBytes: Int = 0, atFront: Bool = false
  ) -> UnsafeMutablePointer<StorageColumn>? {
    let layout = columnLayout(column)
    let row = slot & ChunkLayout.mask
    let collection = RowCollection(slot: slot, column: column)
    let current = columns(slot)[column].runWithRoom(row)
    let length = Int(current.length)
    noteReplaced(slot, column, byteCount: length * layout.elementStride * 8)
    if ownRuns.contains(collection), current.totalCapacity >= length + extra {
      return room(slot, column, elements: 0, textBytes: textBytes)
    }
    // A quarter more, so that many insertions cost few copies.
    let free = extra == 0 ? 0 : extra + max(4, length / 4)
    let shape = RunShape(row: row, front: atFront ? free : 0, back: atFront ? 0 : free)
    let target = writable(slot, column)
    if target.pointee.hasRoom(elements: length + free, textBytes: textBytes, layout) {
      target.pointee.reshapeRun(shape, layout)
    } else {
      guard
        rebuildArenas(
          slot, column, layout,
          extraBytes: max(0, length + free - current.totalCapacity) * layout.elementStride * 8,
          textBytes: textBytes, reshaping: shape) != nil
      else { return nil }
    }
    ownRuns.insert(collection)
    return writable(slot, column)
  }

  /// Removes elements at one end of a slice that versions may see, by shortening it.
  private func cutRun(_ slot: Int, _ column: Int, _ layout: ColumnLayout, _ old: Range<Int>) {
    let row = slot & ChunkLayout.mask
    let target = writable(slot, column)
    let run = target.pointee.runWithRoom(row)
    noteCut(
      slot, column, elementBytes: old.count * layout.elementStride * 8,
      textBytes: layout.hasText ? target.pointee.textSize(of: old, run, layout) : 0)
    let atFront = old.lowerBound == 0
    let first = atFront ? old.upperBound : 0
    let length = Int(run.length) - old.count
    // Versions may see the removed elements, so their memory is not spare capacity. A list that loses its first
    // elements keeps the capacity after its last: no version reads past the length.
    let keepsRoom = atFront && layout.collection == .list
    target.pointee.storeRun(
      CollectionSlice(
        offset: Int(run.offset) + first * layout.elementStride, length: length,
        capacity: keepsRoom ? Int(run.capacity) - first : length),
      row)
  }
}

/// The spare capacity to give a slice, in elements.
struct RunShape {
  let row: Int
  let front: Int
  let back: Int
}

extension ArraySlice<ElementValue> {
  /// Returns the bytes of the strings and keys.
  fileprivate func textSize(_ layout: ColumnLayout) -> Int {
    layout.hasText ? reduce(0) { $0 + $1.bytes.count + $1.key.count } : 0
  }
}
