public import Foundation
import ObjectStore

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
  /// - Throws: ``StoreCodingError``: `envelopeNotFound` for an absent section that is not
  ///   ``DocumentSection/optional``, `invalidDeclarations` for wrong paths and classes, and the errors of the objects.
  ///   The store is then unchanged.
  public func read(
    _ sections: [String: DocumentSection], from data: Data
  ) throws -> DecodedDocument {
    let compiled = try compiled(sections)
    let root = try root(of: compiled)
    sample(data) { try $0.document(root) }
    return try decoding(data, issueLimit: IssueLog.resultLimit) {
      try $0.document(root)
    } finish: { decoded, batch, payload in
      try document(compiled, decoded, batch, payload, byteCount: data.count)
    }
  }

  // MARK: - Sections

  /// Compiles the sections, in the order of their paths.
  /// - Throws: `invalidDeclarations` with all mistakes.
  func compiled(
    _ sections: [String: DocumentSection]
  ) throws -> [DocumentNode.Section] {
    var mistakes: [String] = []
    var compiled: [DocumentNode.Section] = []
    for (text, section) in sections.sorted(by: { $0.key < $1.key }) {
      do {
        compiled.append(
          DocumentNode.Section(
            index: compiled.count,
            path: text.isEmpty ? nil : try JSONPath(checking: text, isList: section.isArray),
            content: try content(section), classes: section.classes,
            isOptional: section.isOptional))
      } catch let mistake as JSONPath.Mistake {
        mistakes.append("section '\(text)': \(mistake.sentence)")
      } catch let error as StoreCodingError {
        guard case .invalidDeclarations(let more) = error.kind else { throw error }
        mistakes += more.filter { !mistakes.contains($0) }
      }
    }
    guard mistakes.isEmpty else { throw StoreCodingError(.invalidDeclarations(mistakes)) }
    return compiled
  }

  /// Arranges the sections as a tree.
  /// - Throws: `invalidDeclarations` with all mistakes.
  func root(of sections: [DocumentNode.Section]) throws(StoreCodingError) -> DocumentNode {
    if sections.isEmpty {
      throw StoreCodingError(.invalidDeclarations(["a document needs at least one section"]))
    }
    var mistakes: [String] = []
    let root = DocumentNode(
      sections.map { ($0.path?.components[...] ?? [], $0) }, mistakes: &mistakes)
    guard mistakes.isEmpty else { throw StoreCodingError(.invalidDeclarations(mistakes)) }
    return root
  }

  /// - Throws: `invalidDeclarations`; `JSONPath.Mistake` for a class or a tag that does not fit the section.
  private func content(_ section: DocumentSection) throws -> DocumentNode.Section.Content {
    switch section.content {
    case .one(let type): return .one(try codingPlan(type))
    case .list(let type): return .list(try codingPlan(type))
    case .keyed(let type):
      let plan = try codingPlan(type)
      if let mistake = plan.codingClass.schema.singleKeyMistake {
        throw JSONPath.Mistake(sentence: "'keyed' \(mistake)")
      }
      return .keyed(plan)
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
          try classes.sorted { $0.key < $1.key }.map { ($0.key, try codingPlan($0.value)) },
          otherwise: try otherwise.map { try codingPlan($0) },
          acceptsSingleObject: section.containsResources))
    }
  }

  // MARK: - Results

  /// Applies a document and collects its objects.
  private func document(
    _ sections: [DocumentNode.Section], _ decoded: [DecodedSection], _ batch: RowBatch,
    _ payload: PayloadFacts, byteCount: Int
  ) throws -> DecodedDocument {
    var deletions: [(class: CodingClass, key: BatchCell)] = []
    for (section, decoded) in zip(sections, decoded) {
      guard case .deleted(let plan) = section.content else { continue }
      deletions += decoded.deletedKeys.map { (plan.codingClass, $0) }
    }
    let applied = try store.apply(
      batch, depth: payload.depth, deleting: deletions, from: valueSource)
    var isDeleted = applied.isDeleted[...]
    var log = payload.issues
    let elements = elements(sections, decoded, batch, &log)
    for row in batch.rowsWithoutEarlierMembers { log.append(droppedMembersIssue(row)) }
    let conflicts = ConflictIndex(applied.conflicts)
    return DecodedDocument(
      elements: elements,
      sections: zip(sections, decoded).map { section, decoded in
        let count = decoded.deletedKeys.count
        defer { isDeleted = isDeleted.dropFirst(count) }
        return DecodedDocument.Section(
          path: section.path?.text ?? "", classes: section.classes, ranges: decoded.ranges,
          deletedCount: isDeleted.prefix(count).count(where: \.self),
          isDeletion: section.content.isDeletion, deletedLocally: deletedLocally(decoded),
          conflicts: conflicts.isEmpty ? [] : conflicts.indexes(of: identities(section, decoded)))
      },
      issues: log.located(in: payload.text), issueCount: log.reportedCount, byteCount: byteCount,
      payloadMetadata: PayloadMetadata(
        of: sections.contains { $0.path == nil } ? nil : payload.contentRanges,
        in: payload.text.input, sections.compactMap(\.path), configuration),
      conflicts: applied.conflicts)
  }

  private func deletedLocally(
    _ section: DecodedSection
  ) -> [(type: ObjectBase.Type, key: UpdateValue)] {
    section.elements.filter(\.row.isWithheld).map { element in
      let codingClass = element.plan.codingClass
      return (codingClass.modelType, store.key(of: element.row, codingClass))
    }
  }

  /// The objects that a section contains or deletes.
  private func identities(
    _ section: DocumentNode.Section, _ decoded: DecodedSection
  ) -> [ConflictIndex.Identity] {
    var identities = decoded.elements.map { element in
      ConflictIndex.Identity(
        className: element.plan.className,
        key: element.plan.identifyingFields.isEmpty
          ? .null : store.key(of: element.row, element.plan.codingClass))
    }
    if case .deleted(let plan) = section.content {
      identities += decoded.deletedKeys.map {
        ConflictIndex.Identity(className: plan.className, key: store.key($0, plan.codingClass))
      }
    }
    return identities
  }

  /// The objects of an applied document in payload order. Appends an issue for each that repeats one of its section.
  private func elements(
    _ sections: [DocumentNode.Section], _ decoded: [DecodedSection], _ batch: RowBatch,
    _ log: inout IssueLog
  ) -> [DecodedDocument.Element] {
    struct Identity: Hashable {
      let schema: ObjectIdentifier
      let slot: Int
      /// Nil for the whole document.
      var section: Int?
    }
    var all = zip(sections, decoded).flatMap { section, decoded in
      decoded.elements.map { (section: section, element: $0) }
    }
    all.sort { $0.element.row.source < $1.element.row.source }
    var rowsByClass: [ObjectIdentifier: [BatchRow]] = [:]
    for (_, element) in all {
      rowsByClass[element.plan.codingClass.schema.schemaID, default: []].append(element.row)
    }
    var outcomes = rowsByClass.mapValues { batch.outcomes(of: $0)[...] }
    var seen: Set<Identity> = []
    return all.compactMap { section, element in
      let schema = element.plan.codingClass.schema.schemaID
      let outcome = outcomes[schema]?.popFirst() ?? .unchanged
      var identity = Identity(schema: schema, slot: element.row.slot)
      let isMerged = !seen.insert(identity).inserted
      identity.section = section.index
      if !seen.insert(identity).inserted {
        let path =
          (section.path?.components ?? []) + (element.component.map { [$0] } ?? [])
          + section.elementPath
        log.append(mergedIssue(element.row, element.plan, path))
      }
      guard let object = store.liveObject(of: element.row, element.plan.codingClass) else {
        return nil
      }
      return DecodedDocument.Element(
        object: object, outcome: outcome, isMerged: isMerged, section: section.index)
    }
  }
}

