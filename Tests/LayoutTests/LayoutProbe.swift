import Foundation
import ObjectStore
import TestSupport

// Layout tests access the attributes of a class by key paths, so that one check covers hundreds of classes: the
// store reads what the wrapper writes, and vice versa.

/// A type with two sample values that differ from each other.
protocol Sampled: PersistableValue {
  static var samples: (Self, Self) { get }
  static func isEqual(_ a: Self, _ b: Self) -> Bool
}

extension Sampled where Self: Equatable {
  static func isEqual(_ a: Self, _ b: Self) -> Bool { a == b }
}

extension Bool: Sampled { static var samples: (Bool, Bool) { (true, false) } }
extension Int: Sampled { static var samples: (Int, Int) { (.min, 71) } }
extension Int8: Sampled { static var samples: (Int8, Int8) { (-71, 72) } }
extension Int16: Sampled { static var samples: (Int16, Int16) { (-7_001, 7_002) } }
extension UInt32: Sampled { static var samples: (UInt32, UInt32) { (.max, 7) } }
extension UInt64: Sampled { static var samples: (UInt64, UInt64) { (.max, 8) } }
extension Float: Sampled { static var samples: (Float, Float) { (0.5, -2) } }
extension Double: Sampled { static var samples: (Double, Double) { (0.1, -3e300) } }
extension Decimal: Sampled { static var samples: (Decimal, Decimal) { (12_345, -7) } }
extension Date: Sampled {
  static var samples: (Date, Date) {
    (Date(timeIntervalSince1970: 86_400), Date(timeIntervalSince1970: -1))
  }
}
extension String: Sampled {
  static var samples: (String, String) { ("short", "a text of more than fifteen bytes") }
}
extension Data: Sampled {
  static var samples: (Data, Data) { (Data([1, 2]), Data(repeating: 7, count: 40)) }
}
extension UUID: Sampled {
  static var samples: (UUID, UUID) {
    (
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
      UUID(uuid: (9, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 9))
    )
  }
}
extension URL: Sampled {
  static var samples: (URL, URL) {
    (URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b/c"))
  }
}
extension Species: Sampled { static var samples: (Species, Species) { (.horse, .cow) } }
extension Level: Sampled { static var samples: (Level, Level) { (.high, .low) } }
extension JSONValue: Sampled {
  static var samples: (JSONValue, JSONValue) { (["x": [1]], .string("y")) }
}
extension Optional: Sampled where Wrapped: Sampled & _PersistableEnumOrCodablePersistable {
  static var samples: (Wrapped?, Wrapped?) { (.some(Wrapped.samples.0), .some(Wrapped.samples.1)) }
  static func isEqual(_ a: Wrapped?, _ b: Wrapped?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return Wrapped.isEqual(a, b)
  }
}
extension List: Sampled where Element: Sampled & ScalarValue {
  static var samples: (List, List) {
    (List([Element.samples.0]), List([Element.samples.1, Element.samples.0]))
  }
  static func isEqual(_ a: List, _ b: List) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { Element.isEqual($0, $1) }
  }
}

/// An attribute of a class, with functions that write and check its samples.
struct LayoutAttribute<T: Object> {
  let name: String
  /// Assigns a sample through the wrapper.
  let write: (T, Int) -> Void
  /// Assigns a sample by name, which uses the results of reflection.
  let writeByName: (T, Int) -> Void
  /// Returns true if the wrapper and the name both read the sample.
  let holds: (T, Int) -> Bool
  /// Returns true if both objects have the same value.
  let isSame: (T, T) -> Bool

  init<V: Sampled>(_ name: String, _ keyPath: ReferenceWritableKeyPath<T, V>) {
    func sample(_ index: Int) -> V { index == 0 ? V.samples.0 : V.samples.1 }
    self.name = name
    write = { $0[keyPath: keyPath] = sample($1) }
    writeByName = { $0[name] = V._storageAny(sample($1)) }
    holds = { object, index in
      let value = sample(index)
      guard let named = V._storageValue(object[name]) else { return false }
      return V.isEqual(object[keyPath: keyPath], value) && V.isEqual(named, value)
    }
    isSame = { V.isEqual($0[keyPath: keyPath], $1[keyPath: keyPath]) }
  }
}

/// A class whose attributes are all tested in the same way.
protocol LayoutClass: Object {
  var id: Int { get set }
  static var attributes: [LayoutAttribute<Self>] { get }
}

/// Returns descriptions of all errors in accessing the attributes of the class.
func layoutMistakes<T: LayoutClass>(_ type: T.Type, _ store: Store) throws -> [String] {
  var mistakes: [String] = []
  func check(_ object: T, _ index: Int, _ step: String) {
    for attribute in T.attributes where !attribute.holds(object, index) {
      mistakes.append("\(T.self).\(attribute.name): \(step)")
    }
  }
  let attributes = T.attributes
  guard try ObjectSchema.of(type).properties.map(\.name) == ["id"] + attributes.map(\.name) else {
    return ["\(T.self): its attributes are \(try ObjectSchema.of(type))"]
  }
  let object = T()
  object.id = 1
  for attribute in attributes { attribute.write(object, 0) }
  check(object, 0, "written through the wrapper, unmanaged")
  for attribute in attributes { attribute.writeByName(object, 1) }
  check(object, 1, "written by name, unmanaged")
  try store.write { try store.add(object) }
  check(object, 1, "added")
  guard let accessor = store.object(ofType: type, forPrimaryKey: 1) else {
    return mistakes + ["\(T.self): not found"]
  }
  check(accessor, 1, "read from the store")
  try store.write { for attribute in attributes { attribute.write(accessor, 0) } }
  check(object, 0, "written through the wrapper, managed")
  try store.write { for attribute in attributes { attribute.writeByName(object, 1) } }
  check(accessor, 1, "written by name, managed")
  let made = try store.write { try store.create(type, value: ["id": 2]) }
  let plain = T()
  for attribute in attributes where !attribute.isSame(made, plain) {
    mistakes.append("\(T.self).\(attribute.name): its default")
  }
  guard object.id == 1, accessor.id == 1, made.id == 2 else {
    return mistakes + ["\(T.self).id: another attribute was written over it"]
  }
  return mistakes
}
