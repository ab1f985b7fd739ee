public import Foundation
public import ObjectStore

// Unavailable overloads that produce helpful compiler messages.

extension StoreCoder {
  /// Unavailable: use `decodeArray(_:from:)` for a list.
  @available(*, unavailable, message: "use decodeArray(Element.self, from:) for a list")
  public func decode<T: Object>(_ type: [T].Type, from data: Data) throws -> [T] {
    throw StoreCodingError(.syntax)
  }

  /// Unavailable: use `encodeArray(_:useEnvelope:)` for a list.
  @available(*, unavailable, message: "use encodeArray(_:useEnvelope:) for a list")
  public func encode<T: Object>(_ objects: [T], useEnvelope: Bool = false) throws -> Data {
    throw StoreCodingError(.syntax)
  }
}
