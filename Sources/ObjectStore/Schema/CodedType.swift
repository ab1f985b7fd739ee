/// The Codable type of an attribute that is stored as JSON.
package struct CodedType: Sendable, Hashable {
  /// The name of the type in messages.
  package let name: String
  private let identity: ObjectIdentifier
  private let check: @Sendable (UnsafeRawBufferPointer) -> CodedMistake?

  /// - Parameter check: Decodes a stored JSON value; returns the reason why the type cannot represent it.
  init(
    _ type: Any.Type, check: @escaping @Sendable (UnsafeRawBufferPointer) -> CodedMistake?
  ) {
    name = "\(type)"
    identity = ObjectIdentifier(type)
    self.check = check
  }

  /// Decodes a stored JSON value with the initializer of the type, which is user code. Returns the reason why the type
  /// cannot represent the value; nil if it can.
  package func mistake(in stored: UnsafeRawBufferPointer) -> CodedMistake? { check(stored) }

  package static func == (a: CodedType, b: CodedType) -> Bool { a.identity == b.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
