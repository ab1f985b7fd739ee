import JSONText

/// The values of a member that may be keys of other objects: `owner_id`, `friendIds`.
struct ReferenceSamples {
  /// Where each value stands first in the file, by its hash, and each element of those that are arrays; nil
  /// where there are more than are remembered, and where one is neither a number nor a text.
  private(set) var places: [Int: Int]? = [:]

  /// Reads the value that stands at an offset of a batch's input.
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
      if places?[hash] == nil { places?[hash] = batch.place + start }
    default: places = nil
    }
    if places?.count ?? 0 > KeySamples.limit { places = nil }
  }

  mutating func merge(_ other: ReferenceSamples) {
    guard let theirs = other.places else { return places = nil }
    places?.merge(theirs) { min($0, $1) }
  }
}

extension ClassNames {
  /// What the name of a member says its values are the keys of, the longest first: `in_reply_to_user_id` →
  /// `InReplyToUser`, `ReplyToUser`, `ToUser`, `User`. Nothing of a name that does not end in "id".
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
