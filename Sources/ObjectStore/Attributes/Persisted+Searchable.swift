extension Persisted where Value: _TextAttribute {
  // As in `Persisted.swift`, the initializers without options are inlined.

  /// Creates a string attribute whose words can be searched, without a default.
  ///
  /// - Parameters:
  ///   - indexed: True to also index the strings themselves, for equality, ranges and sorting.
  ///   - searchable: True to index the words of the string for queries with ``QueryPath/matches(_:)`` or
  ///     `TEXT`. The index takes about twenty bytes per word of a string; see <doc:Performance>.
  ///   - json: The JSON key, dotted path or pointer, which overrides `codableKeys`; nil to use `codableKeys` or the
  ///     attribute's name.
  @inlinable @inline(__always)
  public init(indexed: Bool = false, searchable: Bool, json: String? = nil) {
    self.init(tag: takeProbeTag(indexed: indexed, searchable: searchable, json: json))
  }

  /// Creates a string attribute whose words can be searched, with a default that is evaluated for each object.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, searchable: Bool,
    json: String? = nil
  ) {
    self.init(
      wrappedValue(), tag: takeProbeTag(indexed: indexed, searchable: searchable, json: json))
  }

  /// Creates a string attribute whose words can be searched, without a default, with JSON options.
  public init(
    indexed: Bool = false, searchable: Bool, json: String? = nil,
    _ options: AttributeOption<Value>...
  ) {
    self.init(
      tag: takeProbeTag(indexed: indexed, searchable: searchable, json: json, options.map(\.option))
    )
  }

  /// Creates a string attribute whose words can be searched, with a default and JSON options.
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, searchable: Bool,
    json: String? = nil, _ options: AttributeOption<Value>...
  ) {
    self.init(
      wrappedValue(),
      tag: takeProbeTag(indexed: indexed, searchable: searchable, json: json, options.map(\.option))
    )
  }
}
