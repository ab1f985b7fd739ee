import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The laws of bodies, for classes with up to three options per attribute and documents with some of the attributes.
///
/// `STORE_RANDOM_STEPS` sets the number of documents. `STORE_RANDOM_SEED` adds the classes of a failure.
@Suite struct `Laws of bodies` {
  private static let documentsPerSeed = 4
  static let batches = Array(0..<4)

  /// The seeds of a batch.
  private static func seeds(_ batch: Int) -> [UInt64] {
    let count = max(1, SeededRandom.steps(800) / documentsPerSeed)
    let seeds = stride(from: batch, to: count, by: batches.count).map { UInt64($0) }
    return seeds + (batch == 0 ? SeededRandom.seeds(0...0).dropFirst() : [])
  }

  /// A decoded document.
  private struct Round {
    var classes: BodyClasses
    let coder: StoreCoder
    var said: BodyMeaning
    let id: Int
    var documents: [String]
    let object: DynamicObject

    var comment: Comment {
      "seed \(classes.seed)\n\(coder.explain(dynamic: "Whole"))\n\(coder.explain(dynamic: "Part"))\n\(documents.joined(separator: "\n"))"
    }

    var reference: BodyMeaning.Reference { .init(name: "Whole", id: id) }

    func encode() throws -> Data { try coder.encode(object, useEnvelope: true) }

    /// Decodes another document of the object; returns false if the coder refuses it.
    mutating func decode(_ document: String) -> Bool {
      guard (try? coder.decode(dynamic: "Whole", from: Data(document.utf8))) != nil else {
        return false
      }
      documents.append(document)
      said.read(Data(document.utf8))
      return true
    }

    /// Changes some attributes; returns their names.
    mutating func change() throws -> Set<String> {
      let store = coder.store
      let targets = try Set(store.objects(dynamic: "Target").compactMap { $0["id"] as? Int })
      let changed = try store.write { Set(classes.change(object, store)) }
      for attribute in classes.classes["Whole"]?.attributes ?? []
      where changed.contains(attribute.name) {
        said.facts[reference, default: [:]][attribute.name, default: []]
          .append(said.stored(attribute, of: object))
      }
      for target in try store.objects(dynamic: "Target") {
        guard let id = target["id"] as? Int, !targets.contains(id) else { continue }
        for attribute in classes.classes["Target"]?.attributes ?? [] {
          said.facts[.init(name: "Target", id: id), default: [:]][attribute.name, default: []]
            .append(said.stored(attribute, of: target))
        }
      }
      documents.append("changed: \(changed.sorted())")
      return changed
    }
  }

  /// Calls a function with each document of a batch that its coder accepts.
  private func forEachDocument(_ batch: Int, _ body: (inout Round) throws -> Void) throws {
    var (accepted, failures) = (0, 0)
    let seeds = Self.seeds(batch)
    for seed in seeds {
      var classes = BodyClasses(seed: seed)
      let coder = try classes.makeCoder()
      var said = BodyMeaning(classes)
      for id in 1...Self.documentsPerSeed {
        let document = classes.payload(id: id)
        guard let object = try? coder.decode(dynamic: "Whole", from: Data(document.utf8)) else {
          continue
        }
        accepted += 1
        said.read(Data(document.utf8))
        var round = Round(
          classes: classes, coder: coder, said: said, id: id, documents: [document], object: object)
        do {
          try body(&round)
        } catch let error as StoreCodingError where error.kind == .nullForNonOptional {
          // An array without an element before others, of which the body would not be readable.
        } catch let error as Failure {
          Issue.record("\(error.text)\n\(round.comment.rawValue)")
          failures += 1
          if failures == 3 { return }
        }
        classes.random = round.classes.random
        said = round.said
      }
    }
    #expect(2 * accepted > Self.documentsPerSeed * seeds.count)
  }

  private struct Failure: Error {
    let text: String
  }

  private func require(_ isTrue: Bool, _ text: @autoclosure () -> String) throws {
    if !isTrue { throw Failure(text: text()) }
  }

  // MARK: - Bodies

  @Test(arguments: batches)
  func `a body contains only what documents and assignments said`(batch: Int) throws {
    try forEachDocument(batch) { round in
      try expectSaid(round)
      if round.classes.random.once(in: 2), round.decode(round.classes.payload(id: round.id)) {
        try expectSaid(round)
      }
      for _ in 0..<round.classes.random.below(3) {
        _ = try round.change()
        try expectSaid(round)
      }
    }
  }