/// The conflicts of a document by their objects.
private struct ConflictIndex {
  struct Identity: Hashable {
    let className: String
    let key: UpdateValue
  }

  private var indexes: [Identity: [Int]] = [:]
  var isEmpty: Bool { indexes.isEmpty }

  init(_ conflicts: [EditConflict]) {
    for (index, conflict) in conflicts.enumerated() {
      indexes[Identity(className: conflict.className, key: conflict.key), default: []].append(index)
    }
  }

  /// The indexes of the conflicts of some objects, ascending.
  func indexes(of objects: [Identity]) -> [Int] {
    Set(objects.flatMap { indexes[$0] ?? [] }).sorted()
  }
}

extension DocumentNode.Section.Content {
  fileprivate var isDeletion: Bool { if case .deleted = self { true } else { false } }
}

extension DocumentSection {
  /// True for an array.
  fileprivate var isArray: Bool {
    switch content {
    case .one, .keyed: false
    case .list, .deleted, .mixed: true
    }
  }

  /// The classes of the objects in the section.
  fileprivate var classes: [Object.Type] {
    switch content {
    case .one(let type), .list(let type), .keyed(let type), .deleted(let type): [type]
    case .mixed(_, let classes, let otherwise): classes.values + (otherwise.map { [$0] } ?? [])
    }
  }
}
