import ObjectStore

/// The decoder's operation for a key. Common cases are represented by an enum, so that the decode loop touches no
/// class instance (counting one reference per key took a tenth of the time for a row).
struct DecodeStep {
  enum Operation: UInt8 {
    case int, string, double, bool
    /// A date whose only format is ISO 8601 or a day.
    case isoDate, day
    case object
    /// All other attributes.
    case other
    /// An alias of an attribute.
    case alias
    /// A component of a dotted path that is not its last.
    case node
    /// A member that has the same string in every object.
    case constant
  }

  let operation: Operation
  let attribute: Int
  // Unowned: the plan node that owns the step also owns these.
  let field: Unmanaged<CodingField>?
  let alias: Unmanaged<AliasedField>?
  let node: Unmanaged<PlanNode>?

  init(_ member: PlanNode.Member) {
    switch member {
    case .field(let field):
      operation = Self.operation(field)
      attribute = field.attribute
      self.field = Unmanaged.passUnretained(field)
      alias = nil
      node = nil
    case .alias(let alias):
      operation = .alias
      attribute = alias.field.attribute
      field = nil
      self.alias = Unmanaged.passUnretained(alias)
      node = nil
    case .constant:
      operation = .constant
      attribute = 0
      field = nil
      alias = nil
      node = nil
    case .node(let child):
      operation = .node
      attribute = 0
      field = nil
      alias = nil
      node = Unmanaged.passUnretained(child)
    }
  }

  private static func operation(_ field: CodingField) -> Operation {
    guard field.mismatches == .throw, field.isPlain, field.emptyValues.isEmpty,
      field.aliases.isEmpty
    else { return .other }
    if field.form == .link { return field.setsInnerPolicy || field.isInPlace ? .other : .object }
    guard field.form == .scalar else { return .other }
    switch field.scalar {
    case .int, .int64: return .int
    case .string: return .string
    case .double: return .double
    case .bool: return .bool
    case .date where field.dates.map(\.format) == [.iso8601]: return .isoDate
    case .date where field.dates.map(\.format) == [.date]: return .day
    default: return .other
    }
  }
}
