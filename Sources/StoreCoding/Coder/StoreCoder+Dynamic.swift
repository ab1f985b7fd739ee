public import Foundation
public import ObjectStore

// Classes by name: those that only a schema describes, and declared ones that the store has met.

extension StoreCoder {
  /// Decodes one object of the class with this name; see ``decode(_:from:)``.
  ///
  /// - Throws: ``StoreCodingError``; `StoreError.unknownClass`, `embeddedAlone`. Then nothing was changed.
  @discardableResult
  public func decode(dynamic className: String, from data: Data) throws -> DynamicObject {
    try object(data, plan(ofPayload: className))
  }

  /// Decodes a list of objects of the class with this name in one transaction; see
  /// ``decodeArray(_:from:)-(T.Type,Data)``.
  ///
  ///     let user = ObjectSchema(
  ///       "User", [Property("id", .int, isPrimaryKey: true), Property("name", .string)])
  ///     let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: [user]))
  ///     let users = try coder.decodeArray(dynamic: "User", from: data)
  ///     print(users[0]["name"] as? String ?? "–")
  ///
  /// - Throws: ``StoreCodingError``; `StoreError.unknownClass`, `embeddedAlone`. Then nothing was changed.
  @discardableResult
  public func decodeArray(dynamic className: String, from data: Data) throws -> [DynamicObject] {
    try list(data, plan(ofPayload: className))
  }

  /// Decodes one object of the class with this name and tells what happened.
  public func read(dynamic className: String, from data: Data) throws -> ReadResult<DynamicObject> {
    try objectResult(data, plan(ofPayload: className))
  }

  /// Decodes a list of objects of the class with this name and tells what happened.
  public func readArray(
    dynamic className: String, from data: Data
  ) throws -> ReadResult<DynamicObject> {
    try listResult(data, plan(ofPayload: className))
  }

  /// What the payload would change of an object of the class with this name; nothing is applied.
  public func updateDictionary(
    dynamic className: String, from data: Data
  ) throws -> UpdateDictionary {
    try update(data, plan(ofPayload: className))
  }

  /// What each element of the payload would change of an object of the class with this name.
  public func updateDictionaries(
    dynamic className: String, from data: Data
  ) throws -> [UpdateDictionary] {
    try updates(data, plan(ofPayload: className))
  }

  /// The mapping of the class with this name as a table; see ``explain(_:)``.
  public func explain(dynamic className: String) -> String {
    do {
      return try plan(dynamic: className).explanation
    } catch {
      return "\(error)"
    }
  }
}
