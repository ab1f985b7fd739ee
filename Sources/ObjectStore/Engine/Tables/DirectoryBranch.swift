/// The directory of a table version's chunks, a tree of three levels:
///
///     segments ─▶ DirectorySegment ─▶ DirectoryNode ─▶ Chunk
///     (an array)  64 nodes            64 chunks        256 rows
///                 1,048,576 rows      16,384 rows
///
/// An entry is nil if all its rows are dead or it has no rows yet. The cost of a table is therefore proportional to the
/// rows it holds, not to those it once had: a commit copies one branch of each level, and loops skip absent entries
/// (R27). Slots are assigned in order, so entries past the row count are filled in place; all others are written only
/// by their owner (see ``TableVersion/ownNode(_:)``).
///
/// The entry of a chunk of ``TableVersion/lazyChunks`` is nil until a commit replaces it, or removes it by replacing it
/// with the empty chunk. Published versions read such entries, so a node that has them is never filled in place.
typealias DirectorySegment = DirectoryBranch<DirectoryNode>
typealias DirectoryNode = DirectoryBranch<Chunk>

/// The sizes of the directory's levels.
enum DirectoryLayout {
  /// The number of children of a branch.
  static let fanOut = 64
  static let shift = 6
  static let mask = 63
  /// The shift from a chunk's index to its segment's.
  static let segmentShift = 12
}

/// A branch of the directory: 64 entries for children, retained manually.
final class DirectoryBranch<Child: AnyObject> {
  let editOwner: UInt64
  let children: UnsafeMutablePointer<Unmanaged<Child>?>

  init(editOwner: UInt64) {
    self.editOwner = editOwner
    children = .allocate(capacity: DirectoryLayout.fanOut)
    children.initialize(repeating: nil, count: DirectoryLayout.fanOut)
  }

  init(copying other: DirectoryBranch, editOwner: UInt64) {
    self.editOwner = editOwner
    children = .allocate(capacity: DirectoryLayout.fanOut)
    children.initialize(from: other.children, count: DirectoryLayout.fanOut)
    for index in 0..<DirectoryLayout.fanOut { _ = children[index]?.retain() }
  }

  deinit {
    for index in 0..<DirectoryLayout.fanOut { children[index]?.release() }
    children.deallocate()
  }

  var isEmpty: Bool { (0..<DirectoryLayout.fanOut).allSatisfy { children[$0] == nil } }

  /// Replaces the child at an index, releasing the old one.
  func set(_ position: Int, _ child: Child?) {
    assert((0..<DirectoryLayout.fanOut).contains(position), "No child \(position) in a branch")
    let old = children[position]
    children[position] = child.map { Unmanaged.passRetained($0) }
    old?.release()
  }
}
