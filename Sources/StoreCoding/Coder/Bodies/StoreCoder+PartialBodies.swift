public import Foundation
import JSONText
public import ObjectStore

// Bodies with some of the attributes of an object.

extension StoreCoder {
  /// Encodes some attributes of an object, for a server that changes only what the body contains (`PATCH`).
  ///
  ///     try coder.encode(order, only: \.note, \.total)     // {"id":7,"total":12.5,"note":null}
  ///
  /// The body also contains the primary key, and the attributes in `codableAlwaysEncoded` that have been given a value. Nil is
  /// written as null and an empty collection as `[]` or `{}`, whatever the attributes declare: an absent attribute is
  /// unchanged, and null clears it. Of an attribute at a dotted path, only its own member is written. Collections and
  /// embedded objects are written whole, and so are arrays to which pointers with an index lead (`"/names/0"`).
  ///
  /// Works on managed, unmanaged and frozen objects, inside and outside a write.
  /// - Parameters:
  ///   - object: The object to encode.
  ///   - attributes: Key paths of attributes of the object itself, in any order. Misuse if one is not a `@Persisted`
  ///     attribute.
  ///   - includesKey: False to leave out the primary key, for example because the URL contains it.
  ///   - linkedObjects: The form of linked objects.
  ///   - useEnvelope: True to wrap the object in its class's `objectEnvelope`, if any.
  /// - Returns: JSON in UTF-8, with the attributes in declared order unless keys are sorted.
  /// - Throws: ``StoreCodingError``: `notEncoded` for an attribute that is never encoded, and the errors of
  ///   ``encode(_:useEnvelope:)-(T,_)``.
  /// - Complexity: O(*n*) in the size of the named attributes.
  public func encode<T: Object>(
    _ object: T, only attributes: PartialKeyPath<T>..., includesKey: Bool = true,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data {
    try encode(
      object, only: attributes.map { T.attributeName(for: $0) }, includesKey: includesKey,
      linkedObjects: linkedObjects, useEnvelope: useEnvelope)
  }

  /// Encodes the attributes of an object with some names; see
  /// ``encode(_:only:includesKey:linkedObjects:useEnvelope:)-(T,PartialKeyPath<T>...,_,_,_)``.
  ///
  /// - Throws: `notEncoded` for a name that is not an attribute, with a suggestion.
  public func encode<T: Object>(
    _ object: T, only names: [String], includesKey: Bool = true,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data {
    let plan = try codingPlan(of: object)
    let selection = AttributeSelection(names: names, includesKey: includesKey)
    return try encoding(plan, useEnvelope ? \.objectEnvelope : nil, .named(linkedObjects)) {
      encoder, plan in
      try encoder.object(
        object, plan, only: encoder.node(of: selection, plan, in: RowView(object)))
    }
  }

  /// Encodes some attributes of an object in its frozen state; see
  /// ``encode(_:only:includesKey:linkedObjects:useEnvelope:)-(T,PartialKeyPath<T>...,_,_,_)``.
  public func encode<T: Object>(
    _ object: Frozen<T>, only attributes: PartialKeyPath<T>..., includesKey: Bool = true,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data {
    try encode(
      object, only: attributes.map { T.attributeName(for: $0) }, includesKey: includesKey,
      linkedObjects: linkedObjects, useEnvelope: useEnvelope)
  }

  /// Encodes the attributes of an object with some names, in its frozen state; see
  /// ``encode(_:only:includesKey:linkedObjects:useEnvelope:)-(T,PartialKeyPath<T>...,_,_,_)``.
  ///
  /// - Throws: `notEncoded` for a name that is not an attribute, with a suggestion.
  public func encode<T: Object>(
    _ object: Frozen<T>, only names: [String], includesKey: Bool = true,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data {
    let plan = try codingPlan(of: object.object)
    let selection = AttributeSelection(names: names, includesKey: includesKey)
    return try encoding(plan, useEnvelope ? \.objectEnvelope : nil, .named(linkedObjects)) {
      encoder, plan in
      try encoder.row(
        object.rowView, plan, only: encoder.node(of: selection, plan, in: object.rowView))
    }
  }

  /// Encodes some attributes of objects as a JSON array; see
  /// ``encode(_:only:includesKey:linkedObjects:useEnvelope:)-(T,PartialKeyPath<T>...,_,_,_)``. If an object cannot be
  /// encoded, the error names its index.
  ///
  /// With `useEnvelope`, the array is wrapped in the class's `listEnvelope`, if any.
  public func encodeArray<S: Sequence>(
    _ objects: S, only attributes: PartialKeyPath<S.Element>..., includesKey: Bool = true,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data where S.Element: Object {
    try encodeArray(
      objects, only: attributes.map { S.Element.attributeName(for: $0) }, includesKey: includesKey,
      linkedObjects: linkedObjects, useEnvelope: useEnvelope)
  }

  /// Encodes the attributes of objects with some names as a JSON array. Dynamic objects must all be of one class.
  ///
  /// - Throws: `notEncoded` for a name that is not an attribute, with a suggestion.
  public func encodeArray<S: Sequence>(
    _ objects: S, only names: [String], includesKey: Bool = true,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data where S.Element: Object {
    let objects = Array(objects)
    let selection = AttributeSelection(names: names, includesKey: includesKey)
    // A dynamic type has no class without an object.
    if objects.isEmpty, S.Element.self == DynamicObject.self { return Data("[]".utf8) }
    let plan = try objects.first.map { try codingPlan(of: $0) } ?? codingPlan(S.Element.self)
    return try encoding(plan, useEnvelope ? \.listEnvelope : nil, .named(linkedObjects)) {
      encoder, plan in
      let path = useEnvelope ? plan.listEnvelope?.elementPath ?? [] : []
      if objects.isEmpty { _ = try encoder.node(of: selection, plan) }
      encoder.writer.beginArray()
      for (index, object) in objects.enumerated() {
        do {
          let plan = try codingPlan(of: object)
          let node = try encoder.node(of: selection, plan, in: RowView(object))
          try encoder.nested(path[...]) { try $0.object(object, plan, only: node) }
        } catch var error as StoreCodingError {
          error.prepend(index: index)
          throw error
        }
      }
      encoder.writer.endArray()
    }
  }
}
