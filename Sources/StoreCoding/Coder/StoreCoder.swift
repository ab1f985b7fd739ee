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
  /// Keeps all plans, which refer to each other unowned; by schema.
  private var plans: [ObjectIdentifier: CodingPlan] = [:]
  private var planByType: [ObjectIdentifier: CodingPlan] = [:]
  private var planByName: [String: CodingPlan] = [:]
  /// Bytes of the last body.
  var lastOutputSize = 0

  /// A coder over a store; making one costs next to nothing, its first use of a class more.
  public init(store: Store, configuration: Configuration = .default) {
    self.store = store
    self.configuration = configuration
  }

  /// The mapping of a declared class.
  /// - Throws: `invalidDeclarations` with every mistake.
  func plan(_ type: ObjectBase.Type) throws -> CodingPlan {
    if let plan = planByType[ObjectIdentifier(type)] { return plan }
    let plan = try plan(store.codingSchemas(from: type))
    planByType[ObjectIdentifier(type)] = plan
    return plan
  }

  /// The mapping of the class with this name.
  /// - Throws: `invalidDeclarations` with every mistake; `StoreError.unknownClass`.
  func plan(dynamic className: String) throws -> CodingPlan {
    if let plan = planByName[className] { return plan }
    let plan = try plan(store.codingSchemas(from: className))
    planByName[className] = plan
    return plan
  }

  /// The mapping of the class with this name, of whose objects payloads can be.
  /// - Throws: `StoreError.embeddedAlone`, and what ``plan(dynamic:)`` throws.
  func plan(ofPayload className: String) throws -> CodingPlan {
    let plan = try plan(dynamic: className)
    if plan.codingClass.schema.isEmbedded { throw StoreError(.embeddedAlone(className: className)) }
    return plan
  }

  /// The mapping of an object's class.
  /// - Throws: `StoreError.objectOfAnotherStore` for a dynamic object whose class, or one that it leads
  ///   to, is another here.
  func plan(of object: ObjectBase) throws -> CodingPlan {
    guard object is DynamicObject else { return try plan(type(of: object)) }
    let schema = store.schema(of: object)
    guard store.knowsClasses(of: object) else {
      throw StoreError(.objectOfAnotherStore(className: schema.className))
    }
    return try plan(dynamic: schema.tableName)
  }

  /// The mapping of the first of the classes, which leads to the others.
  private func plan(_ schemas: [ObjectSchema]) throws -> CodingPlan {
    if let plan = plans[schemas[0].schemaID] { return plan }
    var made: [ObjectIdentifier: CodingPlan]
    repeat {
      made = try newPlans(schemas)
      // What a class says of itself is code, which may use this coder: plans that it left here are kept, and
      // nothing may lead to others of their classes.
    } while made.keys.contains { plans[$0] != nil }
    plans.merge(made) { known, _ in known }
    guard let plan = plans[schemas[0].schemaID] else {
      throw StoreCodingError(.invalidDeclarations(["\(schemas[0].className): no plan"]))
    }
    return plan
  }

  /// Plans of those of the classes that have none.
  private func newPlans(
    _ schemas: [ObjectSchema]
  ) throws -> [ObjectIdentifier: CodingPlan] {
    var builder = PlanBuilder(store, configuration)
    do {
      try builder.build(schemas, known: plans)
    } catch let error as StoreError {
      if case .invalidDeclarations(let mistakes) = error.kind {
        throw StoreCodingError(.invalidDeclarations(mistakes))
      }
      throw error
    }
    guard builder.mistakes.isEmpty else {
      throw StoreCodingError(.invalidDeclarations(builder.mistakes))
    }
    return builder.plans
  }
}

extension StoreCoder {
  /// How an API writes its JSON.
  public typealias Configuration = CodingConfiguration
  /// What a payload may not exceed.
  public typealias Limits = CodingConfiguration.Limits
  /// The form of JSON that is written.
  public typealias OutputFormatting = CodingConfiguration.OutputFormatting
  /// Which texts are JSON.
  public typealias Dialect = CodingConfiguration.Dialect
  /// What a key that an object has twice does.
  public typealias DuplicateKeys = CodingConfiguration.DuplicateKeys
  /// What bytes that are no UTF-8, and lone surrogates, do.
  public typealias InvalidUnicode = CodingConfiguration.InvalidUnicode
}

@available(*, unavailable, message: "a StoreCoder stays with its store: make one where a store is")
extension StoreCoder: Sendable {}

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
      return try plan(type).explanation
    } catch {
      return "\(error)"
    }
  }
}
