import JSONText

/// The values of a member that may be keys of other objects: `owner_id`, `friendIds`.
struct ReferenceSamples {
  /// The offset in the file of the first occurrence of each value or array element, by its hash. Nil if there are too
  /// many, or if one is neither a number nor a string.
  private(set) var offsets: [Int: Int]? = [:]

  /// Reads the value at an offset of a batch's input.
  mutating func note(_ batch: JSONSource.Batch, at byteOffset: Int) throws(JSONError) {
    var reader = JSONReader(batch.input)
    reader.rewind(to: byteOffset, depth: 0)
    guard reader.kind() == .array else { return try note(&reader, batch) }
    guard try reader.beginArray() else { return }
    repeat { try note(&reader, batch) } while try reader.arrayContinues()
  }

  private mutating func note(
    _ reader: inout JSONReader, _ batch: JSONSource.Batch
  ) throws(JSONError) {
    reader.skipWhitespace()
    let (start, kind) = (reader.byteOffset, reader.kind())
    try reader.skipValue()
    switch kind {
    case .null: return
    case .number, .string:
      let hash = KeySamples.hash(batch.input.bytes(start..<reader.byteOffset))
      if offsets?[hash] == nil { offsets?[hash] = batch.fileOffset + start }
    default: offsets = nil
    }
    if offsets?.count ?? 0 > KeySamples.limit { offsets = nil }
  }

  mutating func merge(_ other: ReferenceSamples) {
    guard let theirs = other.offsets else { return offsets = nil }
    offsets?.merge(theirs) { min($0, $1) }
  }
}

extension ClassNames {
  /// Returns the class names to which a member may refer by key, the longest first: `in_reply_to_user_id` →
  /// `InReplyToUser`, `ReplyToUser`, `ToUser`, `User`. Empty unless the name has a suffix such as `_id` or `Ids`.
  static func targets(of name: String) -> [String] {
    let ends = ["_ids", "_id", "Ids", "IDs", "Id", "ID"]
    guard let end = ends.first(where: { name.hasSuffix($0) }) else { return [] }
    var words: [String] = []
    for character in name.dropLast(end.count) {
      if !character.isLetter, !character.isNumber {
        words.append("")
      } else if character.isUppercase || words.isEmpty {
        words.append(String(character))
      } else {
        words[words.count - 1].append(character)
      }
    }
    words.removeAll { $0.isEmpty }
    return words.indices.map { self.name(words[$0...].joined(separator: "_"), isPlural: false) }
  }
}
