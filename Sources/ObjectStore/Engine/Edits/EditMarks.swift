/// The state of one attribute of an object with a base row. The raw values are part of the file format.
struct EditMarks: OptionSet {
  let rawValue: UInt64

  /// The attribute has an unconfirmed edit.
  static let edited = EditMarks(rawValue: 1)
  /// An edit with this attribute was taken, and its fate is unknown.
  static let sent = EditMarks(rawValue: 2)
  /// The server has sent another value since the edit began. Without ``known``, it may have removed a link since the attribute
  /// was sent, with a deleted object.
  static let moved = EditMarks(rawValue: 4)
  /// The base row holds the value that the server has.
  static let known = EditMarks(rawValue: 8)
  /// The attribute was sent before the last time, and the fate of that edit is unknown: the server may have another value
  /// than the base value.
  static let uncertain = EditMarks(rawValue: 16)
  /// The attribute has changed since it was last sent. Without this mark, only links to deleted objects can be missing from
  /// what was sent.
  static let changed = EditMarks(rawValue: 32)
  /// The attribute was missing when the edit began, or a payload has made it missing since: the base row holds what it then
  /// shows. With ``known``, the server has no value.
  static let missing = EditMarks(rawValue: 64)
  /// Another value was sent before, or the creation was sent without the attribute, and the fate of that edit is unknown.
  /// Without ``sent``, the creation is confirmed since, and it is unknown with which value.
  static let replaced = EditMarks(rawValue: 128)
  /// A payload has shown the object while its creation, with this attribute, was under way.
  static let shown = EditMarks(rawValue: 256)
  /// The object was brought back while its deletion was under way, with the value that the server then had.
  static let restored = EditMarks(rawValue: 512)

  /// The marks of what was sent.
  static let sending: EditMarks = [.sent, .uncertain, .changed, .replaced, .shown, .restored]

  /// True if the edit ends when the attribute is set to the base value.
  var canBeSetBack: Bool { subtracting(.missing) == [.edited, .known] }

  /// True if a confirmation does not say what the server has.
  var isOvertaken: Bool { contains(.moved) && hasNoValue }

  /// True if the base row has no value. In a tombstone, the class did not have the attribute when the object was deleted.
  var hasNoValue: Bool { isDisjoint(with: [.known, .missing]) }

  /// True if the attribute was missing when the edit began, and the server has not said its value since.
  var hasUnknownBase: Bool { contains(.missing) && !contains(.known) }

  /// The marks without those of the server's value.
  var withoutBase: EditMarks { subtracting([.known, .moved, .missing]) }
  /// The marks of an attribute of which the base row holds the server's value.
  var withBase: EditMarks { subtracting(.missing).union(.known) }
  /// The marks after a payload with this cell of the attribute. A declared default that stands for a missing value is not
  /// the server's.
  func withBase(_ cell: BatchCell) -> EditMarks {
    if !cell.isMissing { return withBase }
    return cell.state == .null ? withBase.union(.missing) : withoutBase.union(.missing)
  }
}
