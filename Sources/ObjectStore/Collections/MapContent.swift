/// A map, independent of its value type.
protocol MapContent {
  /// The pairs as an update; nil if an update cannot hold one of the values.
  var update: UpdateDictionary? { get }
  var pairs: [(key: String, value: Any)] { get }
}
