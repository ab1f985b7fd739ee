import JSONText
import ObjectStore

/// The members of an output object that no attribute writes, in the order in which they are written.
struct UnreadMembers {
  /// The attribute that stores the unread members; nil if there is none.
  private let field: CodingField?
  private var members: ArraySlice<(name: String, value: JSONValue)>
  private let configuration: CodingConfiguration?

  /// No members.
  init() {
    field = nil
    members = []
    configuration = nil
  }

  /// The members of an object that have no key of its class.
  ///
  /// - Parameter value: The value of the attribute that keeps unread members. A value that is not an object has none.
  init(_ value: JSONValue?, _ plan: CodingPlan, _ configuration: CodingConfiguration) {
    guard let field = plan.unreadField, case .object(let object) = value else {
      self.init()
      return
    }
    self.init(plan.root.unread(in: object), field, configuration)
  }

  private init(
    _ object: JSONObject, _ field: CodingField, _ configuration: CodingConfiguration
  ) {
    self.field = field
    self.configuration = configuration
    // Members are stored in byte order.
    var members = object.map { (name: $0.key, value: $0.value) }
    if configuration.sortsReadably {
      members = configuration.keyOrder.sorted(members, by: \.name)
    }
    self.members = members[...]
  }

  var isEmpty: Bool { members.isEmpty }

  /// Removes and returns the first member.
  mutating func popFirst() -> (name: String, value: JSONValue, field: CodingField)? {
    guard let field, let member = members.popFirst() else { return nil }
    return (member.name, member.value, field)
  }

  /// Removes and returns the first member if its name precedes another.
  mutating func popFirst(
    before name: String, _ order: JSONKeyOrder
  ) -> (name: String, value: JSONValue, field: CodingField)? {
    guard let first = members.first, order.precedes(first.name, name) else { return nil }
    return popFirst()
  }

  /// Removes the member with a name, and returns its members if it is an object.
  mutating func removeMembers(of name: String) -> UnreadMembers {
    guard let field, let configuration,
      let index = members.firstIndex(where: { ExactString($0.name) == ExactString(name) })
    else { return UnreadMembers() }
    guard case .object(let object) = members.remove(at: index).value else { return UnreadMembers() }
    return UnreadMembers(object, field, configuration)
  }
}
