public import Foundation
import JSONText
public import ObjectStore

extension StoreCoder {
  /// Compares a payload with one object to the mapping of its class and returns the differences.
  ///
  /// The store is not changed. A payload that ``decode(_:dynamic:from:at:key:absent:)`` refuses is audited as well, unless
  /// its text is not JSON. Conversions by your code run as in decoding. Of a duplicate key, all values are counted.
  /// - Parameters:
  ///   - type: The class of the object.
  ///   - className: The name of the class of a dynamic object, in place of `type`.
  ///   - data: The payload.
  ///   - path: The path to the object; see ``decode(_:dynamic:from:at:key:absent:)``.
  ///   - key: The primary key of the object, for a payload that need not contain it. A payload that contains another key
  ///     is not a mismatch. Nil if the payload contains the key.
  /// - Throws: ``StoreCodingError``: `syntax`, `limitExceeded`, `invalidDeclarations`.
  /// - Complexity: O(*n*) in the length of the payload.
  public func audit<T: Object>(
    _ type: T.Type = DynamicObject.self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, key: (any ObjectKey)? = nil
  ) throws -> Audit {
    try audit(data, PartNode(part(type, dynamic: className, at: path, key: key)))
  }

  /// Compares a list of objects to the mapping of their class and returns the differences; see
  /// ``audit(_:dynamic:from:at:key:)``.
  ///
  ///     let audit = try coder.audit([Order].self, from: data)
  ///     guard audit.isClean else { return print(audit) }
  ///
  /// `path` leads to the list; see ``decodeArray(_:dynamic:from:at:absent:)``.
  public func audit<T: Object>(
    _ type: [T].Type, dynamic className: String? = nil, from data: Data, at path: String? = nil
  ) throws -> Audit {
    try audit(data, PartNode(listPart(T.self, dynamic: className, at: path)))
  }

  /// Compares a payload with objects of several classes to their mappings and returns the differences; see
  /// ``audit(_:dynamic:from:at:key:)`` and <doc:Documents>.
  ///
  /// The results of all sections are in one audit. The keys of objects to delete are compared as well.
  /// - Throws: ``StoreCodingError``: `syntax`, `limitExceeded`, `invalidDeclarations`.
  public func audit(_ sections: [String: DocumentSection], from data: Data) throws -> Audit {
    try audit(data, root(of: sections))
  }

  /// Counts a call and audits its payload if it is one of ``audits``. A payload that is not JSON has no audit.
  func sample(_ data: Data, _ root: @autoclosure () -> PartNode) {
    guard audits.interval > 0 else { return }
    callCount += 1
    guard callCount >= audits.interval else { return }
    callCount = 0
    if let found = try? audit(data, root()) { audit.formUnion(found) }
  }

  private func audit(_ data: Data, _ root: PartNode) throws -> Audit {
    try checkByteCount(of: data)
    return try data.withUnsafeBytes { bytes in
      let input: JSONInput
      do throws(JSONError) {
        input = try JSONInput(borrowing: bytes)
      } catch {
        throw StoreCodingError(.syntax, expected: error.message, byteOffset: error.byteOffset)
      }
      do {
        return try store.withUnappliedBatch { batch in
          try DeepStack.run(depth: configuration.limits.usedDepth) {
            var walk = AuditWalk(input, batch, configuration)
            try walk.payload(root)
            return walk.audit
          }
        }
      } catch let error as StoreCodingError {
        let text = PayloadText(input, configuration, configuration.limits)
        throw error.described(in: text).located(in: text)
      }
    }
  }
}
