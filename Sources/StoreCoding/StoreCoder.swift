public import Foundation
import JSONText
public import ObjectStore

/// Decodes JSON straight into a store, and encodes objects back.
///
///     let coder = StoreCoder(store: store)
///     let users = try coder.decodeArray(User.self, from: data)   // one transaction
///     let body = try coder.encode(users[0])
///
/// A payload updates what it has: absent attributes stay as they are, at every depth. It is read
/// and checked as a whole first and then applied in one transaction, so a payload that is refused
/// changes nothing, and one that brings nothing new makes no version.
///
/// A coder is used where its store is. The mapping of a class is worked out at its first use.
public final class StoreCoder {
  /// Where objects are stored and found.
  public let store: Store
  /// How the API writes its JSON.
  public let configuration: Configuration
  /// Keeps all plans, which refer to each other unowned.
  private var plans: [ObjectIdentifier: CodingPlan] = [:]
  private var lastOutputSize = 0

  /// A coder over a store; making one costs next to nothing, its first use of a class more.
  public init(store: Store, configuration: Configuration = .default) {
    self.store = store
    self.configuration = configuration
  }

  /// The mapping of a class.
  /// - Throws: `invalidDeclarations` with every mistake.
  func plan(_ type: ObjectBase.Type) throws -> CodingPlan {
    if let plan = plans[ObjectIdentifier(type)] { return plan }
    var builder = PlanBuilder(store, configuration)
    do {
      try builder.build(type, known: plans)
    } catch let error as StoreError {
      if case .invalidDeclarations(let mistakes) = error.kind {
        throw StoreCodingError(.invalidDeclarations(mistakes))
      }
      throw error
    }
    guard builder.mistakes.isEmpty else {
      throw StoreCodingError(.invalidDeclarations(builder.mistakes))
    }
    plans.merge(builder.plans) { known, _ in known }
    guard let plan = plans[ObjectIdentifier(type)] else {
      throw StoreCodingError(.invalidDeclarations(["\(type): no plan"]))
    }
    return plan
  }
}

@available(*, unavailable)
extension StoreCoder: Sendable {}

// MARK: - Decoding

extension StoreCoder {
  /// Decodes one object: finds it by its primary key and updates what the payload has, or makes it.
  ///
  /// Joins the open write, or opens one.
  /// - Returns: the live object.
  /// - Throws: ``StoreCodingError``; then nothing was changed.
  @discardableResult
  public func decode<T: Object>(_ type: T.Type, from data: Data) throws -> T {
    let plan = try plan(type)
    return try decoding(data) {
      try $0.topObject(plan)
    } finish: { row, batch, payload in
      try store.apply(batch, depth: payload.depth)
      return store.object(type, of: row, plan.codingClass)
    }
  }

  /// Decodes a list of objects in one transaction.
  ///
  /// Two elements with one key are merged in order; both places of the result are that object.
  /// - Returns: the live objects, in the order of the payload; elements that were left out lack.
  /// - Throws: ``StoreCodingError``; then nothing was changed.
  @discardableResult
  public func decodeArray<T: Object>(_ type: T.Type, from data: Data) throws -> [T] {
    let plan = try plan(type)
    return try decoding(data) {
      try $0.topList(plan)
    } finish: { _, batch, payload in
      try store.applied(type, batch, depth: payload.depth, plan.codingClass)
    }
  }

  /// Decodes one object from what `JSONSerialization` makes.
  ///
  /// - Parameter topLevel: whether the dictionary is a whole response, with the class's envelope if
  ///   it declares one; false for the bare object.
  @discardableResult
  public func decode<T: Object>(
    _ type: T.Type, from dictionary: [String: Any], topLevel: Bool = true
  ) throws -> T {
    let plan = try plan(type)
    return try decoding(
      try DictionaryText.json(of: dictionary, configuration.limits), isSeen: false
    ) {
      try $0.topObject(plan, isEnveloped: topLevel)
    } finish: { row, batch, payload in
      try store.apply(batch, depth: payload.depth)
      return store.object(type, of: row, plan.codingClass)
    }
  }

