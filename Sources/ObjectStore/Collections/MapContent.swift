/// A map whose types are not known.
protocol MapContent {
  /// The pairs as an update has them; nil if a value cannot stand in one.
  var update: UpdateDictionary? { get }
  var pairs: [(key: String, value: Any)] { get }
}
