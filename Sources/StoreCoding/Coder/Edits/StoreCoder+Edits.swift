public import Foundation
import JSONText
public import ObjectStore

// Bodies of edits, and the responses to them.

extension StoreCoder {
  /// Encodes an edit that was taken from a store.
  ///
  ///     while let edit = try store.takeEdit() {
  ///       let body = try coder.encode(edit)                     // {"id":7,"note":null}
  ///       let patch = try coder.encode(edit, as: .mergePatch)   // {"note":null}
  ///     }
  ///
  /// A created object is encoded in full, with linked objects as their keys, and a deleted one as its key. If the creation
  /// was sent before and may have been applied, nil is written as null. Of an edited object, the body has the changed
  /// attributes: see ``encode(_:only:includesKey:linkedObjects:useEnvelope:)-(T,[String],_,_,_)`` for `.changes` and
  /// ``patch(from:to:as:linkedObjects:useEnvelope:)-(_,T,_,_,_)`` for the other formats. An attribute whose base value is
  /// unknown is set as a whole and cannot be tested. The attributes in `codableAlwaysEncoded` are in every body.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - format: The format of the body.
  ///   - includesKey: False to leave out the primary key of a full body and of `.changes`.
  ///   - linkedObjects: The form of linked objects.
  ///   - useEnvelope: True to wrap the object in its class's `objectEnvelope`, if any.
  /// - Returns: JSON in UTF-8.
  /// - Throws: ``StoreCodingError``: `notEncoded` for a JSON Patch of a created or deleted object, `notMergeable` for a
  ///   change that a merge patch cannot express, and the errors of ``encode(_:useEnvelope:)-(T,_)``.
  public func encode(
    _ edit: Edit, as format: CodingConfiguration.BodyFormat = .changes, includesKey: Bool = true,
    linkedObjects: CodingConfiguration.LinkedObjects = .key, useEnvelope: Bool = false
  ) throws -> Data {
    let plan = try codingPlan(of: edit)
    let envelope = useEnvelope ? \CodingPlan.objectEnvelope : nil
    if case .jsonPatch = format, edit.kind != .edited {
      throw StoreCodingError(
        .notEncoded, attribute: plan.className,
        expected: "an edited object in a JSON Patch, not a \(edit.kind) one")
    }
    guard let view = edit.rowView, edit.kind == .edited else {
      return try whole(edit, plan, envelope, includesKey: includesKey, linkedObjects)
    }
    return try withExtendedLifetime(edit) {
      switch format {
      case .changes:
        let selection = AttributeSelection(names: edit.attributes, includesKey: includesKey)
        return try encoding(plan, envelope, .partial(linkedObjects)) { encoder, plan in
          try encoder.row(view, plan, only: encoder.node(of: selection, plan))
        }
      case .mergePatch:
        let rules = BodyRules(
          nils: .omitted, writesEmpty: true, linksByKey: linkedObjects == .key)
        let new = try tree(plan, rules) { try $0.row(view, plan) }
        let marked = try tree(plan, rules.marked.writingNil) { try $0.row(view, plan) }
        let old = try base(of: edit, plan, rules.marked, among: new, leavesOutUnknown: false)
        // A merge patch merges objects, so members that the server may have are cleared.
        let objects = Set(edit.objectsWithoutBase)
        return try mergePatch(
          plan, envelope, from: old, to: new, marked,
          replacing: plan.fields.filter { objects.contains($0.name) })
      case .jsonPatch(let tests):
        var rules = BodyRules(writesEmpty: true, linksByKey: linkedObjects == .key)
        let new = try tree(plan, rules) { try $0.row(view, plan) }
        let marked = try tree(plan, rules.marked.writingNil) { try $0.row(view, plan) }
        let old = try base(of: edit, plan, rules.marked, among: new, leavesOutUnknown: true)
        rules.writesEmpty = false
        let document = try base(
          of: edit, plan, rules, among: tree(plan, rules) { try $0.row(view, plan) },
          leavesOutUnknown: true)
        let known = Set(edit.attributesWithBase)
        let cleared = plan.fields.filter {
          edit.attributes.contains($0.name) && !known.contains($0.name)
            && JSONValue.object(marked)[$0.path.components[...]] != .unknown
            && JSONValue.object(new)[$0.path.components[...]] == nil
            && JSONValue.object(document)[$0.path.components[...]] == nil
        }
        return try jsonPatch(
          plan, envelope,
          JSONPatch.States(base: old, document: document, new: new, marked: marked),
          unencoded: view, isComplete: false, clearing: cleared, tests: tests)
      }
    }
  }