  /// Decodes a list of objects from what `JSONSerialization` makes of an array: the bare list.
  @discardableResult
  public func decodeArray<T: Object>(_ type: T.Type, from array: [Any]) throws -> [T] {
    let plan = try plan(type)
    return try decoding(try DictionaryText.json(of: array, configuration.limits), isSeen: false) {
      try $0.topList(plan, isEnveloped: false)
    } finish: { _, batch, payload in
      try store.applied(type, batch, depth: payload.depth, plan.codingClass)
    }
  }

  /// Decodes a list of objects and tells what happened.
  ///
  ///     let result = try coder.read([User].self, from: data)
  ///     print(result.inserted, result.updated, result.unchanged, result.issues)
  ///
  /// - Throws: ``StoreCodingError``; then nothing was changed.
  public func read<T: Object>(_ type: [T].Type, from data: Data) throws -> ReadResult<T> {
    let plan = try plan(T.self)
    return try decoding(data, issueLimit: IssueLog.resultLimit) {
      try $0.topList(plan)
    } finish: { _, batch, payload in
      try result(batch.topRows, plan, batch, payload)
    }
  }

  /// Decodes one object and tells what happened: counts of one object at most.
  public func read<T: Object>(_ type: T.Type, from data: Data) throws -> ReadResult<T> {
    let plan = try plan(T.self)
    return try decoding(data, issueLimit: IssueLog.resultLimit) {
      try $0.topObject(plan)
    } finish: { row, batch, payload in
      try result([row], plan, batch, payload)
    }
  }

  private func result<T: Object>(
    _ rows: [BatchRow], _ plan: CodingPlan, _ batch: RowBatch, _ payload: PayloadFacts
  ) throws -> ReadResult<T> {
    try store.apply(batch, depth: payload.depth)
    let outcomes = batch.outcomes(of: rows)
    return ReadResult(
      objects: rows.map { store.object(T.self, of: $0, plan.codingClass) },
      outcomes: outcomes, issues: payload.issues.located(in: payload.text),
      issueCount: payload.issues.reportedCount)
  }

