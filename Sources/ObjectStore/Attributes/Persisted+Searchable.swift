public import ObjectStoreShims

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
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      store_wrapper_mode_get() > 1
      ? takeProbeTag(isIndexed: indexed, isSearchable: searchable, json: json) : 0
  }

  /// Creates a string attribute whose words can be searched, with a default that is evaluated for each object.
  @inlinable @inline(__always)
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, searchable: Bool,
    json: String? = nil
  ) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : wrappedValue()
    tag =
      mode > 1 ? takeProbeTag(isIndexed: indexed, isSearchable: searchable, json: json) : 0
  }

  /// Creates a string attribute whose words can be searched, without a default, with JSON options.
  public init(
    indexed: Bool = false, searchable: Bool, json: String? = nil,
    _ options: AttributeOption<Value>...
  ) {
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      store_wrapper_mode_get() > 1
      ? takeProbeTag(
        AttributeFlags(
          isIndexed: indexed, isSearchable: searchable, json: json,
          options: options.map(\.option))) : 0
  }

  /// Creates a string attribute whose words can be searched, with a default and JSON options.
  public init(
    wrappedValue: @autoclosure () -> Value, indexed: Bool = false, searchable: Bool,
    json: String? = nil, _ options: AttributeOption<Value>...
  ) {
    let mode = store_wrapper_mode_get()
    value = mode == 1 ? Value._storagePlaceholder : wrappedValue()
    tag =
      mode > 1
      ? takeProbeTag(
        AttributeFlags(
          isIndexed: indexed, isSearchable: searchable, json: json,
          options: options.map(\.option))) : 0
  }
}
