/// The location of one collection's elements in the element arena of its chunk's column.
///
///     offset   word index of the first element
///     length   number of elements
///     capacity elements that fit from `offset` on (read only by the writer)
///     front    elements that fit before `offset`; usable only by the transaction that created
///              the slice
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

  /// Creates a slice without spare capacity.
  @inline(__always)
  init(offset: UInt32, length: UInt32) {
    self.offset = offset
    self.length = length
    capacity = length
    front = 0
  }

  /// The number of elements that fit, including those before `offset`.
  var totalCapacity: Int { Int(front) + Int(capacity) }

  static let empty = CollectionSlice(offset: 0, length: 0, capacity: 0)
}