  private func expectSaid(_ round: Round) throws {
    let body = try round.encode()
    var meaning = BodyMeaning(round.classes)
    meaning.read(body, isBody: true)
    try require(meaning.facts[round.reference] != nil, "no object in \(body.text)")
    let missing = round.said.missing(from: meaning, keepsEqual: round.documents.count > 1)
    try require(missing.isEmpty, "\(missing)\n\(body.text)")
    for attribute in round.classes.classes["Whole"]?.attributes ?? [] where attribute.isIgnored {
      try require(meaning.facts[round.reference]?[attribute.name] == nil, body.text)
    }
  }

  @Test(arguments: batches)
  func `a body that is decoded in its own store creates no version`(batch: Int) throws {
    try forEachDocument(batch) { round in
      func expectNoVersion(_ round: Round) throws {
        let (version, body) = (round.coder.store.version, try round.encode())
        let unknown = round.object.unknownAttributes
        do {
          try round.coder.decode(dynamic: "Whole", from: body)
        } catch let error as StoreCodingError where error.kind == .nullForNonOptional {
          // The null for an element of an array that is not known.
          return
        } catch {
          throw Failure(text: "\(error)\n\(body.text)")
        }
        // The null for an element of an array that is not known makes it known.
        let known = Set(unknown).subtracting(round.object.unknownAttributes)
        let attributes = round.classes.classes["Whole"]?.attributes ?? []
        let isPadding = attributes.contains { attribute in
          known.contains(attribute.name) && attribute.path.contains { Int($0) != nil }
        }
        if isPadding { return }
        try require(round.coder.store.version == version, body.text)
        let again = try round.encode()
        try require(again == body, "\(body.text)\n\(again.text)")
      }
      try expectNoVersion(round)
      if round.classes.random.once(in: 3), round.decode(round.classes.payload(id: round.id)) {
        try expectNoVersion(round)
      }
      _ = try round.change()
      try expectNoVersion(round)
    }
  }

  // MARK: - Patches

  private typealias Format = CodingConfiguration.BodyFormat

  @Test(arguments: batches)
  func `a patch of a partial document makes the changes and nothing else`(batch: Int) throws {
    try forEachDocument(batch) { round in
      let document = Data(round.documents[0].utf8)
      let before = round.object.frozen()
      let changed = try round.change()
      for format in [Format.mergePatch, .jsonPatch(tests: .none), .jsonPatch(tests: .exact)] {
        try expectChanges(round, document, changed, format) {
          try round.coder.patch(from: before, to: round.object, as: format, useEnvelope: true)
        }
      }
    }
  }

  @Test(arguments: batches)
  func `an edit of a partial document makes the changes and nothing else`(batch: Int) throws {
    try BodyClasses.$tracksEdits.withValue(true) {
      try forEachDocument(batch) { round in
        let document = Data(round.documents[0].utf8)
        let changed = try round.change()
        // An edit changes elements alone of which the base is not known, because the server may have others.
        guard case .object(let item) = BodyMeaning.item(document, round.classes.classes["Whole"])
        else { return }
        for attribute in round.classes.classes["Whole"]?.attributes ?? []
        where changed.contains(attribute.name) && attribute.path[0].hasPrefix("list") {
          if BodyMeaning.value(at: attribute.path[...], in: .object(item)) ?? .null == .null {
            return
          }
        }
        guard let edit = try round.coder.store.takeEdit(of: round.object) else { return }
        for format in [Format.mergePatch, .jsonPatch(tests: .none), .jsonPatch(tests: .exact)] {
          try expectChanges(round, document, changed, format) {
            try round.coder.encode(edit, as: format, useEnvelope: true)
          }
        }
        try round.coder.store.settle(edit, .later)
      }
    }
  }

  @Test(arguments: batches)
  func `a patch with all tests applies to a body of the coder`(batch: Int) throws {
    try forEachDocument(batch) { round in
      let body = try round.encode()
      let classes = round.classes
      let coder = StoreCoder(
        store: try Store(
          configuration: .inMemory(),
          schemas: ["Target", "Part", "Note", "Whole"].compactMap { classes.classes[$0]?.schema }),
        configuration: classes.configuration)
      var copy = Round(
        classes: classes, coder: coder, said: round.said, id: round.id,
        documents: round.documents + [body.text],
        object: try coder.decode(dynamic: "Whole", from: body))
      // The order of a set may be another one.
      let document = try copy.encode()
      let before = copy.object.frozen()
      let changed = try copy.change()
      try expectChanges(copy, document, changed, .jsonPatch(tests: .all)) {
        try coder.patch(
          from: before, to: copy.object, as: .jsonPatch(tests: .all), linkedObjects: .full,
          useEnvelope: true)
      }
    }
  }