  /// Reads the payload with `parse`, which has no effects, and goes on with `finish`.
  ///
  /// The payload is read where it stands, and the cells of the batch point into it.
  ///
  /// - Parameters:
  ///   - keepsRows: whether `finish` keeps the batch: then it gets one of its own over a copy of the
  ///     payload.
  ///   - issueLimit: how many issues `finish` wants to know.
  private func decoding<Rows, R>(
    _ data: Data, isSeen: Bool = true, limits: Limits? = nil, keepsRows: Bool = false,
    issueLimit: Int = 0,
    _ parse: (inout PayloadDecoder) throws -> Rows,
    finish: (Rows, RowBatch, PayloadFacts) throws -> R
  ) throws -> R {
    if let limit = configuration.limits.byteCount, data.count > limit {
      throw StoreCodingError(
        .limitExceeded, expected: "\(limit) bytes", found: "\(data.count) bytes")
    }
    return try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> R in
      let input: JSONInput
      do throws(JSONError) {
        let encoding: JSONInput.Encoding = isSeen ? .detected : .utf8
        input =
          keepsRows
          ? try JSONInput(copying: bytes, encoding: encoding)
          : try JSONInput(borrowing: bytes, encoding: encoding)
      } catch {
        throw StoreCodingError(.syntax, expected: error.message, byteOffset: error.byteOffset)
      }
      let limits = limits ?? configuration.limits
      let text = PayloadText(input, configuration, limits)
      do {
        return try decoding(text, limits, keepsRows, issueLimit, parse, finish)
      } catch let error as StoreCodingError {
        let error = error.described(in: text)
        throw isSeen ? error.located(in: input) : error.withoutPlace()
      }
    }
  }

  /// A payload that is nested too deeply for the caller's stack is read again on a larger one.
  private func decoding<Rows, R>(
    _ text: PayloadText, _ limits: Limits, _ keepsRows: Bool, _ issueLimit: Int,
    _ parse: (inout PayloadDecoder) throws -> Rows,
    _ finish: (Rows, RowBatch, PayloadFacts) throws -> R
  ) throws -> R {
    do {
      return try store.withBatch(isKept: keepsRows) { batch in
        var decoder = PayloadDecoder(
          text.input, batch, configuration, limits, issueLimit: issueLimit)
        let rows = try parse(&decoder)
        return try finish(
          rows, batch, PayloadFacts(text: text, issues: decoder.issues, depth: 0))
      }
    } catch is TooDeep {
      let depth = limits.usedDepth
      return try store.withBatch(isKept: keepsRows) { batch in
        let (rows, issues) = try DeepStack.run(depth: depth) {
          var decoder = PayloadDecoder(
            text.input, batch, configuration, limits, issueLimit: issueLimit)
          decoder.stackDepth = depth
          let rows = try parse(&decoder)
          return (rows, decoder.issues)
        }
        return try finish(rows, batch, PayloadFacts(text: text, issues: issues, depth: depth))
      }
    }
  }

  // MARK: - Update dictionaries

  /// What the payload would change, by attribute names: parsed and checked, nothing applied.
  ///
  /// The update keeps the payload; its values are made of it when they are asked for.
  /// - Throws: ``StoreCodingError``.
  public func updateDictionary<T: Object>(
    for type: T.Type, from data: Data
  ) throws -> UpdateDictionary {
    let plan = try plan(type)
    return try decoding(data, limits: configuration.limits.ofUpdates, keepsRows: true) {
      try $0.topObject(plan)
    } finish: { row, batch, payload in
      store.updates(of: [row], batch, text: payload.text.input)[0]
    }
  }

  /// What each element of the payload would change, in its order.
  ///
  /// The updates keep the payload as long as one of them lives; their values are made of it when
  /// they are asked for.
  /// - Throws: ``StoreCodingError``.
  public func updateDictionaries<T: Object>(
    for type: T.Type, from data: Data
  ) throws -> [UpdateDictionary] {
    let plan = try plan(type)
    return try decoding(data, limits: configuration.limits.ofUpdates, keepsRows: true) {
      try $0.topList(plan)
    } finish: { _, batch, payload in
      store.updates(of: batch.topRows, batch, text: payload.text.input)
    }
  }
}

/// Thrown where a payload or an object goes deeper than the caller's stack may hold.
struct TooDeep: Error {}

/// What reading a payload told besides its rows.
struct PayloadFacts {
  let text: PayloadText
  let issues: IssueLog
  /// How deep it is nested at most; 0 for a shallow one.
  let depth: Int
}

/// What a payload brought.
public struct ReadResult<T: Object> {
  /// The objects of the payload, in its order.
  public let objects: [T]
  /// What happened to each of them; nested objects do not count.
  public let outcomes: [RowOutcome]
  /// What was skipped, replaced by a default, or stood twice: the first 10,000, in the order of the
  /// payload. Empty for a sound one.
  public let issues: [StoreCodingError]
  /// How many issues there are in all.
  public let issueCount: Int

  /// Objects that are new.
  public var inserted: Int { outcomes.count { $0 == .inserted } }
  /// Objects of which an attribute changed.
  public var updated: Int { outcomes.count { $0 == .updated } }
  /// Objects that were as the payload says already.
  public var unchanged: Int { outcomes.count { $0 == .unchanged } }
}

// MARK: - Encoding

extension StoreCoder {
  /// The object as JSON: attributes in declared order, nil and ignored ones left out.
  ///
  /// Works on managed, unmanaged and frozen objects, inside and outside a write.
  /// With `useEnvelope` it is put into its class's `objectEnvelope`, if there is one.
  /// - Returns: UTF-8.
  /// - Throws: ``StoreCodingError``: `cycle`, `invalidRawJSON`, `nonFiniteNumber`,
  ///   `objectInvalidated`, `limitExceeded`.
  public func encode<T: Object>(_ object: T, useEnvelope: Bool = false) throws -> Data {
    try encoding(T.self, type(of: object), useEnvelope ? \.objectEnvelope : nil) {
      encoder, plan in
      try encoder.object(object, plan)
    }
  }

