public import Foundation
public import ObjectStore

extension StoreCoder {
  /// Decodes one object: finds it by its primary key and updates what the payload has, or makes it.
  ///
  /// Joins the open write, or opens one.
  /// - Returns: the live object.
  /// - Throws: ``StoreCodingError``; then nothing was changed.
  @discardableResult
  public func decode<T: Object>(_ type: T.Type, from data: Data) throws -> T {
    try object(data, plan(type))
  }

  /// Decodes a list of objects in one transaction.
  ///
  /// Two elements with one key are merged in order; both places of the result are that object.
  /// - Returns: the live objects, in the order of the payload; elements that were left out lack.
  /// - Throws: ``StoreCodingError``; then nothing was changed.
  @discardableResult
  public func decodeArray<T: Object>(_ type: T.Type, from data: Data) throws -> [T] {
    try list(data, plan(type))
  }

  /// Decodes one object from what `JSONSerialization` makes.
  ///
  /// With `topLevel` the dictionary is a whole response, with the class's envelope if it declares
  /// one; without, it is the bare object.
  @discardableResult
  public func decode<T: Object>(
    _ type: T.Type, from dictionary: [String: Any], topLevel: Bool = true
  ) throws -> T {
    try object(
      DictionaryText.json(of: dictionary, configuration.limits), plan(type), isSeen: false,
      isEnveloped: topLevel)
  }

  /// Decodes a list of objects from what `JSONSerialization` makes of an array: the bare list.
  @discardableResult
  public func decodeArray<T: Object>(_ type: T.Type, from array: [Any]) throws -> [T] {
    try list(
      DictionaryText.json(of: array, configuration.limits), plan(type), isSeen: false,
      isEnveloped: false)
  }

  /// Decodes a list of objects and tells what happened.
  ///
  ///     let result = try coder.read([User].self, from: data)
  ///     print(result.inserted, result.updated, result.unchanged, result.issues)
  ///
  /// - Throws: ``StoreCodingError``; then nothing was changed.
  public func read<T: Object>(_ type: [T].Type, from data: Data) throws -> ReadResult<T> {
    try listResult(data, plan(T.self))
  }

  /// Decodes one object and tells what happened: counts of one object at most.
  public func read<T: Object>(_ type: T.Type, from data: Data) throws -> ReadResult<T> {
    try objectResult(data, plan(T.self))
  }

  // MARK: - Update dictionaries

  /// What the payload would change, by attribute names: parsed and checked, nothing applied.
  ///
  /// The update keeps the payload; its values are made of it when they are asked for.
  /// - Throws: ``StoreCodingError``.
  public func updateDictionary<T: Object>(
    for type: T.Type, from data: Data
  ) throws -> UpdateDictionary {
    try update(data, plan(type))
  }

  /// What each element of the payload would change, in its order.
  ///
  /// The updates keep the payload as long as one of them lives; their values are made of it when
  /// they are asked for.
  /// - Throws: ``StoreCodingError``.
  public func updateDictionaries<T: Object>(
    for type: T.Type, from data: Data
  ) throws -> [UpdateDictionary] {
    try updates(data, plan(type))
  }
}
