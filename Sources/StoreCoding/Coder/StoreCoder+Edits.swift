public import Foundation
import JSONText
public import ObjectStore

// Bodies of edits, and the responses to them.

extension StoreCoder {
  /// Encodes an edit that was taken from a store.
  ///
  ///     for edit in try store.takeEdits() {
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
    _ edit: Edit, as format: BodyFormat = .changes, includesKey: Bool = true,
    linkedObjects: LinkedObjectForm = .key, useEnvelope: Bool = false
  ) throws -> Data {
    let plan = try plan(of: edit)
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
        // Differs from every value, so that attributes with an unknown base value are set.
        let unknown = JSONValue.array([.string("unknown")])
        let old = try base(of: edit, plan, rules, among: new, unknown: unknown)
        // A merge patch merges objects, so members that the server may have are cleared.
        let objects = Set(edit.objectsWithoutBase)
        let cleared = BodyRules.partial(linkedObjects)
        return try mergePatch(
          plan, envelope, from: old, to: new,
          replacing: plan.fields.filter { objects.contains($0.name) },
          from: objects.isEmpty ? JSONObject() : tree(plan, cleared) { try $0.row(view, plan) })
      case .jsonPatch(let tests):
        var rules = BodyRules(writesEmpty: true, linksByKey: linkedObjects == .key)
        let new = try tree(plan, rules) { try $0.row(view, plan) }
        let old = try base(of: edit, plan, rules, among: new, unknown: nil)
        rules.writesEmpty = false
        let document = try base(
          of: edit, plan, rules, among: tree(plan, rules) { try $0.row(view, plan) }, unknown: nil)
        let known = Set(edit.attributesWithBase)
        let cleared = plan.fields.filter {
          edit.attributes.contains($0.name) && !known.contains($0.name)
            && new.value(at: $0.path.components[...]) == nil
        }
        return try jsonPatch(
          plan, envelope, from: old, in: document, to: new, clearing: cleared, tests: tests)
      }
    }
  }

  /// Encodes a created object in full, or the key of a deleted one.
  private func whole(
    _ edit: Edit, _ plan: CodingPlan, _ envelope: KeyPath<CodingPlan, JSONPath?>?,
    includesKey: Bool, _ linkedObjects: LinkedObjectForm
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
      let selection = AttributeSelection(
        names: plan.alwaysEncodedFields.map(\.name), includesKey: includesKey)
      return try encoding(plan, envelope, .partial(.key)) { encoder, plan in
        try encoder.row(edit.baseRowView, plan, only: encoder.node(of: selection, plan))
      }
    }
  }

  /// Returns the members of the server's object, as far as they are known.
  ///
  /// - Parameters:
  ///   - new: The members of the object that is sent.
  ///   - unknown: The value of attributes whose base value is unknown; nil to leave them out.
  private func base(
    of edit: Edit, _ plan: CodingPlan, _ rules: BodyRules, among new: JSONObject,
    unknown: JSONValue?
  ) throws -> JSONObject {
    let known = edit.attributesWithBase
    let selection = AttributeSelection(names: known, includesKey: false)
    let old = try tree(plan, rules) { encoder in
      try encoder.row(edit.baseRowView, plan, only: encoder.node(of: selection, plan))
    }
    var members = new
    for field in plan.fields where edit.attributes.contains(field.name) {
      let path = field.path.components[...]
      members.set(known.contains(field.name) ? old.value(at: path) : unknown, at: path)
    }
    return members
  }

  func plan(of edit: Edit) throws -> CodingPlan {
    edit.modelType == DynamicObject.self
      ? try plan(ofPayload: edit.tableName) : try plan(edit.modelType)
  }

  // MARK: - Responses

  /// Confirms an edit by the server's response: what was sent becomes the base value, and the response is decoded.
  ///
  ///     let response = try await client.post("orders", body)
  ///     try coder.confirm(edit, with: response.body)
  ///
  /// If the server has assigned another key to a created object, the object gets it (see `Store.rekey`). If a refresh has
  /// already delivered an object with that key, the created object is merged into it. All in one transaction.
  ///
  /// - Parameters:
  ///   - edit: The edit that was sent.
  ///   - response: The object that the server returned; empty or nil if it returned none.
  ///   - path: The path to the object; see ``decode(_:from:at:key:)``.
  /// - Returns: The values of the response that conflict with edits made since; see `EditConflict`.
  /// - Throws: `editNotTaken`, `objectOfAnotherStore`, and the errors of ``decode(_:from:at:key:)``; nothing is confirmed
  ///   then.
  @discardableResult
  public func confirm(
    _ edit: Edit, with response: Data? = nil, at path: String? = nil
  ) throws -> [EditConflict] {
    guard let response, !response.isEmpty, edit.kind != .deleted else {
      try store.confirm(edit, with: nil)
      return []
    }
    let plan = try plan(of: edit)
    let envelope = try envelope(path, or: plan.objectEnvelope)
    return try store.write {
      // A response without the key is of the object that was sent; an invalid response throws below.
      let update = try? decodeUpdate(response, plan, in: envelope, key: nil)
      guard try store.confirm(edit, with: update) else { return [] }
      let key = update == nil ? store.currentKey(of: edit) : nil
      if update == nil, key == nil { return [] }
      let result: ReadResult<Object> = try readObject(response, plan, in: envelope, key: key)
      return result.conflicts
    }
  }
}

extension JSONObject {
  /// Returns the value at a path of object keys; nil if there is none. An index ends the path: arrays are whole.
  fileprivate func value(at path: ArraySlice<JSONPath.Component>) -> JSONValue? {
    guard let name = path.first?.key, let value = self[name] else { return JSONValue?.none }
    guard path.count > 1, case .object(let members) = value else { return value }
    return members.value(at: path.dropFirst())
  }

  /// Sets the value at a path of object keys, or removes it.
  fileprivate mutating func set(_ value: JSONValue?, at path: ArraySlice<JSONPath.Component>) {
    guard let name = path.first?.key else { return }
    guard path.count > 1, path.dropFirst().first?.key != nil else {
      self[name] = value
      return
    }
    var members = JSONObject()
    if case .object(let own) = self[name] { members = own }
    members.set(value, at: path.dropFirst())
    self[name] = .object(members)
  }
}
