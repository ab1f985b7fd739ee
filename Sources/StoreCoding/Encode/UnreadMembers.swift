import JSONText
import ObjectStore

/// The members of an output object that no attribute writes, in the order in which they are written.
struct UnreadMembers {
  /// The attribute that stores the unread members; nil if there is none.
  private let field: CodingField?
  private var members: ArraySlice<(name: String, value: JSONValue)>
  private let configuration: CodingConfiguration?
  /// True if the members are not written, for a body with some of the attributes.
  private let isHidden: Bool

  /// No members.
  init() {
    field = nil
    members = []
    configuration = nil
    isHidden = false
  }

  /// The members of an object that have no key of its class.
  ///
  /// - Parameters:
  ///   - value: The value of the attribute that keeps unread members. A value that is not an object has none.
  ///   - isHidden: True if the members are not written, but only show which values are objects.
  init(
    _ value: JSONValue?, _ plan: CodingPlan, _ configuration: CodingConfiguration,
    isHidden: Bool = false
  ) {
    guard let field = plan.unreadField, case .object(let object) = value else {
      self.init()
      return
    }
    self.init(plan.root.unread(in: object), field, configuration, isHidden: isHidden)
  }

  private init(
    _ object: JSONObject, _ field: CodingField, _ configuration: CodingConfiguration, isHidden: Bool
  ) {
    self.isHidden = isHidden
    self.field = field
    self.configuration = configuration
    // Members are stored in byte order.
    var members = object.map { (name: $0.key, value: $0.value) }
    if configuration.sortsReadably {
      members = configuration.keyOrder.sorted(members, by: \.name)
    }
    self.members = members[...]
  }

  /// True if there is no member to write.
  var isEmpty: Bool { isHidden || members.isEmpty }

  /// True if the members are those of an object that the server has. At a pointer with an index, it is then an object
  /// instead of an array.
  var isObject: Bool { !members.isEmpty }

  /// Removes and returns the first member.
  mutating func popFirst() -> (name: String, value: JSONValue, field: CodingField)? {
    guard !isHidden, let field, let member = members.popFirst() else { return nil }
    return (member.name, member.value, field)
  }

  /// Removes and returns the first member if its name precedes another.
  mutating func popFirst(
    before name: String, _ order: JSONKeyOrder
  ) -> (name: String, value: JSONValue, field: CodingField)? {
    guard !isHidden, let first = members.first, order.precedes(first.name, name) else { return nil }
    return popFirst()
  }

  /// Removes the member with a name, and returns its members if it is an object.
  mutating func removeMembers(of name: String) -> UnreadMembers {
    guard let field, let configuration,
      let index = members.firstIndex(where: { ExactString($0.name) == ExactString(name) })
    else { return UnreadMembers() }
    guard case .object(let object) = members.remove(at: index).value else { return UnreadMembers() }
    return UnreadMembers(object, field, configuration, isHidden: isHidden)
  }
}
