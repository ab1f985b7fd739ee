/// A ``ValueCoding`` independent of its type. Two are equal if their types are; closures are not compared.
public struct _AnyValueCoding: Sendable, Hashable {
  /// The name of the type, for explanations.
  package let name: String
  /// The type of the values.
  let kind: ScalarKind
  private let type: ObjectIdentifier
  /// Passes the stored form of the value for JSON, as bits or bytes. Calls user code.
  let read: @Sendable (JSONValue, (UInt64, UnsafeRawBufferPointer) throws -> Void) throws -> Void
  /// Returns the JSON of a value in stored form, given as bits or bytes. Calls user code.
  package let write: @Sendable (UInt64, UnsafeRawBufferPointer) throws -> JSONValue

  init(
    name: String, kind: ScalarKind, type: any Any.Type,
    read:
      @escaping @Sendable (
        JSONValue, (UInt64, UnsafeRawBufferPointer) throws -> Void
      ) throws -> Void,
    write: @escaping @Sendable (UInt64, UnsafeRawBufferPointer) throws -> JSONValue
  ) {
    self.name = name
    self.kind = kind
    self.type = ObjectIdentifier(type)
    self.read = read
    self.write = write
  }

  /// True if both convert with the same type.
  public static func == (a: Self, b: Self) -> Bool { a.type == b.type }

  /// Hashes the type.
  public func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
