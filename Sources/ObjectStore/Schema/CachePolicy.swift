/// Which objects of a class may go when a store is kept small, and which never do.
///
///     override class var cachePolicy: CachePolicy? {
///       CachePolicy(maximumAge: .seconds(30 * 86_400), since: "lastUsed", maximumCount: 10_000)
///         .keeping(Photo.self) { $0.hasEdits }
///     }
///
/// Nothing goes by itself: `Store.evict` is called for it. An object goes if a limit asks for it and nothing
/// holds it: nothing that stays links to it, nobody observes it, and no rule keeps it. See <doc:Eviction>.
public struct CachePolicy: Sendable, Hashable {
  /// How old an object may become; nil for any age.
  public let maximumAge: Duration?
  /// The attribute with the date that age counts from, and that tells the newest; nil for none.
  public let dateAttribute: String?
  /// How many objects stay that no limit asks for: the newest; nil for any number.
  public let maximumCount: Int?
  /// Whether an update that names an object sets its date.
  public let updatesCountAsUse: Bool
  /// Conditions in the format form; an object stays for which one of them holds.
  public private(set) var keepRules: [String] = []

  private init(
    age: Duration?, since dateAttribute: String?, count: Int?, updatesCountAsUse: Bool
  ) {
    maximumAge = age
    self.dateAttribute = dateAttribute
    maximumCount = count
    self.updatesCountAsUse = updatesCountAsUse
  }

  /// Objects go that are older, and of the others the oldest beyond a number.
  ///
  /// - Parameters:
  ///   - maximumAge: How long ago the date may be. An object without a date has no age.
  ///   - dateAttribute: A `Date` or `Date?` of the class: of its last use, or its last change.
  ///   - maximumCount: How many objects stay, the newest by that date; of equal dates those that were inserted
  ///     later. Those without a date are older than all others.
  ///   - updatesCountAsUse: Whether decoding, creating and updating set the date of each object that they name,
  ///     also where nothing else is different: to now, if it is older than a hundredth of the maximum age (a
  ///     minute without one), and if the update does not give it itself.
  public init(
    maximumAge: Duration, since dateAttribute: String, maximumCount: Int? = nil,
    updatesCountAsUse: Bool = false
  ) {
    self.init(
      age: maximumAge, since: dateAttribute, count: maximumCount,
      updatesCountAsUse: updatesCountAsUse)
  }

  /// Objects go beyond a number: the oldest by a date, or, without one, those that were inserted first.
  ///
  /// The parameters are those of ``init(maximumAge:since:maximumCount:updatesCountAsUse:)-(_,String,_,_)``.
  public init(
    maximumCount: Int, since dateAttribute: String? = nil, updatesCountAsUse: Bool = false
  ) {
    self.init(
      age: nil, since: dateAttribute, count: maximumCount, updatesCountAsUse: updatesCountAsUse)
  }

  /// Objects go as soon as nothing that stays links to them: a maximum count of 0.
  public static var whileLinked: CachePolicy { CachePolicy(maximumCount: 0) }

  /// The same policy, which also keeps the objects for which a condition in the format form holds.
  public func keeping(_ condition: String) -> CachePolicy {
    var policy = self
    policy.keepRules.append(condition)
    return policy
  }
}

extension CachePolicy {
  /// The age in seconds; nil for any.
  var ageLimit: Double? { maximumAge.map { $0 / .seconds(1) } }

  /// How much older a date must be to be set to now.
  var granularity: Double { ageLimit.map { $0 / 100 } ?? 60 }

  /// What is wrong with the policy of a class.
  func mistakes(
    in className: String, _ properties: [Property], isEmbedded: Bool = false
  ) -> [String] {
    let declaration = "\(className).cachePolicy"
    if isEmbedded {
      return ["\(declaration): an embedded object goes with its owner and has no policy"]
    }
    var mistakes: [String] = []
    if let count = maximumCount, count < 0 {
      mistakes.append("\(declaration): a maximum count is 0 or more (was \(count))")
    }
    if let age = maximumAge, age < .zero {
      mistakes.append("\(declaration): a maximum age is 0 or more (was \(age))")
    }
    if let name = dateAttribute {
      if let property = properties.first(where: { $0.name == name }) {
        if property.shape.form != .scalar || property.shape.scalar?.kind != .date {
          mistakes.append("\(declaration): '\(name)' is \(property.shape.name), and no Date")
        }
      } else {
        mistakes.append("\(declaration): \(SchemaCheck.unknownName(name, among: properties))")
      }
    } else if updatesCountAsUse {
      mistakes.append("\(declaration): updatesCountAsUse needs a date: say since:")
    }
    return mistakes
  }

  /// The column of the date; nil without one.
  func dateColumn(in schema: ObjectSchema) -> Int? {
    dateAttribute.flatMap { schema[$0]?.column }
  }
}
