public import ObjectStore

/// Decodes JSON straight into a store, and encodes objects back.
///
///     let coder = StoreCoder(store: store)
///     let users = try coder.decodeArray(User.self, from: data)   // one transaction
///     let body = try coder.encode(users[0])
///
/// Decoding updates only the attributes that the payload contains; absent attributes keep their values, at
/// every depth. The whole payload is read and checked first and then applied in one transaction, so a rejected
/// payload changes nothing, and a payload without changes creates no new version.
///
/// Use a coder in the isolation domain of its store. The mapping of a class is computed at its first use.
public final class StoreCoder {
  /// The store that holds the objects.
  public let store: Store
  /// The JSON conventions of the API.
  public let configuration: Configuration
  /// The calls of `decode`, `decodeArray` and `read` with `Data` that are also audited. The default is `never`. The
  /// results are merged in ``audit``.
  ///
  ///     coder.audits = .every(100)
  public var audits = Audit.Sampling.never {
    didSet { callCount = 0 }
  }
  /// The merged audits of the calls selected by ``audits``. Assign `Audit()` to reset it.
  public var audit = Audit()
  /// The number of calls since the last audited one; 0 without sampling.
  var callCount = 0
  /// All plans, by schema. This dictionary owns the plans; their references to each other are unowned.
  private var plans: [ObjectIdentifier: CodingPlan] = [:]
  private var planByType: [ObjectIdentifier: CodingPlan] = [:]
  private var planByName: [String: CodingPlan] = [:]
  /// Plans of an earlier coder, of classes that this one has not used. They refer to each other only.
  private var sparePlans: [ObjectIdentifier: CodingPlan] = [:]
  /// The size of the last encoded body in bytes, plus a sixteenth.
  var lastOutputSize = 0

  /// Creates a coder over a store. This is cheap. The first use of a class computes its mapping, or takes over that of a
  /// deallocated coder with an equal configuration.
  public init(store: Store, configuration: Configuration = .default) {
    self.store = store
    self.configuration = configuration
  }

  deinit {
    planByType = [:]
    planByName = [:]
    plans.merge(sparePlans) { used, _ in used }
    sparePlans = [:]
    // A schema that no class declares belongs to a store.
    plans = plans.filter { $0.value.codingClass.isDeclared }
    let isUnused = Array(plans.keys).allSatisfy { isKnownUniquelyReferenced(&plans[$0]) }
    if isUnused, !plans.isEmpty { PlanPool.shared.add(plans, MappingSettings(configuration)) }
  }

  /// Returns the mapping of a declared class.
  /// - Throws: `invalidDeclarations` with every mistake.
  func codingPlan(_ type: ObjectBase.Type) throws -> CodingPlan {
    if let plan = planByType[ObjectIdentifier(type)] { return plan }
    let plan = try codingPlan(store.codingSchemas(from: type))
    planByType[ObjectIdentifier(type)] = plan
    return plan
  }

  /// Returns the mapping of the class with this name.
  /// - Throws: `invalidDeclarations` with every mistake; `StoreError.unknownClass`.
  func codingPlan(dynamic className: String) throws -> CodingPlan {
    if let plan = planByName[className] { return plan }
    let plan = try codingPlan(store.codingSchemas(from: className))
    planByName[className] = plan
    return plan
  }

  /// Returns the mapping of a declared class or, with a name, of the class of dynamic objects with this name, which must not
  /// be embedded.
  /// - Throws: `StoreError.embeddedAlone`, and the errors of ``codingPlan(dynamic:)``.
  func codingPlan<T: Object>(_ type: T.Type, dynamic className: String?) throws -> CodingPlan {
    let plan = try codingPlan(of: type, orDynamic: className)
    if let className, plan.codingClass.schema.isEmbedded {
      throw StoreError(.embeddedAlone(className: className))
    }
    return plan
  }

  /// Returns the mapping of a declared class or, with a name, of the class of dynamic objects with this name.
  func codingPlan(of type: ObjectBase.Type, orDynamic className: String?) throws -> CodingPlan {
    guard let className else { return try codingPlan(type) }
    if type != DynamicObject.self {
      throw StoreCodingError(
        .invalidDeclarations([
          "'dynamic:' names a class of dynamic objects, but the call names the class \(type), too"
        ]))
    }
    return try codingPlan(dynamic: className)
  }

  /// Returns the mapping of the class of an object.
  /// - Throws: `StoreError.objectOfAnotherStore` for a dynamic object if its class, or a class reachable from
  ///   it, differs in this store.
  func codingPlan(of object: ObjectBase) throws -> CodingPlan {
    guard object is DynamicObject else { return try codingPlan(type(of: object)) }
    let schema = store.schema(of: object)
    guard store.knowsClasses(of: object) else {
      throw StoreError(.objectOfAnotherStore(className: schema.className))
    }
    return try codingPlan(dynamic: schema.tableName)
  }

