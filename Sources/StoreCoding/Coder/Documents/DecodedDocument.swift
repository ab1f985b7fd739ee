public import ObjectStore

/// The objects of a payload with several sections, with an outcome for each and the issues found.
///
///     let posts = document[Post.self]
///     print(posts.inserted, posts.updated, posts.deleted)
///     let next = try document.metadata("paging.next")?.stringValue
public struct DecodedDocument {
  struct Element {
    let object: Object
    let outcome: RowOutcome
    /// True if an earlier element of the document is the same object.
    let isMerged: Bool
    /// The index of the section.
    let section: Int
  }

  struct Section {
    let path: String
    let classes: [ObjectBase.Type]
    let ranges: [Range<Int>]
    let deletedCount: Int
    /// True if the section contains the keys of objects to delete.
    let isDeletion: Bool
    /// The objects of the section that were deleted locally.
    let deletedLocally: [(type: ObjectBase.Type, key: UpdateValue)]
    /// The indexes of the conflicts of its objects, ascending.
    let conflicts: [Int]
  }

  /// The elements of all sections in payload order.
  let elements: [Element]
  let sections: [Section]
  /// The first 10,000 issues in payload order; empty if there were none.
  public let issues: [StoreCodingError]
  /// The total number of issues.
  public let issueCount: Int
  /// The number of bytes of the payload.
  let byteCount: Int
  let payloadMetadata: PayloadMetadata
  /// The values of all sections that differ from unconfirmed edits; see `Edit.Conflict`.
  public let conflicts: [Edit.Conflict]

  /// The objects of a class and its subclasses, from all sections, in payload order.
  ///
  /// An object that occurs several times, also in different sections, has its outcome at its first occurrence and is
  /// counted as `merged` at the others. Only repetitions within one section are reported as issues. Objects that
  /// the payload also deletes are not included. The issues are the first 10,000 of the sections that contain the class.
  /// - Complexity: O(*n*) in the number of objects of all sections.
  public subscript<T: Object>(type: T.Type) -> ReadResult<T> {
    result(in: sections.map { $0.classes.contains { $0 is T.Type } })
  }

  /// The objects of a class and its subclasses from one section, in payload order.
  ///
  /// A path that belongs to no section is misuse.
  /// - Complexity: O(*n*) in the number of objects of all sections.
  public subscript<T: Object>(type: T.Type, at path: String) -> ReadResult<T> {
    guard sections.contains(where: { $0.path == path }) else {
      misuse("DecodedDocument: there is no section '\(path)'")
    }
    return result(in: sections.map { $0.path == path })
  }

  /// The result of some of the sections.
  private func result<T: Object>(in isIncluded: [Bool]) -> ReadResult<T> {
    var objects: [T] = []
    var outcomes: [RowOutcome] = []
    var merged = 0
    var classNames: Set<String> = []
    for element in elements where isIncluded[element.section] {
      guard let object = element.object as? T else { continue }
      objects.append(object)
      classNames.insert(object.objectSchema.className)
      outcomes.append(element.outcome)
      if element.isMerged { merged += 1 }
    }
    let included = zip(sections, isIncluded).filter(\.1).map(\.0)
    let ranges = included.flatMap(\.ranges).sorted(byNumber: \.lowerBound)
    let issues = issues(in: ranges)
    var counts = ReadResult<T>.Counts()
    counts.count(outcomes, merged: merged)
    counts.deleted = included.reduce(0) { $0 + $1.deletedCount }
    counts.elementCount = objects.count
    counts.byteCount = byteCount
    counts.issues = issues
    counts.issueCount = issues.count
    counts.payloadMetadata = payloadMetadata
    var result = ReadResult<T>(
      objects: objects, outcomes: outcomes.map { .init($0) }, counts: counts)
    result.deletedLocally = included.flatMap(\.deletedLocally).filter { $0.type is T.Type }.map(
      \.key)
    if !conflicts.isEmpty {
      for case let type as T.Type in included.flatMap(\.classes) {
        if let schema = try? ObjectSchema.of(type) { classNames.insert(schema.className) }
      }
      result.counts.conflicts = Set(included.flatMap(\.conflicts)).sorted().map { conflicts[$0] }
        .filter { classNames.contains($0.className) }
    }
    return result
  }

  /// The issues inside byte ranges, which are in order, as the issues are.
  private func issues(in ranges: [Range<Int>]) -> [StoreCodingError] {
    var rest = ranges[...]
    return issues.filter { issue in
      guard let byteOffset = issue.byteOffset else { return false }
      while let range = rest.first, range.upperBound <= byteOffset { rest.removeFirst() }
      return rest.first?.contains(byteOffset) ?? false
    }
  }

  // MARK: - Metadata

  /// Returns a value outside the sections, such as the address of the next page; nil if there is none. See
  /// ``ReadResult/metadata(_:)``.
  public func metadata(_ path: String) throws(StoreCodingError) -> JSONValue? {
    try payloadMetadata.value(at: path)
  }

  /// Decodes values outside the sections as a Codable type; nil if there is no value at the path. See
  /// ``ReadResult/metadata(_:at:)``.
  public func metadata<M: Decodable>(_ type: M.Type, at path: String = "") throws -> M? {
    try metadata(path)?.decode(type)
  }
}

// MARK: - Description

extension DecodedDocument: CustomStringConvertible, CustomReflectable {
  /// The number of objects of each section and the number of issues:
  /// `DecodedDocument(posts: 2 objects, removed: 1 deleted; 0 issues, 98 bytes)`.
  public var description: String {
    let counts = Dictionary(grouping: elements, by: \.section).mapValues(\.count)
    let texts = sections.enumerated().map { index, section in
      let path = section.path.isEmpty ? "payload" : section.path
      return section.isDeletion
        ? "\(path): \(section.deletedCount) deleted"
        : "\(path): \(counted(counts[index] ?? 0, "object"))"
    }
    return "DecodedDocument(\(texts.joined(separator: ", ")); "
      + "\(counted(issueCount, "issue")), \(counted(byteCount, "byte")))"
  }

  /// The objects and the issues.
  public var customMirror: Mirror {
    Mirror(self, children: ["objects": elements.map(\.object), "issues": issues])
  }
}

/// A number with its noun: `1 issue`, `2 issues`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
