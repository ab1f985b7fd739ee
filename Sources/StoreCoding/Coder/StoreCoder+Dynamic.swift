public import Foundation
public import ObjectStore

// Coding by class name, for dynamic classes and for declared classes already registered with the store.

extension StoreCoder {
  /// Decodes one object of the class with this name; see ``decode(_:from:at:key:)``.
  ///
  /// - Throws: ``StoreCodingError``; `StoreError.unknownClass`, `embeddedAlone`. The store is then unchanged.
  @discardableResult
  public func decode(
    dynamic className: String, from data: Data, at path: String? = nil, key: (any ObjectKey)? = nil
  ) throws -> DynamicObject {
    let plan = try codingPlan(ofPayload: className)
    return try decodeObject(data, plan, in: envelope(path, or: plan.objectEnvelope), key: key)
  }

  /// Decodes a list of objects of the class with this name in one transaction; see
  /// ``decodeArray(_:from:at:)``.
  ///
  ///     let user = ObjectSchema(
  ///       "User", [Property("id", .int, isPrimaryKey: true), Property("name", .string)])
  ///     let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: [user]))
  ///     let users = try coder.decodeArray(dynamic: "User", from: data)
  ///     print(users[0]["name"] as? String ?? "–")
  ///
  /// - Throws: ``StoreCodingError``; `StoreError.unknownClass`, `embeddedAlone`. The store is then unchanged.
  @discardableResult
  public func decodeArray(
    dynamic className: String, from data: Data, at path: String? = nil
  ) throws -> [DynamicObject] {
    let plan = try codingPlan(ofPayload: className)
    return try decodeList(data, plan, in: envelope(path, or: plan.listEnvelope, isList: true))
  }

  /// Decodes one object of the class with this name and reports the outcome.
  public func read(
    dynamic className: String, from data: Data, at path: String? = nil, key: (any ObjectKey)? = nil
  ) throws -> ReadResult<DynamicObject> {
    let plan = try codingPlan(ofPayload: className)
    return try readObject(data, plan, in: envelope(path, or: plan.objectEnvelope), key: key)
  }

  /// Decodes a list of objects of the class with this name and reports the outcomes.
  public func readArray(
    dynamic className: String, from data: Data, at path: String? = nil
  ) throws -> ReadResult<DynamicObject> {
    let plan = try codingPlan(ofPayload: className)
    return try readList(data, plan, in: envelope(path, or: plan.listEnvelope, isList: true))
  }

  /// Returns the changes in the payload to an object of the class with this name, without applying them.
  public func updateDictionary(
    dynamic className: String, from data: Data, at path: String? = nil, key: (any ObjectKey)? = nil
  ) throws -> UpdateDictionary {
    let plan = try codingPlan(ofPayload: className)
    return try decodeUpdate(data, plan, in: envelope(path, or: plan.objectEnvelope), key: key)
  }

  /// Returns the changes in each element of the payload to an object of the class with this name.
  public func updateDictionaries(
    dynamic className: String, from data: Data, at path: String? = nil
  ) throws -> [UpdateDictionary] {
    let plan = try codingPlan(ofPayload: className)
    return try decodeUpdates(data, plan, in: envelope(path, or: plan.listEnvelope, isList: true))
  }

  /// Returns a table of the mapping of the class with this name; see ``explain(_:)``.
  public func explain(dynamic className: String) -> String {
    do {
      return try codingPlan(dynamic: className).explanation
    } catch {
      return "\(error)"
    }
  }
}