  /// Encodes a created object in full, or the key of a deleted one.
  private func whole(
    _ edit: Edit, _ plan: CodingPlan, _ envelope: KeyPath<CodingPlan, JSONPath?>?,
    includesKey: Bool, _ linkedObjects: CodingConfiguration.LinkedObjects
  ) throws -> Data {
    try withExtendedLifetime(edit) {
      if let view = edit.rowView {
        // The server may have the values of an earlier request.
        let rules =
          edit.isResent
          ? BodyRules.partial(linkedObjects) : BodyRules(linksByKey: linkedObjects == .key)
        var excluded = Set(edit.excludedAttributes)
        if !includesKey { excluded.formUnion(plan.identifyingFields.map(\.name)) }
        return try encoding(plan, envelope, rules) { encoder, plan in
          if excluded.isEmpty { return try encoder.row(view, plan) }
          let names = plan.fields.filter { !$0.isIgnoredInEncoding && !excluded.contains($0.name) }
          let selection = AttributeSelection(names: names.map(\.name), includesKey: includesKey)
          try encoder.row(view, plan, only: encoder.node(of: selection, plan))
        }
      }
      let missing = plan.alwaysEncodedFields.filter { !edit.isGiven($0.attribute) }
      let selection = AttributeSelection(
        names: [], includesKey: includesKey, missingNames: missing.map(\.name))
      return try encoding(plan, envelope, .partial(.key)) { encoder, plan in
        try encoder.row(edit.baseRowView, plan, only: encoder.node(of: selection, plan))
      }
    }
  }

  /// Returns the members of the server's object, as far as they are known.
  ///
  /// - Parameters:
  ///   - new: The members of the object that is sent.
  ///   - leavesOutUnknown: True to leave out base values that are unknown or may not be the server's any more, instead of
  ///     replacing them by `JSONValue.unknown`. Those that are not nil, and elements of other arrays, are replaced in any
  ///     case, because the server has something there.
  private func base(
    of edit: Edit, _ plan: CodingPlan, _ rules: BodyRules, among new: JSONObject,
    leavesOutUnknown: Bool
  ) throws -> JSONObject {
    let known = edit.attributesWithBase
    let uncertain = edit.attributesWithUncertainBase
    let selection = AttributeSelection(names: known + uncertain, includesKey: false)
    let old = try tree(plan, rules) { encoder in
      try encoder.row(edit.baseRowView, plan, only: encoder.node(of: selection, plan))
    }
    var members = new
    let edited = plan.fields.filter { edit.attributes.contains($0.name) }
    func value(_ field: CodingField, in members: JSONObject) -> JSONValue? {
      JSONValue.object(members)[field.path.components[...]]
    }
    for field in edited {
      var base = value(field, in: old)
      if !known.contains(field.name) {
        if !leavesOutUnknown {
          // Members that the new value lacks are removed, and all others are set.
          base =
            uncertain.contains(field.name)
            ? base?.replacingScalars(by: .unknown) ?? .unknown : .unknown
        } else {
          base = base != nil && uncertain.contains(field.name) ? .unknown : nil
        }
      }
      members.set(base, at: field.path.components[...], like: old)
    }
    for field in edited { members.removeEmptyValues(along: field.path.components[...]) }
    for field in edited where !known.contains(field.name) && value(field, in: old) == nil {
      let array = field.path.components.prefix { $0.index == nil }
      if array.count < field.path.components.count,
        case .array(let elements)? = JSONValue.object(members)[array], !elements.isEmpty
      {
        members.set(.unknown, at: field.path.components[...], like: old)
      }
    }
    return members
  }

  func codingPlan(of edit: Edit) throws -> CodingPlan {
    edit.type == DynamicObject.self
      ? try codingPlan(DynamicObject.self, dynamic: edit.tableName) : try codingPlan(edit.type)
  }

  // MARK: - Responses

