/// The relation of the names of an object's members to the keys of the objects in them: `{"7": {"id": 7}}`.
struct MemberNameSamples {
  /// The number of objects whose key equals the name of their member, by index of `KeySamples.names`.
  private var matches = [Int](repeating: 0, count: KeySamples.names.count)

  /// - Parameter key: The JSON text of the key.
  mutating func note(_ name: [UInt8], key: UnsafeRawBufferPointer, at index: Int) {
    let isString = key.first == UInt8(ascii: "\"")
    let content = isString ? key.dropFirst().dropLast() : key[...]
    if content.elementsEqual(name), !content.contains(UInt8(ascii: "\\")) { matches[index] += 1 }
  }

  /// The name of the key that equals the name of each of `count` members; nil if there is none.
  func key(ofEach count: Int) -> String? {
    count == 0 ? nil : zip(KeySamples.names, matches).first { $0.1 == count }?.0
  }

  mutating func merge(_ other: MemberNameSamples) {
    for (index, count) in other.matches.enumerated() { matches[index] += count }
  }
}
