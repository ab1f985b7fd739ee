public import Foundation
public import ObjectStore

extension StoreCoder {
  /// Decodes one object: inserts it, or updates the object that has its primary key with the attributes in the
  /// payload.
  ///
  /// Joins the open write transaction, or begins one.
  /// - Parameters:
  ///   - type: The class of the object.
  ///   - className: The name of the class of a dynamic object, in place of `type`: `decode(dynamic: "User", from: data)`.
  ///   - data: The payload.
  ///   - path: The path to the object in the payload, such as `"data.user"` or the pointer `"/data/0"` (RFC 6901); an
  ///     empty string if the payload is the object; nil for the `objectEnvelope` of the class.
  ///   - key: The primary key of the object, such as the id in the URL of the request, for a payload that need not contain
  ///     it; a `CompoundKey` for a class with several key attributes. A payload that contains another key is an error.
  ///     Nil if the payload contains the key.
  ///   - absent: The meaning of attributes that the payload lacks.
  /// - Returns: The live object.
  /// - Throws: ``StoreCodingError``; `StoreError` if `key` does not fit the class: `noPrimaryKey`, `typeMismatch`,
  ///   `outOfRange`, `primaryKeyNotFound`, `valueTooLarge`; `unknownClass`, `embeddedAlone` for a class name. The store is
  ///   then unchanged.
  @discardableResult
  public func decode<T: Object>(
    _ type: T.Type = DynamicObject.self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, key: (any ObjectKey)? = nil, absent: AbsentAttributes = .keep
  ) throws -> T {
    try decodeObject(data, part(type, dynamic: className, at: path, key: key, absent: absent))
  }

  /// Decodes a list of objects in one transaction.
  ///
  /// Elements with the same primary key are merged in order; each of their positions in the result holds the merged
  /// object.
  /// - Parameters:
  ///   - type: The class of the objects.
  ///   - className: The name of the class of dynamic objects, in place of `type`.
  ///   - data: The payload.
  ///   - path: The path to the list in the payload, such as `"data.items"` or the pointer `"/0/items"` (RFC 6901), with
  ///     `*` for each element if these contain the objects (`"/data/users/edges/*/node"`), or for each member if the list is
  ///     a JSON object (`"/entities/*"`); an empty string if the payload is the list; nil for the `listEnvelope` of the class.
  ///   - absent: The meaning of attributes that the objects lack.
  /// - Returns: The live objects in the order of the payload, without skipped elements.
  /// - Throws: ``StoreCodingError``; the store is then unchanged.
  @discardableResult
  public func decodeArray<T: Object>(
    _ type: T.Type = DynamicObject.self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, absent: AbsentAttributes = .keep
  ) throws -> [T] {
    try decodeList(data, listPart(type, dynamic: className, at: path, absent: absent))
  }

  /// Decodes a list of objects in one transaction; see ``decodeArray(_:dynamic:from:at:absent:)``.
  @discardableResult
  public func decode<T: Object>(
    _ type: [T].Type, dynamic className: String? = nil, from data: Data, at path: String? = nil,
    absent: AbsentAttributes = .keep
  ) throws -> [T] {
    try decodeList(data, listPart(T.self, dynamic: className, at: path, absent: absent))
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
    let plan = try codingPlan(type)
    return try decodeObject(
      DictionaryText.json(of: dictionary, configuration.limits),
      PayloadPart(.one(plan), at: topLevel ? plan.objectEnvelope : nil), isCallersText: false)
  }

  /// Decodes a list of objects, without envelope, from an array as produced by `JSONSerialization`.
  @discardableResult
  public func decodeArray<T: Object>(_ type: T.Type, from array: [Any]) throws -> [T] {
    try decodeList(
      DictionaryText.json(of: array, configuration.limits),
      PayloadPart(.list(codingPlan(type)), at: nil), isCallersText: false)
  }

  /// Decodes a list of objects and reports the outcomes.
  ///
  ///     let result = try coder.read([User].self, from: data)
  ///     print(result.inserted, result.updated, result.unchanged, result.issues)
  ///
  /// A response may arrive after an edit was confirmed that the server did not know when it made the response. With the
  /// version of the store at the time of the request, such a response does not undo the edit:
  ///
  ///     let requested = store.holdVersion()
  ///     let data = try await client.get("/users")
  ///     let result = try coder.read([User].self, from: data, asOf: requested)
  ///
  /// Left out are, at every depth, attributes whose edits were confirmed since the request, other attributes of the same
  /// object that have changed since, and objects whose deletions were confirmed since. Classes that do not track edits are
  /// not affected; see `Object.tracksEdits`.
  ///
  /// - Parameters:
  ///   - type: The class of the objects.
  ///   - className: The name of the class of dynamic objects: `read([DynamicObject].self, dynamic: "User", from: data)`.
  ///   - data: The payload.
  ///   - path: The path to the list; see ``decodeArray(_:dynamic:from:at:absent:)``.
  ///   - absent: The meaning of attributes that the objects lack.
  ///   - version: The version of the store at the time of the request; nil to apply all values.
  /// - Throws: ``StoreCodingError``; `StoreError.objectOfAnotherStore` for a version of another store. The store is then
  ///   unchanged.
  public func read<T: Object>(
    _ type: [T].Type, dynamic className: String? = nil, from data: Data, at path: String? = nil,
    absent: AbsentAttributes = .keep, asOf version: StoreVersion? = nil
  ) throws -> ReadResult<T> {
    try read(data, listPart(T.self, dynamic: className, at: path, absent: absent, asOf: version))
  }

  /// Decodes one object and reports the outcome; for `path`, `key` and `absent` see
  /// ``decode(_:dynamic:from:at:key:absent:)``, for `version` ``read(_:dynamic:from:at:absent:asOf:)``.
  public func read<T: Object>(
    _ type: T.Type = DynamicObject.self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, key: (any ObjectKey)? = nil, absent: AbsentAttributes = .keep,
    asOf version: StoreVersion? = nil
  ) throws -> ReadResult<T> {
    try read(
      data,
      part(type, dynamic: className, at: path, key: key, absent: absent, asOf: version))
  }

  // MARK: - Update dictionaries

  /// Parses and checks the payload and returns its changes by attribute name, without applying them.
  ///
  /// The update retains the payload and creates its values from it on demand. It includes `key`, if given. With
  /// `absent: .clear`, it includes the values of absent attributes, and writing it for the server makes them missing. For
  /// `path` and `key` see ``decode(_:dynamic:from:at:key:absent:)``.
  /// - Throws: ``StoreCodingError``.
  public func updateDictionary<T: Object>(
    for type: T.Type = DynamicObject.self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, key: (any ObjectKey)? = nil, absent: AbsentAttributes = .keep
  ) throws -> UpdateDictionary {
    try decodeUpdates(
      data, part(type, dynamic: className, at: path, key: key, absent: absent))[0]
  }

  /// Parses and checks a list and returns the changes of each element in order, without applying them.
  ///
  /// Each of the updates retains the whole payload and creates its values from it on demand. `path` leads to the list;
  /// see ``decodeArray(_:dynamic:from:at:absent:)``.
  /// - Throws: ``StoreCodingError``.
  public func updateDictionaries<T: Object>(
    for type: T.Type = DynamicObject.self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, absent: AbsentAttributes = .keep
  ) throws -> [UpdateDictionary] {
    try decodeUpdates(data, listPart(type, dynamic: className, at: path, absent: absent))
  }
}
