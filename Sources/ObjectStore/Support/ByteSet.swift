/// A set of byte strings with lookup that does not copy the argument.
///
///     table     open addressing with linear probing: 0 for an empty position, otherwise the number
///               of a string + 1
///     hashes    the hash of each string
///     ends      the end of each string in `bytes`, where they are contiguous
struct ByteSet {
  private let hash = KeyHash()
  private var table: [UInt32] = [0, 0]
  private var hashes: [UInt64] = []
  private var ends: [Int] = []
  private var bytes: [UInt8] = []
  /// A bit per length modulo 64, which rejects most strings that are not in the set.
  private var lengths: UInt64 = 0

  var count: Int { hashes.count }

  /// - Complexity: O(length), on average.
  func contains(_ string: UnsafeRawBufferPointer) -> Bool {
    if lengths >> UInt64(string.count & 63) & 1 == 0 { return false }
    return table[position(of: string, hash.bytes(string))] != 0
  }

  mutating func insert(_ string: UnsafeRawBufferPointer) {
    if 2 * count >= table.count { grow() }
    let hash = hash.bytes(string)
    let position = position(of: string, hash)
    if table[position] != 0 { return }
    bytes.append(contentsOf: string)
    ends.append(bytes.count)
    hashes.append(hash)
    lengths |= 1 << UInt64(string.count & 63)
    table[position] = UInt32(count)
  }

  /// Calls `body` with each string, in order of insertion.
  func forEach(_ body: (UnsafeRawBufferPointer) -> Void) {
    for number in 0..<count { withString(number, body) }
  }

  private func withString<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let range = (number == 0 ? 0 : ends[number - 1])..<ends[number]
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Returns the position of the string in the table, or the empty position where it would be inserted.
  private func position(of string: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
    let mask = table.count - 1
    var position = Int(truncatingIfNeeded: hash) & mask
    while table[position] != 0 {
      let number = Int(table[position]) - 1
      if hashes[number] == hash, withString(number, { $0.hasSameBytes(as: string) }) { break }
      position = (position + 1) & mask
    }
    return position
  }

  private mutating func grow() {
    let mask = 2 * table.count - 1
    table = Array(repeating: 0, count: mask + 1)
    for (number, hash) in hashes.enumerated() {
      var position = Int(truncatingIfNeeded: hash) & mask
      while table[position] != 0 { position = (position + 1) & mask }
      table[position] = UInt32(number + 1)
    }
  }
}
