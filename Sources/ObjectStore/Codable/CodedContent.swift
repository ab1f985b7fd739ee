/// A type with an empty value that ``Coded`` can store: arrays, sets and dictionaries of Codable values.
nonisolated public protocol CodedContent: Codable, Hashable {
  /// Creates the empty value.
  init()
}

extension Array: CodedContent where Element: Codable & Hashable {}
extension Set: CodedContent where Element: Codable {}
extension Dictionary: CodedContent where Key: Codable, Value: Codable & Hashable {}
