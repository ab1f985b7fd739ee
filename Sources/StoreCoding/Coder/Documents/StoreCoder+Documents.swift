public import Foundation
public import ObjectStore

// Payloads with several sections of objects.

extension StoreCoder {
  /// Decodes a payload with objects of several classes in one transaction, and reports the outcomes.
  ///
  ///     let document = try coder.read(
  ///       ["posts": .list(Post.self), "users": .keyed(User.self), "removed": .deleted(Post.self)],
  ///       from: data)
  ///     print(document[Post.self].inserted, document[Post.self].deleted)
  ///
  /// The sections may be in any order in the payload, and objects may link to objects of later sections. If a key on the
  /// path of a section is duplicated, the last value wins.
  /// - Parameters:
  ///   - sections: The parts of the payload by their dotted paths or pointers (RFC 6901); an empty path if the payload
  ///     is the section. No section may contain another.
  ///   - data: The payload.
  ///   - absent: The meaning of attributes that the objects of the sections lack.
  ///   - version: The version of the store at the time of the request; see ``read(_:dynamic:from:at:absent:asOf:)``. A deletion
  ///     of the document is applied in any case.
  /// - Throws: ``StoreCodingError``: `envelopeNotFound` for an absent section that is not
  ///   ``DocumentSection/optional``, `invalidDeclarations` for wrong paths and classes, and the errors of the objects.
  ///   The store is then unchanged.
  public func read(
    _ sections: [String: DocumentSection], from data: Data, absent: AbsentAttributes = .keep,
    asOf version: StoreVersion? = nil
  ) throws -> DecodedDocument {
    let root = try root(of: sections, absent: absent)
    sample(data, root)
    return try decoding(data, issueLimit: IssueLog.resultLimit) {
      try $0.read(root)
    } finish: { batch, payload in
      try document(root.parts, batch, payload, byteCount: data.count, asOf: version)
    }
  }

  // MARK: - Sections

  /// Arranges the sections as a tree. Its parts are in the order of the paths.
  /// - Throws: `invalidDeclarations` with all mistakes.
  func root(
    of sections: [String: DocumentSection], absent: AbsentAttributes = .keep
  ) throws -> PartNode {
    if sections.isEmpty {
      throw StoreCodingError(.invalidDeclarations(["a document needs at least one section"]))
    }
    var mistakes: [String] = []
    var parts: [PayloadPart] = []
    for (text, section) in sections.sorted(byBytesOf: \.key) {
      do {
        var part = PayloadPart(
          try content(section),
          at: text.isEmpty ? nil : try JSONPath(checking: text, isList: section.isArray))
        part.index = parts.count
        part.isOptional = section.isOptional
        part.isSection = true
        part.absent = absent
        parts.append(part)
      } catch let mistake as JSONPath.Mistake {
        mistakes.append("section '\(text)': \(mistake.sentence)")
      } catch let error as StoreCodingError {
        guard case .invalidDeclarations(let more) = error.kind else { throw error }
        mistakes += more.filter { !mistakes.contains($0) }
      }
    }
    guard mistakes.isEmpty else { throw StoreCodingError(.invalidDeclarations(mistakes)) }
    let root = PartNode(parts.map { ($0.path?.components[...] ?? [], $0) }, mistakes: &mistakes)
    guard mistakes.isEmpty else { throw StoreCodingError(.invalidDeclarations(mistakes)) }
    return root
  }

  /// - Throws: `invalidDeclarations`; `JSONPath.Mistake` for a class or a tag that does not fit the section.
  private func content(_ section: DocumentSection) throws -> PayloadPart.Content {
    switch section.content {
    case .one(let type): return .one(try codingPlan(type))
    case .list(let type): return .list(try codingPlan(type))
    case .keys(let type): return .keys(try singleKeyPlan(type, "keys"))
    case .keyed(let type): return .keyed(try singleKeyPlan(type, "keyed"))
    case .deleted(let type):
      let plan = try codingPlan(type)
      if plan.identifyingFields.isEmpty {
        throw JSONPath.Mistake(
          sentence: "'deleted' needs a primary key, which \(plan.className) does not have")
      }
      return .deleted(plan)
    case .mixed(let tag, let classes, let otherwise):
      if let other = section.otherClasses.first {
        throw JSONPath.Mistake(sentence: "\(other) is not a JSON:API resource")
      }
      if classes.isEmpty, otherwise == nil { throw JSONPath.Mistake(sentence: "it has no classes") }
      return .mixed(
        TaggedClasses(
          tag: try JSONPath(checking: tag),
          try classes.sorted(byBytesOf: \.key).map { ($0.key, try codingPlan($0.value)) },
          otherwise: try otherwise.map { try codingPlan($0) },
          acceptsSingleObject: section.containsResources))
    }
  }

  private func singleKeyPlan(_ type: Object.Type, _ section: String) throws -> CodingPlan {
    let plan = try codingPlan(type)
    if let mistake = plan.codingClass.schema.singleKeyMistake {
      throw JSONPath.Mistake(sentence: "'\(section)' \(mistake)")
    }
    return plan
  }

  // MARK: - Results