  /// The object as JSON, as it was when it was frozen; see ``encode(_:useEnvelope:)-(T,_)``.
  public func encode<T: Object>(_ object: Frozen<T>, useEnvelope: Bool = false) throws -> Data {
    try encoding(T.self, T.self, useEnvelope ? \.objectEnvelope : nil) { encoder, plan in
      try encoder.row(object.rowView, plan)
    }
  }

  /// The objects as a JSON array. One that cannot be encoded fails the whole, with its index.
  ///
  /// With `useEnvelope` the array is put into the class's `listEnvelope`, if there is one.
  /// - Returns: UTF-8.
  public func encodeArray<S: Sequence>(
    _ objects: S, useEnvelope: Bool = false
  ) throws -> Data where S.Element: Object {
    try encoding(S.Element.self, S.Element.self, useEnvelope ? \.listEnvelope : nil) {
      encoder, plan in
      encoder.writer.beginArray()
      // An array is walked without an iterator, which costs an unspecialized call for each object.
      let isArray: Void? = try objects.withContiguousStorageIfAvailable { objects in
        for index in objects.indices { try element(objects[index], index, plan, &encoder) }
      }
      if isArray == nil {
        for (index, object) in objects.enumerated() { try element(object, index, plan, &encoder) }
      }
      encoder.writer.endArray()
    }
  }

  private func element<T: Object>(
    _ object: T, _ index: Int, _ plan: CodingPlan, _ encoder: inout ObjectEncoder
  ) throws {
    do {
      try encoder.object(object, type(of: object) == T.self ? plan : self.plan(type(of: object)))
    } catch var error as StoreCodingError {
      error.prepend(index: index)
      throw error
    }
  }

  private func encoding<T: Object>(
    _ type: T.Type, _ actual: ObjectBase.Type, _ envelope: KeyPath<CodingPlan, JSONPath?>?,
    _ body: (inout ObjectEncoder, CodingPlan) throws -> Void
  ) throws -> Data {
    let plan = try plan(actual)
    do {
      return try encode(
        plan, envelope, stackDepth: min(DeepStack.shallowDepth, configuration.limits.depth), body)
    } catch is TooDeep {
      let depth = configuration.limits.usedDepth
      return try DeepStack.run(depth: depth) {
        try encode(plan, envelope, stackDepth: depth, body)
      }
    }
  }

  private func encode(
    _ plan: CodingPlan, _ envelope: KeyPath<CodingPlan, JSONPath?>?, stackDepth: Int,
    _ body: (inout ObjectEncoder, CodingPlan) throws -> Void
  ) throws -> Data {
    // Growing a buffer halves the speed; the last size is the best guess.
    var encoder = ObjectEncoder(configuration, capacity: max(1024, lastOutputSize))
    encoder.stackDepth = stackDepth
    let keys = envelope.flatMap { plan[keyPath: $0] }?.components ?? []
    for component in keys {
      switch component {
      case .key(let key):
        encoder.writer.beginObject()
        encoder.key(key)
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
    return encoder.takeData()
  }
}

// MARK: - Declarations

extension StoreCoder {
  /// Checks the declarations of the classes and of all classes they lead to.
  ///
  ///     @Test func `the mapping is sound`() throws {
  ///       try StoreCoder(store: Store()).check(User.self, Team.self)
  ///     }
  ///
  /// - Throws: `invalidDeclarations` with every mistake, all at once.
  public func check(_ types: ObjectBase.Type...) throws {
    var mistakes: [String] = []
    for type in types {
      do {
        _ = try plan(type)
      } catch let error as StoreCodingError {
        guard case .invalidDeclarations(let more) = error.kind else { throw error }
        mistakes += more.filter { !mistakes.contains($0) }
      }
    }
    guard mistakes.isEmpty else { throw StoreCodingError(.invalidDeclarations(mistakes)) }
  }

  /// The mapping of a class as a table: attribute, JSON path, type, options, where declared.
  ///
  /// A class with mistakes gives these.
  public func explain(_ type: ObjectBase.Type) -> String {
    do {
      return try plan(type).table
    } catch {
      return "\(error)"
    }
  }
}