  /// Records the outcome of sending an edit, and decodes the response.
  ///
  ///     while let edit = try store.takeEdit() {
  ///       let response = try await client.send(edit, try coder.encode(edit))
  ///       try coder.settle(edit, response.status < 300 ? .confirmed(response.body) : .later)
  ///     }
  ///
  /// ``upload(_:absent:_:)`` calls it for each edit. See `Edit.Outcome` for the outcomes. An edit that is confirmed, or older
  /// than one that was confirmed, is left as it is.
  ///
  /// A confirmation makes what was sent the base value; later edits of the same attributes stay. If the response has another
  /// key for a created object, the object gets it (see `Store.rekey`). If a refresh has already delivered an object with that
  /// key, the created object is merged into it. The response to a creation that was sent again may be that to the first
  /// request: values that have changed since are then sent as a change. All in one transaction.
  ///
  /// If the server does not have an edited object (`.gone`), ``CodingConfiguration/resolveConflict`` can choose to delete it
  /// or to create it again.
  ///
  /// - Parameters:
  ///   - edit: The edit. One of `Store.pendingEdits()` accepts only `.later`, by which a rejected one is offered again.
  ///   - outcome: The outcome.
  ///   - absent: The meaning of attributes that the response lacks.
  /// - Returns: The values of the response that conflict with edits made since, or the object that the server does not have;
  ///   see `Edit.Conflict`.
  /// - Throws: `editNotTaken`, `objectOfAnotherStore`, the errors of the resolver and of the commit, and the errors of
  ///   ``decode(_:dynamic:from:at:key:absent:)``, also for a response to a changed object that has another key; nothing is
  ///   confirmed then.
  @discardableResult
  public func settle(
    _ edit: Edit, _ outcome: Edit.Outcome, absent: AbsentAttributes = .keep
  ) throws -> [Edit.Conflict] {
    guard case .confirmed(let response?, let path) = outcome, !response.isBlank,
      edit.kind != .deleted
    else { return try store.settle(edit, outcome, resolvingBy: configuration.conflictResolver) }
    let part = try part(of: edit, at: path, absent)
    return try store.write { try confirm(edit, with: response, part) }
  }

  private func confirm(
    _ edit: Edit, with response: Data, _ part: PayloadPart
  ) throws -> [Edit.Conflict] {
    var part = part
    // A response without the key is of the object that was sent; an invalid response throws below.
    let update = try? decodeUpdates(response, part).first
    guard try store.confirm(edit, with: update) else { return [] }
    // A response with another key, which only a creation may have, is not that of the edit.
    part.key = update == nil || edit.kind == .edited ? store.currentKey(of: edit) : nil
    if update == nil, part.key == nil { return [] }
    let result: ReadResult<Object> = try read(response, part)
    return result.conflicts
  }

  private func part(
    of edit: Edit, at path: String?, _ absent: AbsentAttributes
  ) throws -> PayloadPart {
    let plan = try codingPlan(of: edit)
    var part = PayloadPart(.one(plan), at: try envelope(path, or: plan.objectEnvelope))
    part.absent = absent
    return part
  }

  /// Decodes the object of an edit as the server has it now, for example after 409 or 412.
  ///
  ///     case 409, 412:
  ///       let fresh = try await client.get("orders/\(edit.keyText)")
  ///       let conflicts = try coder.decode(edit, from: fresh.body)
  ///       return conflicts.isEmpty ? .unapplied : .rejected(Edit.Rejection(conflicts))
  ///
  /// - Parameters:
  ///   - edit: The edit. It stays as it is.
  ///   - data: JSON in UTF-8 with the object, which may lack its key.
  ///   - path: The path to the object; see ``decode(_:dynamic:from:at:key:absent:)``.
  ///   - absent: The meaning of attributes that the object lacks.
  /// - Returns: The values that conflict with edits; see `Edit.Conflict`.
  /// - Throws: The errors of ``read(_:dynamic:from:at:key:absent:asOf:)``, also if the object has another key.
  @discardableResult
  public func decode(
    _ edit: Edit, from data: Data, at path: String? = nil, absent: AbsentAttributes = .keep
  ) throws -> [Edit.Conflict] {
    var part = try part(of: edit, at: path, absent)
    part.key = store.currentKey(of: edit) ?? edit.key
    let result: ReadResult<Object> = try read(data, part)
    return result.conflicts
  }
}

extension Data {
  /// True if the data is empty or has only white space of JSON.
  fileprivate var isBlank: Bool { allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) } }
}

extension JSONValue {
  /// Returns the value with each member and element that is no object replaced.
  fileprivate func replacingScalars(by value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return value }
    return .object(JSONObject(members.map { ($0.key, $0.value.replacingScalars(by: value)) }))
  }
}
