public import Foundation
public import ObjectStore

// Payloads that are lists of primary keys.

extension StoreCoder {
  /// Decodes a list of primary keys, such as `[9129911, 9127761]`, and reports the outcomes.
  ///
  ///     let stories = try coder.readKeys(Story.self, from: topStories).objects
  ///
  /// An object that does not exist is created with the declared defaults of its other attributes, as by a link with `byKey`.
  /// Objects that exist are unchanged. Complete objects in place of keys are decoded as well. In a payload with several
  /// parts, use ``DocumentSection/keys(_:)``.
  ///
  /// - Parameters:
  ///   - type: The class of the objects, which needs a primary key of one attribute.
  ///   - className: The name of the class of dynamic objects, in place of `type`.
  ///   - data: The payload.
  ///   - path: The path to the list, as in ``decodeArray(_:dynamic:from:at:absent:)``; nil for the `listEnvelope` of the class.
  ///   - version: The version of the store at the time of the request, so that objects deleted since are not created again;
  ///     see ``read(_:dynamic:from:at:absent:asOf:)``.
  /// - Returns: The objects in the order of the payload. A repeated key has the same object again, which is counted as
  ///   merged and is an issue.
  /// - Throws: ``StoreCodingError``: `invalidDeclarations` for a class without such a key, and the errors of the keys. The
  ///   store is then unchanged.
  public func readKeys<T: Object>(
    _ type: T.Type = DynamicObject.self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, asOf version: StoreVersion? = nil
  ) throws -> ReadResult<T> {
    try read(data, keysPart(type, dynamic: className, at: path, asOf: version))
  }

  /// Decodes a list with the primary keys of all objects of a scope, and removes the objects of the scope that it lacks, in
  /// one transaction.
  ///
  ///     try coder.readKeys(Story.self, from: topStories, complete: .of(frontPage, \.stories))
  ///
  /// With `.of`, the objects become the elements of a list of an object. For the other parameters see
  /// ``read(_:dynamic:from:at:complete:missing:guard:absent:asOf:)``.
  /// - Throws: The errors of ``readKeys(_:dynamic:from:at:asOf:)``, and `incompleteList`. The store is then unchanged.
  @discardableResult
  public func readKeys<T: Object>(
    _ type: T.Type, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, complete scope: ListScope<T>,
    missing: ListScope<T>.Missing = .delete, guard limits: ListGuard = ListGuard(),
    asOf version: StoreVersion? = nil
  ) throws -> ReadResult<T> {
    try read(
      data, keysPart(type, dynamic: className, at: path, asOf: version), complete: scope,
      missing: missing, guard: limits)
  }
}
