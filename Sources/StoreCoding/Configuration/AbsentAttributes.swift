/// The meaning of attributes that an object of a payload lacks.
///
///     try coder.decode(Order.self, from: detail, absent: .clear)
public enum AbsentAttributes: Sendable {
  /// The payload says nothing about them: they keep their values.
  case keep
  /// The server has no values for them: they become nil, empty collections, or the declared defaults of attributes that cannot
  /// be nil.
  ///
  /// This applies to the top-level objects of the payload: the object of a call, the elements of a list, of a page, of a stream
  /// or of a section. Each of them becomes whole: all its attributes are known (see `isKnown`), and a body leaves out what the
  /// payload leaves out. The same applies to nested objects without a primary key, which belong to their holder. Nested
  /// objects with a primary key are partial.
  ///
  /// Primary keys and attributes that the coder does not read stay unchanged. Members that an `.unread` attribute keeps of
  /// earlier payloads are removed. An attribute with an unconfirmed edit keeps its value, and the absence is a conflict like
  /// another value of the server.
  case clear
}
