/// The encoding of a value in a file.
///
///     signed, unsigned, bool, link   INTEGER; an unsigned one by its bit pattern, a link as the target's row number
///     real     REAL; a date as seconds since 2001, exactly as in memory; NaN and -0, which SQLite does not
///              preserve, as a BLOB of 8 bytes
///     text     TEXT: strings, decimals, URLs
///     json     JSON as TEXT, or the in-memory form as a BLOB if JSON cannot express the value; see ``FileJSON``
///     uuid     TEXT of 36 characters
///     data     BLOB
enum FileType: Sendable {
  case bool, signed, unsigned, real, text, json, uuid, data, link

  init(_ kind: ScalarKind) {
    switch kind {
    case .bool: self = .bool
    case .float, .double, .date: self = .real
    case .decimal, .string, .url: self = .text
    case .json: self = .json
    case .uuid: self = .uuid
    case .data: self = .data
    default: self = kind.signedRange != nil ? .signed : .unsigned
    }
  }

  /// The declared type of a column.
  var declaration: String {
    switch self {
    case .bool, .signed, .unsigned, .link: "INTEGER"
    case .real: "REAL"
    case .text, .json, .uuid: "TEXT"
    case .data: "BLOB"
    }
  }

  /// True if a value in memory is a sequence of bytes rather than a word.
  var isBytes: Bool { self == .text || self == .json || self == .uuid || self == .data }
}
