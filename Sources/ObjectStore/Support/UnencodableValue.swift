/// A value of a Codable type whose `encode(to:)` threw an error.
public struct _UnencodableValue: Sendable, Hashable {
  // An array, so that a value takes no more space than the other values of UpdateValue.
  private let texts: [String]

  init<T>(_ value: T, _ error: any Error) {
    texts = ["\(T.self)", (error as? EncodingError)?.reason ?? "\(error)"]
  }

  /// The type of the value.
  var typeName: String { texts[0] }
  /// The description of the error.
  var reason: String { texts[1] }
}
