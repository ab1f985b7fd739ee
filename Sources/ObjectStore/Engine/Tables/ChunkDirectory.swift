// MARK: - Reading

extension TableVersion {
  /// Returns the chunk with this index, or the empty chunk if the directory has none.
  @inline(__always)
  func chunk(_ index: Int) -> Unmanaged<Chunk> {
    guard let node = node(index),
      let chunk = node._withUnsafeGuaranteedRef({ $0.children[index & DirectoryLayout.mask] })
    else { return lazyChunk(index) }
    return chunk
  }

  /// Returns the lazy chunk with this index, or the empty chunk if there is none.
  @inline(never)
  private func lazyChunk(_ index: Int) -> Unmanaged<Chunk> {
    lazyChunks?._withUnsafeGuaranteedRef { $0.chunk(index) } ?? Unmanaged.passUnretained(empty)
  }

  /// True if the node of the chunk with this index may have lazy chunks.
  private func isNodeLazy(_ index: Int) -> Bool {
    lazyChunks?._withUnsafeGuaranteedRef {
      index >> DirectoryLayout.shift <= ($0.count - 1) >> DirectoryLayout.shift
    } ?? false
  }

  /// True if there is a lazy chunk with this index, which the version may have replaced.
  private func isLazy(_ index: Int) -> Bool {
    lazyChunks?._withUnsafeGuaranteedRef { $0.contains(index) } ?? false
  }

  /// Returns the node of the chunk with this index; nil if absent.
  @inline(__always)
  private func node(_ index: Int) -> Unmanaged<DirectoryNode>? {
    let segment = index >> DirectoryLayout.segmentShift
    guard segment < segmentCount, let nodes = segments[segment] else { return nil }
    return nodes._withUnsafeGuaranteedRef {
      $0.children[index >> DirectoryLayout.shift & DirectoryLayout.mask]
    }
  }

  func hasChunk(_ index: Int) -> Bool {
    guard let chunk = entry(index) else { return isLazy(index) }
    return chunk.toOpaque() != Unmanaged.passUnretained(empty).toOpaque()
  }

  /// True if the chunk with this index is lazy, and the version has not replaced it.
  func hasLazyChunk(_ index: Int) -> Bool { entry(index) == nil && isLazy(index) }

  /// Returns the entry of the directory for the chunk with this index.
  private func entry(_ index: Int) -> Unmanaged<Chunk>? {
    node(index)?._withUnsafeGuaranteedRef { $0.children[index & DirectoryLayout.mask] }
  }

  /// Returns the index of the first present chunk at or after `index` that has slots below `end`, or nil.
  ///
  /// - Complexity: O(segments + the absent entries skipped in two branches + the removed lazy chunks skipped).
  func presentChunk(from index: Int, end: Int) -> Int? {
    let end = (end + ChunkLayout.mask) >> ChunkLayout.shift
    var index = index
    while let lazy = lazyChunks?._withUnsafeGuaranteedRef({ $0.next(from: index) }), lazy < end {
      if lazy > index, let other = presentEntry(from: index, end: lazy) { return other }
      if hasChunk(lazy) { return lazy }
      index = lazy + 1
    }
    return presentEntry(from: index, end: end)
  }

  /// Returns the index of the first chunk from `index` to `end` that is in the directory, or nil.
  private func presentEntry(from index: Int, end: Int) -> Int? {
    var index = index
    while index < end, index >> DirectoryLayout.segmentShift < segmentCount {
      guard let segment = segments[index >> DirectoryLayout.segmentShift] else {
        index = (index >> DirectoryLayout.segmentShift + 1) << DirectoryLayout.segmentShift
        continue
      }
      let position = index >> DirectoryLayout.shift & DirectoryLayout.mask
      guard let node = segment._withUnsafeGuaranteedRef({ $0.children[position] }) else {
        index = (index >> DirectoryLayout.shift + 1) << DirectoryLayout.shift
        continue
      }
      if node._withUnsafeGuaranteedRef({ $0.children[index & DirectoryLayout.mask] }) != nil {
        return index
      }
      index += 1
    }
    return nil
  }

  /// Calls `body` with the slots of each present chunk, in ascending order, until it returns false.
  func forEachChunk(from first: Int = 0, _ body: (Range<Int>) -> Bool) {
    var next = presentChunk(from: first >> ChunkLayout.shift, end: count)
    while let index = next {
      let start = index << ChunkLayout.shift
      let slots = max(first, start)..<min(count, start + ChunkLayout.rows)
      if !body(slots) { return }
      next = presentChunk(from: index + 1, end: count)
    }
  }

