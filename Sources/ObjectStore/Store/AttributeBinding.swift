/// Reads and writes an attribute of an object for a control of a user interface: the part of ``StoreBindable`` that needs no SwiftUI,
/// so that it is tested everywhere.
struct AttributeBinding<Element: ObjectBase, Value> {
  let object: Element
  let keyPath: ReferenceWritableKeyPath<Element, Value>

  var value: Value { object[keyPath: keyPath] }

  /// Assigns a value: in the open write, or in a write of its own. A deleted object stays as it is.
  /// - Throws: The errors of ``Store/write(_:)``; `notWriting` for a frozen object.
  func set(_ value: Value) throws {
    guard let handle = object.handle else {
      object[keyPath: keyPath] = value
      return
    }
    try handle.joinOrWrite {
      if !object.isInvalidated { object[keyPath: keyPath] = value }
    }
  }
}
