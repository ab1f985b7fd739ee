public import Foundation
import JSONText
public import ObjectStore

extension StoreCoder {
  /// Encodes an object as JSON: attributes in declared order unless keys are sorted, without ignored attributes
  /// and, by default, without nil.
  ///
  /// Works on managed, unmanaged and frozen objects, inside and outside a write.
  /// - Parameters:
  ///   - object: The object to encode.
  ///   - useEnvelope: True to wrap the object in its class's `objectEnvelope`, if any.
  /// - Returns: JSON in UTF-8.
  /// - Throws: ``StoreCodingError``: `cycle`, `invalidRawJSON`, `nonFiniteNumber`, `objectInvalidated`,
  ///   `limitExceeded`.
  public func encode<T: Object>(_ object: T, useEnvelope: Bool = false) throws -> Data {
    try encoding(codingPlan(of: object), useEnvelope ? \.objectEnvelope : nil) { encoder, plan in
      try encoder.object(object, plan)
    }
  }

  /// Encodes an object in its frozen state; see ``encode(_:useEnvelope:)-(T,_)``.
  public func encode<T: Object>(_ object: Frozen<T>, useEnvelope: Bool = false) throws -> Data {
    try encoding(codingPlan(of: object.object), useEnvelope ? \.objectEnvelope : nil) {
      encoder, plan in
      try encoder.row(object.rowView, plan)
    }
  }

  /// Encodes objects as a JSON array. If one cannot be encoded, the error names its index.
  ///
  /// - Parameters:
  ///   - objects: The objects to encode.
  ///   - useEnvelope: True to wrap the array in the class's `listEnvelope`, if any.
  /// - Returns: JSON in UTF-8.
  public func encodeArray<S: Sequence>(
    _ objects: S, useEnvelope: Bool = false
  ) throws -> Data where S.Element: Object {
    try encoding(codingPlan(S.Element.self), useEnvelope ? \.listEnvelope : nil) { encoder, plan in
      let path = useEnvelope ? plan.listEnvelope?.elementPath ?? [] : []
      encoder.writer.beginArray()
      // Indexing avoids the iterator, which costs an unspecialized call per object.
      let isArray: Void? = try objects.withContiguousStorageIfAvailable { objects in
        for index in objects.indices {
          try element(objects[index], index, plan, at: path, &encoder)
        }
      }
      if isArray == nil {
        for (index, object) in objects.enumerated() {
          try element(object, index, plan, at: path, &encoder)
        }
      }
      encoder.writer.endArray()
    }
  }

  /// Encodes dynamic objects, possibly of several classes, as a JSON array.
  ///
  /// - Parameters:
  ///   - objects: The objects to encode.
  ///   - useEnvelope: True to wrap the array in the `listEnvelope` of the first object's class, if any. An empty
  ///     sequence has no class and is encoded as `[]`.
  /// - Returns: JSON in UTF-8.
  public func encodeArray<S: Sequence>(
    _ objects: S, useEnvelope: Bool = false
  ) throws -> Data where S.Element == DynamicObject {
    let objects = Array(objects)
    guard let first = objects.first else { return Data("[]".utf8) }
    return try encoding(codingPlan(of: first), useEnvelope ? \.listEnvelope : nil) {
      encoder, plan in
      let path = useEnvelope ? plan.listEnvelope?.elementPath ?? [] : []
      encoder.writer.beginArray()
      for (index, object) in objects.enumerated() {
        try element(object, index, codingPlan(of: object), at: path, &encoder)
      }
      encoder.writer.endArray()
    }
  }

  private func element<T: Object>(
    _ object: T, _ index: Int, _ plan: CodingPlan, at path: [JSONPath.Component],
    _ encoder: inout ObjectEncoder
  ) throws {
    do {
      let plan = type(of: object) == T.self ? plan : try codingPlan(of: object)
      if path.isEmpty { return try encoder.object(object, plan) }
      try encoder.nested(path[...]) { try $0.object(object, plan) }
    } catch var error as StoreCodingError {
      error.prepend(index: index)
      throw error
    }
  }

  func encoding(
    _ plan: CodingPlan, _ envelope: KeyPath<CodingPlan, JSONPath?>?,
    _ rules: BodyRules = BodyRules(), _ body: (inout ObjectEncoder, CodingPlan) throws -> Void
  ) throws -> Data {
    do {
      return try encode(
        plan, envelope, rules,
        stackDepth: min(DeepStack.shallowDepth, configuration.limits.depth), body)
    } catch is TooDeep {
      let depth = configuration.limits.usedDepth
      return try DeepStack.run(depth: depth) {
        try encode(plan, envelope, rules, stackDepth: depth, body)
      }
    }
  }

  private func encode(
    _ plan: CodingPlan, _ envelope: KeyPath<CodingPlan, JSONPath?>?, _ rules: BodyRules,
    stackDepth: Int,
    _ body: (inout ObjectEncoder, CodingPlan) throws -> Void
  ) throws -> Data {
    // Growing the buffer halves the speed; the size of the last body is the best estimate.
    var encoder = ObjectEncoder(configuration, rules, capacity: max(1024, lastOutputSize))
    encoder.stackDepth = stackDepth
    let keys = envelope.flatMap { plan[keyPath: $0] }?.components ?? []
    for component in keys {
      switch component {
      case .key(let key):
        encoder.writer.beginObject()
        encoder.writer.key(key)
      case .index(let index):
        encoder.writer.beginArray()
        var count = 0
        encoder.fill(to: index, &count)
      }
    }
    try body(&encoder, plan)
    for component in keys.reversed() {
      if case .index = component {
        encoder.writer.endArray()
      } else {
        encoder.writer.endObject()
      }
    }
    lastOutputSize = encoder.writer.count + encoder.writer.count / 16
    return encoder.writer.takeData()
  }
}