  /// Applies a document and collects its objects.
  private func document(
    _ parts: [PayloadPart], _ batch: RowBatch, _ payload: PayloadFacts, byteCount: Int,
    asOf version: StoreVersion?
  ) throws -> DecodedDocument {
    let contents = payload.contents
    let deletions = zip(parts, contents).flatMap { part, content in
      content.deletedKeys.map { (class: part.plan.codingClass, key: $0) }
    }
    let applied = try store.apply(
      batch, depth: payload.depth, deleting: deletions, as: valueAuthor, asOf: version)
    var isDeleted = applied.isDeleted[...]
    var log = payload.issues
    let read = zip(parts, contents).map { $1.elements(of: $0, in: batch) }
    let elements = elements(parts, read, batch, &log)
    for row in batch.rowsWithoutEarlierMembers { log.append(droppedMembersIssue(row)) }
    let conflicts = ConflictIndex(applied.conflicts)
    return DecodedDocument(
      elements: elements,
      sections: parts.map { part in
        let (content, elements) = (contents[part.index], read[part.index])
        let count = content.deletedKeys.count
        defer { isDeleted = isDeleted.dropFirst(count) }
        return DecodedDocument.Section(
          path: part.path?.text ?? "", classes: part.plans.map(\.codingClass.modelType),
          ranges: content.ranges, deletedCount: isDeleted.prefix(count).count(where: \.self),
          isDeletion: part.content.isDeletion, deletedLocally: deletedLocally(elements),
          conflicts: conflicts.isEmpty
            ? [] : conflicts.indexes(of: identities(part, elements, content.deletedKeys)))
      },
      issues: log.located(in: payload.text), issueCount: log.reportedCount, byteCount: byteCount,
      payloadMetadata: PayloadMetadata(
        of: parts.contains { $0.path == nil } ? nil : payload.ranges, in: payload.text.input,
        parts.compactMap(\.path), configuration),
      conflicts: applied.conflicts)
  }

  private func deletedLocally(
    _ elements: [PartContent.Element]
  ) -> [(type: ObjectBase.Type, key: UpdateValue)] {
    elements.filter(\.row.isWithheld).map { element in
      let codingClass = element.plan.codingClass
      return (codingClass.modelType, store.key(of: element.row, codingClass))
    }
  }

  /// The objects that a section contains or deletes.
  private func identities(
    _ part: PayloadPart, _ elements: [PartContent.Element], _ deletedKeys: [BatchCell]
  ) -> [ConflictIndex.Identity] {
    elements.map { element in
      ConflictIndex.Identity(
        className: element.plan.className,
        key: element.plan.identifyingFields.isEmpty
          ? .null : store.key(of: element.row, element.plan.codingClass))
    }
      + deletedKeys.map {
        ConflictIndex.Identity(
          className: part.plan.className, key: store.key($0, part.plan.codingClass))
      }
  }

  /// The objects of an applied document in payload order. Appends an issue for each that repeats one of its section.
  private func elements(
    _ parts: [PayloadPart], _ elements: [[PartContent.Element]], _ batch: RowBatch,
    _ log: inout IssueLog
  ) -> [DecodedDocument.Element] {
    struct Identity: Hashable {
      let schema: ObjectIdentifier
      let slot: Int
      /// Nil for the whole document.
      var section: Int?
    }
    let all = parts.flatMap { part in elements[part.index].map { (part: part, element: $0) } }
      .sorted(byNumber: \.element.row.source)
    var rowsByClass: [ObjectIdentifier: [BatchRow]] = [:]
    for (_, element) in all {
      rowsByClass[element.plan.codingClass.schema.schemaID, default: []].append(element.row)
    }
    var outcomes = rowsByClass.mapValues { batch.outcomes(of: $0)[...] }
    var seen: Set<Identity> = []
    return all.compactMap { part, element in
      let schema = element.plan.codingClass.schema.schemaID
      let outcome = outcomes[schema]?.popFirst() ?? .unchanged
      var identity = Identity(schema: schema, slot: element.row.slot)
      let isMerged = !seen.insert(identity).inserted
      identity.section = part.index
      if !seen.insert(identity).inserted {
        let path =
          (part.path?.components ?? []) + (element.component.map { [$0] } ?? []) + part.elementPath
        log.append(mergedIssue(element.row, element.plan, path))
      }
      guard let object = store.liveObject(of: element.row, element.plan.codingClass) else {
        return nil
      }
      return DecodedDocument.Element(
        object: object, outcome: outcome, isMerged: isMerged, section: part.index)
    }
  }
}

/// The conflicts of a document by their objects.
private struct ConflictIndex {
  struct Identity: Hashable {
    let className: String
    let key: UpdateValue

    init(className: String, key: UpdateValue) {
      self.className = className
      self.key = key.exactKey
    }
  }

  private var indexes: [Identity: [Int]] = [:]
  var isEmpty: Bool { indexes.isEmpty }

  init(_ conflicts: [Edit.Conflict]) {
    for (index, conflict) in conflicts.enumerated() {
      indexes[Identity(className: conflict.className, key: conflict.key), default: []].append(index)
    }
  }

  /// The indexes of the conflicts of some objects, ascending.
  func indexes(of objects: [Identity]) -> [Int] {
    Set(objects.flatMap { indexes[$0] ?? [] }).sorted()
  }
}

extension PayloadPart.Content {
  fileprivate var isDeletion: Bool { if case .deleted = self { true } else { false } }
}

extension DocumentSection {
  /// True for a list, whose path may have a `*`.
  fileprivate var isArray: Bool {
    switch content {
    case .one, .keyed: false
    case .list, .keys, .deleted, .mixed: true
    }
  }
}
