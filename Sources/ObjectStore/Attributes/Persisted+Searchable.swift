public import ObjectStoreShims

extension Persisted where Value: _TextAttribute {
  // As those of `Persisted.swift`: without options they are inlined.

  /// A text whose words can be searched, without a default.
  ///
  /// - Parameters:
  ///   - indexed: whether equal texts, ranges and orders are found without looking at all, too.
  ///   - searchable: whether queries find objects by the words of the text: by
  ///     ``QueryPath/matches(_:)`` or `TEXT`. The words are kept in an index, of some twenty bytes for
  ///     each word of a text; see <doc:Performance>.
  ///   - json: its JSON key, dotted path or pointer; wins over `codableKeys`. Nil: not said here.
  @inlinable @inline(__always)
  public init(indexed: Bool = false, searchable: Bool, json: String? = nil) {
    value = store_wrapper_mode_get() == 1 ? Value._storagePlaceholder : Value._storageDefault
    tag =
      store_wrapper_mode_get() > 1
      ? takeProbeTag(isIndexed: indexed, isSearchable: searchable, json: json) : 0
  }

  /// A text whose words can be searched, with a default, evaluated for each object.
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

  /// A text whose words can be searched, without a default, with options of its JSON.
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

  /// A text whose words can be searched, with a default, and with options of its JSON.
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
