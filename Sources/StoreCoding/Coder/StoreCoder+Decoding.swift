public import Foundation
public import ObjectStore

extension StoreCoder {
  /// Decodes one object: inserts it, or updates the object that has its primary key with the attributes in the
  /// payload.
  ///
  /// Joins the open write transaction, or begins one.
  /// - Returns: The live object.
  /// - Throws: ``StoreCodingError``; the store is then unchanged.
  @discardableResult
  public func decode<T: Object>(_ type: T.Type, from data: Data) throws -> T {
    try decodeObject(data, plan(type))
  }

  /// Decodes a list of objects in one transaction.
  ///
  /// Elements with the same primary key are merged in order; each of their positions in the result holds the merged
  /// object.
  /// - Returns: The live objects in the order of the payload, without skipped elements.
  /// - Throws: ``StoreCodingError``; the store is then unchanged.
  @discardableResult
  public func decodeArray<T: Object>(_ type: T.Type, from data: Data) throws -> [T] {
    try decodeList(data, plan(type))
  }

  /// Decodes one object from a dictionary as produced by `JSONSerialization`.
  ///
  /// - Parameters:
  ///   - type: The class of the object.
  ///   - dictionary: The response or the object.
  ///   - topLevel: True if the dictionary is a whole response, including the envelope that the class declares, if any;
  ///     false if it is the bare object.
  @discardableResult
  public func decode<T: Object>(
    _ type: T.Type, from dictionary: [String: Any], topLevel: Bool = true
  ) throws -> T {
    try decodeObject(
      DictionaryText.json(of: dictionary, configuration.limits), plan(type), isSeen: false,
      isEnveloped: topLevel)
  }

  /// Decodes a list of objects, without envelope, from an array as produced by `JSONSerialization`.
  @discardableResult
  public func decodeArray<T: Object>(_ type: T.Type, from array: [Any]) throws -> [T] {
    try decodeList(
      DictionaryText.json(of: array, configuration.limits), plan(type), isSeen: false,
      isEnveloped: false)
  }

  /// Decodes a list of objects and reports the outcomes.
  ///
  ///     let result = try coder.read([User].self, from: data)
  ///     print(result.inserted, result.updated, result.unchanged, result.issues)
  ///
  /// - Throws: ``StoreCodingError``; the store is then unchanged.
  public func read<T: Object>(_ type: [T].Type, from data: Data) throws -> ReadResult<T> {
    try readList(data, plan(T.self))
  }

  /// Decodes one object and reports the outcome.
  public func read<T: Object>(_ type: T.Type, from data: Data) throws -> ReadResult<T> {
    try readObject(data, plan(T.self))
  }

  // MARK: - Update dictionaries

  /// Parses and checks the payload and returns its changes by attribute name, without applying them.
  ///
  /// The update retains the payload and creates its values from it on demand.
  /// - Throws: ``StoreCodingError``.
  public func updateDictionary<T: Object>(
    for type: T.Type, from data: Data
  ) throws -> UpdateDictionary {
    try decodeUpdate(data, plan(type))
  }

  /// Parses and checks a list and returns the changes of each element in order, without applying them.
  ///
  /// Each of the updates retains the whole payload and creates its values from it on demand.
  /// - Throws: ``StoreCodingError``.
  public func updateDictionaries<T: Object>(
    for type: T.Type, from data: Data
  ) throws -> [UpdateDictionary] {
    try decodeUpdates(data, plan(type))
  }
}
