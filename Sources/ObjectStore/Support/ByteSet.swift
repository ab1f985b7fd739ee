/// Strings of bytes that are looked up by what they are, without a copy of what is looked for.
///
///     table     for each place 0, or the number of a string and 1; a string stands at its hash's place
///               or behind it, with no empty place between
///     hashes    of each string
///     ends      of each string in `bytes`, where they lie one behind the other
struct ByteSet {
  private let hash = KeyHash()
  private var table: [UInt32] = [0, 0]
  private var hashes: [UInt64] = []
  private var ends: [Int] = []
  private var bytes: [UInt8] = []
  /// A bit for each length there is, modulo 64: most of what is no member has another.
  private var lengths: UInt64 = 0

  var count: Int { hashes.count }

  /// - Complexity: O(length), on average.
  func contains(_ string: UnsafeRawBufferPointer) -> Bool {
    if lengths >> UInt64(string.count & 63) & 1 == 0 { return false }
    return table[place(of: string, hash.bytes(string))] != 0
  }

  mutating func insert(_ string: UnsafeRawBufferPointer) {
    if 2 * count >= table.count { grow() }
    let hash = hash.bytes(string)
    let place = place(of: string, hash)
    if table[place] != 0 { return }
    bytes.append(contentsOf: string)
    ends.append(bytes.count)
    hashes.append(hash)
    lengths |= 1 << UInt64(string.count & 63)
    table[place] = UInt32(count)
  }

  /// Calls `body` with each of them, in the order they were inserted.
  func forEach(_ body: (UnsafeRawBufferPointer) -> Void) {
    for number in 0..<count { withString(number, body) }
  }

  private func withString<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let range = (number == 0 ? 0 : ends[number - 1])..<ends[number]
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Where the string stands, or the empty place where it would.
  private func place(of string: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
    let mask = table.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while table[place] != 0 {
      let number = Int(table[place]) - 1
      if hashes[number] == hash, withString(number, { $0.hasSameBytes(as: string) }) { break }
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func grow() {
    let mask = 2 * table.count - 1
    table = Array(repeating: 0, count: mask + 1)
    for (number, hash) in hashes.enumerated() {
      var place = Int(truncatingIfNeeded: hash) & mask
      while table[place] != 0 { place = (place + 1) & mask }
      table[place] = UInt32(number + 1)
    }
  }
}