  /// The mapping of the class with a table; nil for a class without one.
  func codingPlan(ofTable table: Int) -> CodingPlan? {
    plans.values.first { $0.codingClass.shape.table == table }
  }

  /// Returns the mapping of the first class. The others are the classes reachable from it.
  private func codingPlan(_ schemas: [ObjectSchema]) throws -> CodingPlan {
    if let plan = plans[schemas[0].schemaID] { return plan }
    try reusePlans(schemas)
    if let plan = plans[schemas[0].schemaID] { return plan }
    var created: [ObjectIdentifier: CodingPlan]
    repeat {
      created = try newPlans(schemas)
      // Class declarations are user code, which may call this coder. Plans created by such calls are kept, and no
      // plan may refer to a different plan of the same class.
    } while created.keys.contains { plans[$0] != nil }
    plans.merge(created) { known, _ in known }
    guard let plan = plans[schemas[0].schemaID] else {
      throw StoreCodingError(
        .invalidDeclarations(["\(schemas[0].className): the coder has no mapping for this class"]))
    }
    return plan
  }

  /// Takes over the plans that an earlier coder had for the classes, unless declarations have changed since.
  private func reusePlans(_ schemas: [ObjectSchema]) throws {
    if plans.isEmpty, sparePlans.isEmpty {
      sparePlans =
        PlanPool.shared.take(
          MappingSettings(configuration), containing: schemas[0].schemaID) ?? [:]
    }
    let found = schemas.compactMap { schema in
      plans[schema.schemaID] == nil ? sparePlans[schema.schemaID] : nil
    }
    if found.isEmpty { return }
    let foundSchemas = found.map(\.codingClass.schema)
    let areSame = zip(found, foundSchemas).allSatisfy {
      $0.declarations.isExactlySame(as: $1.currentDeclarations)
    }
    let classes = areSame ? try store.codingClasses(foundSchemas) : []
    // Class declarations are user code, which may have called this coder.
    guard areSame, zip(found, foundSchemas).allSatisfy({ sparePlans[$1.schemaID] === $0 }) else {
      sparePlans = [:]
      return
    }
    for (plan, codingClass) in zip(found, classes) {
      plan.reuse(for: codingClass)
      plans[codingClass.schema.schemaID] = plan
      sparePlans[codingClass.schema.schemaID] = nil
    }
  }

  /// Builds plans for the classes that have none.
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
  /// The JSON conventions of one API.
  public typealias Configuration = CodingConfiguration
  /// The limits on payloads and bodies.
  public typealias Limits = CodingConfiguration.Limits
  /// A format of bodies with changes.
  public typealias BodyFormat = CodingConfiguration.BodyFormat
  /// Options for encoded JSON.
  public typealias OutputFormatting = CodingConfiguration.OutputFormatting
  /// A JSON grammar.
  public typealias Dialect = CodingConfiguration.Dialect
  /// The handling of keys that occur twice in one object.
  public typealias DuplicateKeys = CodingConfiguration.DuplicateKeys
  /// The handling of invalid UTF-8 and lone surrogates.
  public typealias InvalidUnicode = CodingConfiguration.InvalidUnicode
}

@available(
  *, unavailable,
  message:
    "a StoreCoder must stay in the isolation of its store: create one where the store is used"
)
extension StoreCoder: Sendable {}

// MARK: - Declarations

extension StoreCoder {
  /// Checks the declarations of the classes and of all classes reachable from them.
  ///
  ///     @Test func `the mapping is sound`() throws {
  ///       try StoreCoder(store: Store()).check(User.self, Team.self)
  ///     }
  ///
  /// - Throws: `invalidDeclarations`, which lists every mistake.
  public func check(_ types: ObjectBase.Type...) throws {
    var mistakes: [String] = []
    for type in types {
      do {
        _ = try codingPlan(type)
      } catch let error as StoreCodingError {
        guard case .invalidDeclarations(let more) = error.kind else { throw error }
        mistakes += more.filter { !mistakes.contains($0) }
      }
    }
    guard mistakes.isEmpty else { throw StoreCodingError(.invalidDeclarations(mistakes)) }
  }

  /// Returns a table of the mapping of a class: attribute, JSON path, type, options and declaration.
  ///
  /// If the declarations have mistakes, returns these instead.
  /// - Parameters:
  ///   - type: The class.
  ///   - className: The name of a class of dynamic objects, in place of `type`.
  public func explain(
    _ type: ObjectBase.Type = DynamicObject.self, dynamic className: String? = nil
  ) -> String {
    do {
      return try codingPlan(of: type, orDynamic: className).explanation
    } catch {
      return "\(error)"
    }
  }
}
