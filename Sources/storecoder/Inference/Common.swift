/// A property that all values may have in common.
struct Common<Value: Equatable> {
  /// The common property; nil if there is no value, or if values differ.
  private(set) var value: Value?
  /// True if values differ, or if one does not have the property.
  private(set) var isMixed = false

  mutating func note(_ new: Value?) {
    if isMixed { return }
    isMixed = new == nil || value != nil && value != new
    value = isMixed ? nil : new
  }

  mutating func merge(_ other: Common) {
    if other.isMixed || other.value != nil { note(other.value) }
  }
}
