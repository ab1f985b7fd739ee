import Foundation
import ObjectStore

extension JSONValue {
  /// Stands in a former body for a value that is set and cannot be tested. Differs from every value of an attribute.
  static let unknown = JSONValue.array([.string("unknown \(UUID())")])

  /// True if the value or a part of it is ``unknown``.
  var containsUnknown: Bool {
    switch self {
    case .array(let elements): self == .unknown || elements.contains(where: \.containsUnknown)
    case .object(let members): members.contains { $0.value.containsUnknown }
    default: false
    }
  }
}