  /// Calls `body` with each live slot, in ascending order, until it returns false.
  ///
  /// - Complexity: O(rows of the present chunks).
  func forEachLive(from first: Int = 0, _ body: (Int) -> Bool) {
    forEachChunk(from: first) { slots in
      let live = columns(slots.lowerBound)[TableLayout.liveColumn].values
      for slot in slots
      where live.load(fromByteOffset: slot & ChunkLayout.mask, as: UInt8.self) != 0 {
        if !body(slot) { return false }
      }
      return true
    }
  }
}

// MARK: - Writing (only while the version has the writer's editOwner)

extension TableVersion {
  /// Returns the segment with this index, owned by the writer; creates it if absent.
  private func ownSegment(_ index: Int) -> DirectorySegment {
    growSegments(to: index + 1)
    guard let segment = segments[index]?.takeUnretainedValue() else {
      let new = DirectorySegment(editOwner: editOwner)
      segments[index] = Unmanaged.passRetained(new)
      return new
    }
    if segment.editOwner == editOwner { return segment }
    let copy = DirectorySegment(copying: segment, editOwner: editOwner)
    segments[index]?.release()
    segments[index] = Unmanaged.passRetained(copy)
    return copy
  }

  /// Returns the node of the chunk with this index, owned by the writer; creates it if absent.
  private func ownNode(_ index: Int) -> DirectoryNode {
    let segment = ownSegment(index >> DirectoryLayout.segmentShift)
    let position = index >> DirectoryLayout.shift & DirectoryLayout.mask
    guard let node = segment.children[position]?.takeUnretainedValue() else {
      let new = DirectoryNode(editOwner: editOwner)
      segment.set(position, new)
      return new
    }
    if node.editOwner == editOwner { return node }
    let copy = DirectoryNode(copying: node, editOwner: editOwner)
    segment.set(position, copy)
    return copy
  }

  /// Replaces the chunk at an index of the directory.
  func setChunk(_ index: Int, _ chunk: Chunk) {
    assert(hasChunk(index), "Chunk \(index) is absent")
    ownNode(index).set(index & DirectoryLayout.mask, chunk)
  }

  /// Sets the chunk at an index, at which there may be none.
  func putChunk(_ index: Int, _ chunk: Chunk) {
    ownNode(index).set(index & DirectoryLayout.mask, chunk)
  }

  /// Removes a chunk from the directory, and each branch that becomes empty.
  ///
  /// - Parameter openIndex: The index of the chunk that takes the next row. Branches on the path to it are kept, since
  ///   later chunks are added to them in place.
  func removeChunk(_ index: Int, openIndex: Int) {
    guard hasChunk(index) else { return }
    let node = ownNode(index)
    if isLazy(index) { return node.set(index & DirectoryLayout.mask, empty) }
    node.set(index & DirectoryLayout.mask, nil)
    guard index >> DirectoryLayout.shift < openIndex >> DirectoryLayout.shift, node.isEmpty else {
      return
    }
    let segmentIndex = index >> DirectoryLayout.segmentShift
    let segment = ownSegment(segmentIndex)
    segment.set(index >> DirectoryLayout.shift & DirectoryLayout.mask, nil)
    guard segmentIndex < openIndex >> DirectoryLayout.segmentShift, segment.isEmpty else { return }
    segments[segmentIndex]?.release()
    segments[segmentIndex] = nil
  }

  /// Adds a chunk of rows that no version can see yet, in place unless versions read lazy chunks through the same node.
  func addChunk(_ index: Int, _ chunk: Chunk) {
    assert(!hasChunk(index), "Chunk \(index) is present")
    if isNodeLazy(index) { return ownNode(index).set(index & DirectoryLayout.mask, chunk) }
    let segmentIndex = index >> DirectoryLayout.segmentShift
    growSegments(to: segmentIndex + 1)
    let segment: DirectorySegment
    if let known = segments[segmentIndex]?.takeUnretainedValue() {
      segment = known
    } else {
      segment = DirectorySegment(editOwner: editOwner)
      segments[segmentIndex] = Unmanaged.passRetained(segment)
    }
    let position = index >> DirectoryLayout.shift & DirectoryLayout.mask
    let node: DirectoryNode
    if let known = segment.children[position]?.takeUnretainedValue() {
      node = known
    } else {
      node = DirectoryNode(editOwner: editOwner)
      segment.set(position, node)
    }
    node.set(index & DirectoryLayout.mask, chunk)
  }
}
