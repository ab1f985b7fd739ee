public import ObjectStore

/// The messages of a server that rejected a request, by the attributes that they concern.
///
///     let rejection = coder.rejection(of: Order.self, in: body)
///     noteField.error = rejection[\Order.note].first
///     countField.error = rejection["lines[2].count"].first
///     banner.text = rejection.general.joined(separator: "\n")
///
/// The messages have the server's text. They can contain any characters; ``description`` is for logs.
public struct Rejection: Sendable, Hashable {
  /// The messages about one attribute.
  public struct AttributeMessages: Sendable, Hashable {
    /// The path of the attribute, such as `note` or `lines[2].count`; see ``StoreCoder/attributePath(at:of:)``.
    public let attribute: String
    /// The messages, in the order of the response; not empty.
    public internal(set) var messages: [String]
  }

  /// The messages that concern no attribute of the class, in the order of the response. A message about another name of
  /// the response begins with this name: `captcha: is wrong`.
  public internal(set) var general: [String] = []
  /// The messages about attributes, in the order in which the response first names each attribute.
  public internal(set) var attributes: [AttributeMessages] = []

  init() {}

  /// A Boolean value that indicates whether there is no message, for example because the body was empty.
  public var isEmpty: Bool { general.isEmpty && attributes.isEmpty }

  /// The messages about the attribute with this path; empty if there are none. Messages about the attributes of an
  /// embedded object, or about the elements of a collection, are not those of the attribute that holds them.
  ///
  /// - Complexity: O(*n*) in the number of attributes with messages.
  public subscript(attribute: String) -> [String] {
    attributes.first { $0.attribute.hasSameBytes(as: attribute) }?.messages ?? []
  }

  /// The messages about an attribute; empty if there are none. See ``subscript(_:)-(String)``.
  ///
  /// A key path to anything but a `@Persisted` attribute is misuse.
  public subscript<T: ObjectBase>(keyPath: PartialKeyPath<T>) -> [String] {
    self[T.attributeName(for: keyPath)]
  }
}

extension Rejection: CustomStringConvertible {
  /// The messages in one line: `Not saved; note: is too long; lines[2].count: is missing`.
  ///
  /// Control characters are escaped. At most twenty messages are included, each clipped to 200 characters.
  public var description: String {
    var shown = general.prefix(Self.shownCount).map { Self.clipped($0) }
    for entry in attributes where shown.count < Self.shownCount {
      for message in entry.messages.prefix(Self.shownCount - shown.count) {
        shown.append("\(Self.clipped(entry.attribute)): \(Self.clipped(message))")
      }
    }
    let count = attributes.reduce(general.count) { $0 + $1.messages.count }
    if count > shown.count { shown.append("and \(count - shown.count) more") }
    return shown.isEmpty ? "no messages" : shown.joined(separator: "; ")
  }

  private static let shownCount = 20

  private static func clipped(_ text: String) -> String {
    MessageText.clipped(text, characterCount: 200, byteCount: 600)
  }
}
