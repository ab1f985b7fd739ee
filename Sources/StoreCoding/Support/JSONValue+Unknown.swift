import Foundation
import ObjectStore

extension JSONValue {
  /// Stands in a state for a value that is not known: in a former one, a value that differs from every value of an
  /// attribute; in a new one, a value that no patch contains.
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
