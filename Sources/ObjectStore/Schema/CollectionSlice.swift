/// Where the elements of one collection stand in the element arena of its chunk's column.
///
///     offset   word index of the first element
///     length   elements
///     capacity elements there is room for in place (only the writer reads it)
///     front    elements there is room for in front of the first; only the transaction that made
///              the run may use it
struct CollectionSlice {
  static let byteCount = 16
  static let capacityOffset = 8

  var offset: UInt32
  var length: UInt32
  var capacity: UInt32
  var front: UInt32

  init(offset: Int, length: Int, capacity: Int, front: Int = 0) {
    self.offset = UInt32(offset)
    self.length = UInt32(length)
    self.capacity = UInt32(capacity)
    self.front = UInt32(front)
  }

  /// A run without room behind its elements.
  @inline(__always)
  init(offset: UInt32, length: UInt32) {
    self.offset = offset
    self.length = length
    capacity = length
    front = 0
  }

  /// Elements there is room for in all.
  var room: Int { Int(front) + Int(capacity) }

  static let empty = CollectionSlice(offset: 0, length: 0, capacity: 0)
}
