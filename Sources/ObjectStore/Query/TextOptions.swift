/// Options for comparing strings.
public struct TextOptions: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates the options with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Ignores case, so that `A` equals `a`: `[c]` in a format.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Ignores diacritics, so that `é` equals `e`: `[d]` in a format.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// The options in format syntax: `[cd]`, or an empty string.
  var text: String {
    isEmpty
      ? ""
      : "[" + (contains(.caseInsensitive) ? "c" : "")
        + (contains(.diacriticInsensitive) ? "d" : "") + "]"
  }
}
