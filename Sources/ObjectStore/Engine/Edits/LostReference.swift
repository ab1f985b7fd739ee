/// A link to an object that was deleted locally. If the deletion is reverted, the link returns.
///
/// A tombstone stores its references as text, one per line: the table, the attribute, the slot of the row and the index in
/// a list, or the key in a map in hexadecimal digits after `#`, separated by tabs. A `~` before the index or the key says
/// that the server may lack the link.
struct LostReference {
  enum Position: Equatable {
    case index(Int)
    case key([UInt8])
  }

  let tableName: String
  let attributeName: String
  let slot: Int
  let position: Position
  /// False if the attribute was an edit when the object was deleted, or has been edited since: then the server may lack the
  /// link.
  var isOnServer = true

  /// An attribute of a row, and in a map a key. A list has several references of one place if it contained the object
  /// several times.
  struct Place: Hashable {
    let tableName: String
    let attributeName: String
    let slot: Int
    let key: [UInt8]?
  }

  var place: Place {
    var key: [UInt8]?
    if case .key(let bytes) = position { key = bytes }
    return Place(tableName: tableName, attributeName: attributeName, slot: slot, key: key)
  }

  /// A row that lost a link.
  struct Source: Hashable {
    let tableName: String
    let slot: Int

    init(_ tableName: String, _ slot: Int) {
      self.tableName = tableName
      self.slot = slot
    }
  }

  var source: Source { Source(tableName, slot) }

  /// Returns the same reference from another row.
  func moved(to source: Source) -> LostReference {
    LostReference(
      tableName: source.tableName, attributeName: attributeName, slot: source.slot,
      position: position, isOnServer: isOnServer)
  }

  /// Returns the same reference, whose link the server may lack.
  var notOnServer: LostReference {
    var reference = self
    reference.isOnServer = false
    return reference
  }

  /// The presence of the references of one place in a text.
  enum Presence {
    case none, same, other
  }

  /// Searches a text for these references, which have one place, in this order.
  ///
  /// Compares lines without parsing them, because a text may have one for each object of a class.
  static func presence(
    of references: [LostReference], in text: UnsafeRawBufferPointer
  ) -> Presence {
    let lines = references.map { Array(Self.text([$0]).utf8) }
    guard let first = lines.first else { return .none }
    var prefix = first[...]
    if references[0].place.key == nil {
      prefix = first[...(first.lastIndex(of: UInt8(ascii: "\t")) ?? 0)]
    }
    var count = 0
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let line = UnsafeRawBufferPointer(rebasing: text[start..<end])
      start = end + 1
      guard line.count >= prefix.count, line.starts(with: prefix) else { continue }
      if references[0].place.key != nil, line.count > prefix.count { continue }
      guard count < lines.count, line.elementsEqual(lines[count]) else { return .other }
      count += 1
    }
    return count == 0 ? .none : count == lines.count ? .same : .other
  }

  static func text(_ references: [LostReference]) -> String {
    references.map { reference in
      let position =
        switch reference.position {
        case .index(let index): "\(index)"
        case .key(let key):
          "#" + key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
      return [
        reference.tableName, reference.attributeName, "\(reference.slot)",
        (reference.isOnServer ? "" : "~") + position,
      ].joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// Parses a text. Lines that are not valid, in a file that was edited, are ignored.
  static func list(_ text: UnsafeRawBufferPointer?) -> [LostReference] {
    guard let text else { return [] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard parts.count == 4, let slot = Int(parts[2]), slot >= 0 else { return nil }
      let isOnServer = !parts[3].hasPrefix("~")
      guard let position = Position(parts[3].drop { $0 == "~" }) else { return nil }
      return LostReference(
        tableName: String(parts[0]), attributeName: String(parts[1]), slot: slot,
        position: position, isOnServer: isOnServer)
    }
  }
}

/// The links to an object that has a row again.
struct ReturningLinks {
  let table: Int
  let slot: Int
  let references: [LostReference]
  /// True if a deletion of the object was sent.
  let wasSent: Bool
}

extension LostReference.Position {
  fileprivate init?(_ text: Substring) {
    guard text.hasPrefix("#") else {
      guard let index = Int(text), index >= 0 else { return nil }
      self = .index(index)
      return
    }
    let digits = Array(text.dropFirst().utf8)
    var key: [UInt8] = []
    for start in stride(from: 0, to: digits.count - 1, by: 2) {
      guard
        let byte = UInt8(String(decoding: digits[start...start + 1], as: UTF8.self), radix: 16)
      else { return nil }
      key.append(byte)
    }
    self = .key(key)
  }
}
