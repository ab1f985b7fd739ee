public import Foundation
public import ObjectStore

// What the compiler says to programs that are mistaken. Nothing in this file can be called.

extension StoreCoder {
  /// A list is decoded by another call.
  @available(*, unavailable, message: "use decodeArray(Element.self, from:) for a list")
  public func decode<T: Object>(_ type: [T].Type, from data: Data) throws -> [T] {
    throw StoreCodingError(.syntax)
  }

  /// A list is encoded by another call.
  @available(*, unavailable, message: "use encodeArray(_:useEnvelope:) for a list")
  public func encode<T: Object>(_ objects: [T], useEnvelope: Bool = false) throws -> Data {
    throw StoreCodingError(.syntax)
  }
}
