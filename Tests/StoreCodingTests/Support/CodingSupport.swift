import Foundation
import ObjectStore
import StoreCoding
import TestSupport

/// Creates an in-memory store and a coder over it.
func makeCoder(
  _ change: (inout StoreCoder.Configuration) -> Void = { _ in }
) throws -> StoreCoder {
  var configuration = StoreCoder.Configuration.default
  change(&configuration)
  return try StoreCoder(store: Store(), configuration: configuration)
}

extension Data {
  var text: String { String(decoding: self, as: UTF8.self) }
}

extension StoreCoder {
  @discardableResult
  func decode<T: Object>(_ type: T.Type, _ text: String) throws -> T {
    try decode(type, from: Data(text.utf8))
  }

  @discardableResult
  func decodeArray<T: Object>(_ type: T.Type, _ text: String) throws -> [T] {
    try decodeArray(type, from: Data(text.utf8))
  }

  @discardableResult
  func decode<T: Object>(_ type: T.Type, fixture path: String) throws -> T {
    try decode(type, from: CodingFixtures.data(path))
  }

  @discardableResult
  func decodeArray<T: Object>(_ type: T.Type, fixture path: String) throws -> [T] {
    try decodeArray(type, from: CodingFixtures.data(path))
  }

  func text<T: Object>(_ object: T, useEnvelope: Bool = false) throws -> String {
    try encode(object, useEnvelope: useEnvelope).text
  }
}

/// The description of the error thrown by `body`, or "no error".
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}

/// The kind of the coding error thrown by `body`, or nil.
func kind(_ body: () throws -> Void) -> StoreCodingError.Kind? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StoreCodingError)?.kind
  }
}
