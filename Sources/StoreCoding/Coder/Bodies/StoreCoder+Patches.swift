public import Foundation
import JSONText
public import ObjectStore

// Bodies with the changes between two states of an object.

extension StoreCoder {
  /// Encodes the changes of an object since a frozen state, for example the one that the server sent last.
  ///
  ///     let before = order.frozen()
  ///     try store.write { order.note = nil }
  ///     try coder.patch(from: before, to: order)                    // {"id":7,"note":null}
  ///     try coder.patch(from: before, to: order, as: .mergePatch)   // {"note":null}
  ///     try coder.patch(from: before, to: order, as: .jsonPatch())
  ///     // [{"op":"test","path":"/note","value":"a"},{"op":"remove","path":"/note"}]
  ///
  /// The states are compared as JSON, so a change of a linked object is not a change of this one, unless `linkedObjects`
  /// is `.full`, nor is another order of a `.keyed` list. The body applied to the encoded former state is the encoded new
  /// state, except for nulls and empty collections that attributes declare to omit. An attribute that is not known in the
  /// new state is unchanged, and one that is not known in the former state and nil in a managed or frozen object is set to
  /// nil. In a merge patch, an object that takes the place of another one also has its nil attributes, unless they are not
  /// known.
  ///
  /// - `.changes` is the body of ``encode(_:only:includesKey:linkedObjects:useEnvelope:)-(T,[String],_,_,_)`` with the
  ///   attributes that differ. Members that no attribute reads are not part of it.
  /// - A merge patch compares objects member by member at every depth. It also contains the attributes in `codableAlwaysEncoded`,
  ///   and not the primary key, except of a JSON:API resource, whose patch also contains its type.
  /// - A JSON Patch sets or removes whole attributes. Nil is removed, unless the attribute declares `.writesNil`, `.nilWhen`
  ///   or `.aliases`. An element of an array to which a pointer leads is replaced alone, nil by null, so that elements without
  ///   attributes stay. If the object or array along a path is new, or the former state has no value in the object, it is
  ///   added whole. It is never removed. The patch begins with tests of former values, as
  ///   ``CodingConfiguration/BodyFormat/Tests`` selects them.
  ///
  /// - Parameters:
  ///   - base: The former state.
  ///   - object: The object, managed or unmanaged, with the same primary key.
  ///   - format: The format of the body.
  ///   - linkedObjects: The form of linked objects.
  ///   - useEnvelope: True if the body is that of a document with the class's `objectEnvelope`, if any.
  /// - Returns: JSON in UTF-8; nil if the states do not differ. The members of patches are sorted by their names.
  /// - Throws: ``StoreCodingError``: `notMergeable` for a change that a merge patch cannot express, `typeMismatch` for two
  ///   different objects, `limitExceeded` for a body of more than 512 levels, and the errors of ``encode(_:useEnvelope:)-(T,_)``.
  public func patch<T: Object>(
    from base: Frozen<T>, to object: T, as format: CodingConfiguration.BodyFormat = .changes,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data? {
    let plan = try codingPlan(of: object)
    let isManaged = RowView(object) != nil
    return try patch(plan, base, format, linkedObjects, useEnvelope, marksBase: isManaged) {
      encoder, node in
      if let node {
        try encoder.object(object, plan, only: node)
      } else {
        try encoder.object(object, plan)
      }
    }
  }

  /// Encodes the changes between two frozen states of an object; see
  /// ``patch(from:to:as:linkedObjects:useEnvelope:)-(_,T,_,_,_)``.
  public func patch<T: Object>(
    from base: Frozen<T>, to object: Frozen<T>,
    as format: CodingConfiguration.BodyFormat = .changes,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data? {
    let plan = try codingPlan(of: object.object)
    return try patch(plan, base, format, linkedObjects, useEnvelope, marksBase: true) {
      encoder, node in
      if let node {
        try encoder.row(object.rowView, plan, only: node)
      } else {
        try encoder.row(object.rowView, plan)
      }
    }
  }

  /// - Parameters:
  ///   - marksBase: True if attributes that are not known in the former state differ from nil.
  ///   - write: Writes the new state, with the members of a node only if it is given.
  private func patch<T: Object>(
    _ plan: CodingPlan, _ base: Frozen<T>, _ format: CodingConfiguration.BodyFormat,
    _ linkedObjects: CodingConfiguration.LinkedObjects, _ useEnvelope: Bool, marksBase: Bool,
    _ write: (inout ObjectEncoder, EncodeNode?) throws -> Void
  ) throws -> Data? {
    guard try codingPlan(of: base.object) === plan else {
      throw StoreCodingError(
        .typeMismatch, attribute: plan.className, expected: "two states of one object",
        found: "objects of two classes")
    }
    try checkKeys(plan, base, write)
    var rules = BodyRules(writesEmpty: true, linksByKey: linkedObjects == .key)
    if format == .mergePatch { rules.nils = .omitted }
    let old = try tree(plan, marksBase ? rules.marked : rules) { try $0.row(base.rowView, plan) }
    let new = try tree(plan, rules) { try write(&$0, nil) }
    let marked = try tree(plan, rules.marked.writingNil) { try write(&$0, nil) }
    if JSONValue?.some(.object(new)).equals(.object(old), .object(marked)) { return nil }
    let envelope = useEnvelope ? \CodingPlan.objectEnvelope : nil
    switch format {
    case .changes:
      let changed = plan.fields.filter {
        let path = $0.path.components[...]
        return !$0.isIgnoredInEncoding && !new[path].equals(old[path], marked[path])
      }
      if changed.isEmpty { return nil }
      let selection = AttributeSelection(names: changed.map(\.name), includesKey: true)
      return try encoding(plan, envelope, .partial(linkedObjects)) { encoder, plan in
        try write(&encoder, encoder.node(of: selection, plan))
      }
    case .mergePatch:
      return try mergePatch(plan, envelope, from: old, to: new, marked)
    case .jsonPatch(let tests):
      rules.writesEmpty = false
      let document = try tree(plan, rules) { try $0.row(base.rowView, plan) }
      let cleared = plan.fields.filter {
        let path = $0.path.components[...]
        return !$0.isIgnoredInEncoding && old[path] == .unknown && new[path] == nil
          && marked[path] != .unknown
      }
      return try jsonPatch(
        plan, envelope,
        JSONPatch.States(base: old, document: document, new: new, marked: marked),
        unencoded: base.rowView, isComplete: true, clearing: cleared, tests: tests)
    }
  }

  /// Returns the merge patch that changes one body into another, with the attributes that are always encoded.
  ///
  /// - Parameters:
  ///   - marked: The new body with nil written, and with `JSONValue.unknown` for values that are not known.
  ///   - replaced: Attributes with objects that are sent whole.
  func mergePatch(
    _ plan: CodingPlan, _ envelope: KeyPath<CodingPlan, JSONPath?>?, from old: JSONObject,
    to new: JSONObject, _ marked: JSONObject, replacing replaced: [CodingField] = []
  ) throws -> Data {
    try encoding(plan, envelope) { encoder, plan in
      var patch = try MergePatch.difference(
        from: old, to: new, marked, along: encoder.node(plan)
      ) { encoder.node($0) }
      if plan.resourceType != nil {
        // JSON:API identifies the resource of every request (section 9.1.1).
        patch.copy([.key("type")], from: new)
        for field in plan.identifyingFields { patch.copy(field.path.components[...], from: new) }
      }
      if !replaced.isEmpty,
        case .object(let whole) = JSONValue.object(new).addingNulls(of: .object(marked))
      {
        for field in replaced { patch.copy(field.path.components[...], from: whole) }
      }
      // A null would remove the member that the server has.
      let known = new.withoutNulls
      for field in plan.alwaysEncodedFields {
        patch.copy(field.path.components[...], from: known)
      }
      try encoder.json(.object(patch), nil)
    }
  }

  /// Returns the JSON Patch that changes one body into another.
  ///
  /// - Parameters:
  ///   - states: The bodies. The document is the former body as the server has it.
  ///   - view: The row with the attributes that bodies do not contain.
  ///   - isComplete: False if the server may have elements of arrays that no attribute reads.
  ///   - cleared: Attributes that are set to nil although neither body contains them.
  func jsonPatch(
    _ plan: CodingPlan, _ envelope: KeyPath<CodingPlan, JSONPath?>?,
    _ states: JSONPatch.States<JSONObject>, unencoded view: RowView, isComplete: Bool,
    clearing cleared: [CodingField], tests: CodingConfiguration.BodyFormat.Tests
  ) throws -> Data {
    var states = states
    var elements: [CodingField] = []
    for field in cleared {
      var isElement = field.path.components.last?.index != nil
      let parent = field.path.components.dropLast()
      if case .object? = states.new[parent] ?? states.document[parent] { isElement = false }
      // Otherwise, the array is compared or added whole.
      if isElement, !isComplete {
        elements.append(field)
      } else {
        let null = field.nilSpellings.first ?? .null
        states.new.set(null, at: field.path.components[...], like: states.document)
        states.marked.set(null, at: field.path.components[...], like: states.document)
      }
    }
    let root = (envelope.flatMap { plan[keyPath: $0] }?.components ?? [])
      .reduce("") { JSONPatch.pointer($0, $1.key) }
    return try encoding(plan, nil) { encoder, plan in
      var patch = JSONPatch(
        states, along: encoder.node(plan), at: root, isComplete: isComplete,
        knownObjects: Self.objects(ofUnencoded: plan, view, at: root), tests: tests)
      func pointer(to field: CodingField) -> String {
        field.path.components.reduce(root) { JSONPatch.pointer($0, $1.key) }
      }
      for field in elements {
        patch.clear(elementAt: pointer(to: field), to: field.nilSpellings.first ?? .null)
      }
      for field in plan.alwaysEncodedFields {
        guard let value = states.document[field.path.components[...]] else { continue }
        patch.test(value, of: field, at: pointer(to: field))
      }
      try encoder.json(.array(patch.operations), nil)
    }
  }

  /// Returns the pointers to the objects that have values of attributes that are never encoded.
  private static func objects(
    ofUnencoded plan: CodingPlan, _ view: RowView, at root: String
  ) -> Set<String> {
    var pointers: Set<String> = []
    for field in plan.fields
    where field.isIgnoredInEncoding && field.hasPath && field.aliases.isEmpty
      && ObjectEncoder.hasValue(field, view)
    {
      var pointer = root
      for (component, next) in zip(field.path.components, field.path.components.dropFirst()) {
        pointer = JSONPatch.pointer(pointer, component.key)
        if next.index != nil { break }
        pointers.insert(pointer)
      }
    }
    return pointers
  }

  /// - Throws: `typeMismatch` if the states have different primary keys.
  private func checkKeys<T: Object>(
    _ plan: CodingPlan, _ base: Frozen<T>,
    _ write: (inout ObjectEncoder, EncodeNode?) throws -> Void
  ) throws {
    if plan.identifyingFields.isEmpty { return }
    let rules = BodyRules.partial(.key)
    let old = try encoding(plan, nil, rules) { encoder, plan in
      try encoder.row(base.rowView, plan, only: encoder.keyNode(plan))
    }
    let new = try encoding(plan, nil, rules) { encoder, plan in
      try write(&encoder, encoder.keyNode(plan))
    }
    guard old != new else { return }
    throw StoreCodingError(
      .typeMismatch, attribute: plan.className,
      expected: "the object \(String(decoding: old, as: UTF8.self))",
      found: String(decoding: new, as: UTF8.self))
  }

  /// The members of a body.
  func tree(
    _ plan: CodingPlan, _ rules: BodyRules, _ write: (inout ObjectEncoder) throws -> Void
  ) throws -> JSONObject {
    let body = try encoding(plan, nil, rules) { encoder, _ in try write(&encoder) }
    let value = body.withUnsafeBytes {
      JSONValue(text: $0, dialect: .default, repairsUnicode: false, keepsNotation: true)
    }
    // The body is JSON, so only its depth can be the reason.
    guard case .object(let members) = value else {
      throw StoreCodingError(
        .limitExceeded,
        expected: "\(JSONValue.depthLimit) nested arrays and objects in a JSONValue")
    }
    return members
  }
}

extension JSONObject {
  /// The object without members that are null, at any depth outside of arrays.
  fileprivate var withoutNulls: JSONObject {
    JSONObject(
      filter { $0.value != .null }.map { name, value in
        if case .object(let members) = value { return (name, .object(members.withoutNulls)) }
        return (name, value)
      })
  }

  /// Copies the value at a path of object keys from another object, if it has one there. Arrays are copied whole. Members
  /// that this object already has, such as null for a removed one, are kept.
  fileprivate mutating func copy(_ path: ArraySlice<JSONPath.Component>, from other: JSONObject) {
    guard let name = path.first?.key, let value = other[name] else { return }
    guard path.count > 1, case .object(let below) = value else {
      if case .object(let value) = value, case .object(var own) = self[name] {
        for (member, _) in value { own.copy([.key(member)], from: value) }
        self[name] = .object(own)
      } else if case .none = self[name] {
        self[name] = value
      }
      return
    }
    var members = JSONObject()
    if case .object(let own) = self[name] { members = own }
    members.copy(path.dropFirst(), from: below)
    self[name] = .object(members)
  }
}
