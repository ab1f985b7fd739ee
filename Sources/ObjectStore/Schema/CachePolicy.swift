/// The rules by which eviction removes objects of a class.
///
///     override class var cachePolicy: CachePolicy? {
///       CachePolicy(maximumAge: .seconds(30 * 86_400), since: "lastUsed", maximumCount: 10_000)
///         .keeping(Photo.self) { $0.hasEdits }
///     }
///
/// Nothing is evicted automatically; call `Store.evict`. It deletes an object that exceeds a limit, unless a remaining
/// object links to it, it is observed, a rule keeps it, or it has unconfirmed edits. See <doc:Eviction>.
public struct CachePolicy: Sendable, Hashable {
  /// The age beyond which objects are evicted; nil for no limit.
  public let maximumAge: Duration?
  /// The attribute with the date that determines age and order; nil for none.
  public let dateAttribute: String?
  /// The number of objects to keep, newest first; nil for no limit.
  public let maximumCount: Int?
  /// A Boolean value that indicates whether an update that names an object sets its date.
  public let updatesCountAsUse: Bool
  /// Conditions in the format form. An object that matches any of them is kept.
  public private(set) var keepRules: [String] = []

  private init(
    age: Duration?, since dateAttribute: String?, count: Int?, updatesCountAsUse: Bool
  ) {
    maximumAge = age
    self.dateAttribute = dateAttribute
    maximumCount = count
    self.updatesCountAsUse = updatesCountAsUse
  }

  /// Creates a policy that evicts objects beyond an age and, optionally, the oldest objects beyond a number.
  ///
  /// - Parameters:
  ///   - maximumAge: The age beyond which objects are evicted. An object without a date has no age.
  ///   - dateAttribute: A `Date` or `Date?` attribute of the class, such as the date of its last use or change.
  ///   - maximumCount: The number of objects to keep, newest first by that date; among equal dates, those inserted
  ///     later. Objects without a date count as oldest.
  ///   - updatesCountAsUse: A Boolean value that indicates whether decoding, creating and updating set the date of each
  ///     object they name, even if nothing else changes. The date becomes the current date if it is older than a
  ///     hundredth of the maximum age (a minute if there is none) and the update does not provide it.
  public init(
    maximumAge: Duration, since dateAttribute: String, maximumCount: Int? = nil,
    updatesCountAsUse: Bool = false
  ) {
    self.init(
      age: maximumAge, since: dateAttribute, count: maximumCount,
      updatesCountAsUse: updatesCountAsUse)
  }

  /// Creates a policy that evicts objects beyond a number: the oldest by date or, without a date attribute, those
  /// inserted first.
  ///
  /// The parameters are those of ``init(maximumAge:since:maximumCount:updatesCountAsUse:)-(_,String,_,_)``.
  public init(
    maximumCount: Int, since dateAttribute: String? = nil, updatesCountAsUse: Bool = false
  ) {
    self.init(
      age: nil, since: dateAttribute, count: maximumCount, updatesCountAsUse: updatesCountAsUse)
  }

  /// A policy that evicts objects to which no remaining object links: a maximum count of 0.
  public static var whileLinked: CachePolicy { CachePolicy(maximumCount: 0) }

  /// Returns the policy with an additional rule that keeps objects matching a condition in the format form.
  public func keeping(_ condition: String) -> CachePolicy {
    var policy = self
    policy.keepRules.append(condition)
    return policy
  }
}

extension CachePolicy {
  /// The maximum age in seconds; nil for no limit.
  var ageLimit: Double? { maximumAge.map { $0 / .seconds(1) } }

  /// The minimum age, in seconds, of a date that an update replaces.
  var granularity: Double { ageLimit.map { $0 / 100 } ?? 60 }

  /// Returns the mistakes in the policy of a class.
  func mistakes(
    in className: String, _ properties: [Property], isEmbedded: Bool = false
  ) -> [String] {
    let declaration = "\(className).cachePolicy"
    if isEmbedded {
      return [
        "\(declaration): an embedded object is deleted with its owner and cannot have a policy"
      ]
    }
    var mistakes: [String] = []
    if let count = maximumCount, count < 0 {
      mistakes.append("\(declaration): the maximum count must be 0 or more (was \(count))")
    }
    if let age = maximumAge, age < .zero {
      mistakes.append("\(declaration): the maximum age must be 0 or more (was \(age))")
    }
    if let name = dateAttribute {
      if let property = properties.first(where: { $0.name.hasSameBytes(as: name) }) {
        if property.shape.form != .scalar || property.shape.scalar?.kind != .date {
          mistakes.append("\(declaration): '\(name)' is \(property.shape.name), not a Date")
        }
      } else {
        mistakes.append("\(declaration): \(SchemaCheck.unknownName(name, among: properties))")
      }
    } else if updatesCountAsUse {
      mistakes.append("\(declaration): updatesCountAsUse requires a date attribute; specify since:")
    }
    return mistakes
  }

  /// Returns the column of the date; nil if the policy has no date attribute.
  func dateColumn(in schema: ObjectSchema) -> Int? {
    dateAttribute.flatMap { schema[$0]?.column }
  }
}