  /// Applies a patch to a document, which then has the changed attributes and is otherwise the same.
  private func expectChanges(
    _ round: Round, _ document: Data, _ changed: Set<String>, _ format: Format,
    _ patch: () throws -> Data?
  ) throws {
    guard let whole = round.classes.classes["Whole"] else { return }
    let body: Data?
    do {
      body = try patch()
    } catch let error as StoreCodingError where error.kind == .notMergeable {
      return
    }
    let base = Self.comparable(BodyMeaning.json(document))
    var result = base
    if let body {
      let change = Self.comparable(BodyMeaning.json(body))
      do {
        result =
          format == .mergePatch
          ? PatchReference.merging(change, into: base)
          : try PatchReference.applying(change, to: base)
      } catch {
        throw Failure(text: "\(format) \(error)\n\(body.text)")
      }
    }
    func item(_ value: JSONValue) -> JSONObject {
      let value = whole.envelope == nil ? value : value["data"]?["item"] ?? .null
      if case .object(let members) = value { return members }
      return JSONObject()
    }
    func fail(_ name: String, _ value: JSONValue, _ goal: JSONValue) -> Failure {
      let texts = [value, goal, result].map(BodyMeaning.text)
      return Failure(
        text: "\(format) \(name): \(texts[0]), expected \(texts[1])\n\(body.map(\.text) ?? "-")\n"
          + texts[2])
    }
    if whole.envelope != nil, base["data"]?["more"] != result["data"]?["more"] {
      throw fail("more", result, base)
    }
    let (old, new) = (item(base), item(result))
    var meaning = BodyMeaning(round.classes)
    func read(_ attribute: BodyAttribute, _ members: JSONObject) -> JSONValue {
      guard let found = meaning.found(attribute, in: members) else { return .null }
      return BodyMeaning.reduced(meaning.value(found, attribute) ?? "refused")
    }
    for attribute in whole.attributes {
      // The store does not know whether the server has a default, or which of several paths.
      let isUncertain = !attribute.isOptional || !attribute.aliases.isEmpty
      if attribute.isIgnored, attribute.path.count > 1, isUncertain { continue }
      let value = read(attribute, new)
      if changed.contains(attribute.name) {
        let goal = BodyMeaning.reduced(meaning.stored(attribute, of: round.object))
        // A merge patch removes only the member at the attribute's own path.
        let inner = round.classes.classes[attribute.target ?? ""]?.attributes ?? []
        let hasAliases = (goal == .null ? [attribute] : []) + inner
        if format == .mergePatch, hasAliases.contains(where: { !$0.aliases.isEmpty }) { continue }
        if value != goal { throw fail(attribute.name, value, goal) }
        continue
      }
      let paths = [attribute.path] + attribute.aliases
      func raw(_ members: JSONObject) -> [JSONValue] {
        paths.map {
          BodyMeaning.value(at: $0.prefix { $0 != "*" }, in: .object(members)) ?? .null
        }
      }
      if raw(old) != raw(new), value != read(attribute, old) || value == "refused" {
        throw fail(attribute.name, .array(raw(new)), .array(raw(old)))
      }
    }
    func rest(_ members: JSONObject) -> JSONObject {
      var values: [(key: String, value: JSONValue)] = []
      meaning.rest(of: .object(members), whole, [], &values)
      // An array in a body ends with its last value, so its length is not known.
      return JSONObject(
        values.filter {
          let text = "\($0.value)"
          let isEmpty = [[:], "null", "{}", "[]"].contains($0.value)
          let hasEmptyMember = text.contains(":null") || text.contains(":[]")
          return !isEmpty && !($0.key.hasPrefix("/list") && hasEmptyMember)
        })
    }
    if rest(old) != rest(new) {
      throw fail("unread members", .object(rest(new)), .object(rest(old)))
    }
    if old["id"] != new["id"] { throw fail("id", result, base) }
  }

  /// The value with each number in one notation.
  private static func comparable(_ value: JSONValue) -> JSONValue {
    switch value {
    case .int, .double, .number:
      let text = BodyMeaning.numberText(value) ?? ""
      return .number(Decimal(string: text).map { "\($0)" } ?? "\(Double(text) ?? 0)")
    case .array(let elements): return .array(elements.map(comparable))
    case .object(let members):
      return .object(JSONObject(members.map { ($0.key, comparable($0.value)) }))
    default: return value
    }
  }
}
