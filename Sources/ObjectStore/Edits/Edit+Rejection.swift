import JSONText

extension Edit {
  /// The reason for which a server rejected a request: messages, by the attributes that they concern.
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
      /// The path of the attribute, such as `note` or `lines[2].count`; see `StoreCoder.attributePath(at:of:)`.
      public let attribute: String
      /// The messages, in the order of the response; not empty.
      public package(set) var messages: [String]

      package init(attribute: String, messages: [String]) {
        self.attribute = attribute
        self.messages = messages
      }
    }

    /// The messages that concern no attribute of the class, in the order of the response. A message about another name of
    /// the response begins with this name: `captcha: is wrong`.
    public package(set) var general: [String] = []
    /// The messages about attributes, in the order in which the response first names each attribute.
    public package(set) var attributes: [AttributeMessages] = []

    /// A Boolean value that indicates whether the server responded that it does not have the object; see
    /// ``Edit/Outcome/gone``. There are no messages then.
    public package(set) var isGone = false

    /// The rejection of an edit of an object that the server does not have.
    static var gone: Edit.Rejection {
      var rejection = Edit.Rejection()
      rejection.isGone = true
      return rejection
    }

    /// Creates a rejection from messages.
    ///
    ///     Edit.Rejection(attributes: ["note": ["is too long"]])
    ///
    /// - Parameters:
    ///   - general: The messages that concern no attribute.
    ///   - attributes: The messages by the path of the attribute. An attribute without messages is left out.
    public init(general: [String] = [], attributes: KeyValuePairs<String, [String]> = [:]) {
      self.general = general
      self.attributes = attributes.filter { !$0.value.isEmpty }.map {
        AttributeMessages(attribute: $0.key, messages: $0.value)
      }
    }

    /// Creates the rejection of an edit that conflicts with the server's values: a message for each attribute, such as
    /// `is now "c" on the server`.
    public init(_ conflicts: [Edit.Conflict]) {
      for conflict in conflicts {
        guard let attribute = conflict.attribute else {
          general.append("\(conflict)")
          continue
        }
        let value = PlannedText.text(conflict.server ?? .null)
        attributes.append(
          AttributeMessages(attribute: attribute, messages: ["is now \(value) on the server"]))
      }
    }

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
}

extension Edit.Rejection: CustomStringConvertible {
  /// The messages in one line: `Not saved; note: is too long; lines[2].count: is missing`.
  ///
  /// Control characters are escaped. At most twenty messages are included, each clipped to 200 characters.
  public var description: String {
    if isGone { return "the server does not have the object" }
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

// MARK: - Stored form

extension Edit.Rejection {
  /// The rejection as JSON text, its form in a base row.
  var storedText: String {
    if isGone { return "\(BaseLayout.goneRejection)" }
    let attributes = attributes.map { entry in
      JSONValue.object(
        JSONObject([
          (key: "attribute", value: .string(entry.attribute)),
          (key: "messages", value: .array(entry.messages.map { .string($0) })),
        ]))
    }
    return JSONValue.object(
      JSONObject([
        (key: "attributes", value: .array(attributes)),
        (key: "general", value: .array(general.map { .string($0) })),
      ])
    ).jsonText
  }

  /// Parses the stored form. Parts that are not valid, in a file that was edited, are ignored.
  init(stored text: UnsafeRawBufferPointer) {
    self.init()
    guard
      let value = JSONValue(text: text, dialect: .default, repairsUnicode: false),
      case .object(let members) = value
    else { return }
    isGone = members["gone"] == .bool(true)
    general = Self.strings(members["general"])
    guard case .array(let entries)? = members["attributes"] else { return }
    attributes = entries.compactMap { entry in
      guard case .object(let entry) = entry, case .string(let name)? = entry["attribute"] else {
        return nil
      }
      let messages = Self.strings(entry["messages"])
      return messages.isEmpty ? nil : AttributeMessages(attribute: name, messages: messages)
    }
  }

  private static func strings(_ value: JSONValue?) -> [String] {
    guard case .array(let elements)? = value else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
