/// A condition: what comparing a ``QueryPath`` gives.
///
/// Terms are joined by `&&` and `||` as often as you like: ten thousand parts become one list. Within each
/// other, as in `!((a || b) && c)`, they have 200 levels at most, as the format form has; more are misuse.
public struct QueryTerm: _QueryCondition {
  /// Of a comparison, and of what has other conditions in it.
  private let single: (([QueryRoot]) -> QueryNode)?
  private var joint: Joint?
  /// How many levels it has; a comparison has one.
  fileprivate let depth: Int

  public var _term: QueryTerm { self }

  /// - Parameters:
  ///   - inner: what it has in it, and how many levels more it has than that.
  init(
    around inner: (term: QueryTerm, levels: Int)? = nil,
    _ node: @escaping ([QueryRoot]) -> QueryNode
  ) {
    single = node
    depth = inner.map { Self.checked($0.term.depth + $0.levels) } ?? 1
  }

  fileprivate init(_ left: QueryTerm, _ right: QueryTerm, isAnd: Bool) {
    single = nil
    joint = Joint(left, right, isAnd)
    depth = Self.checked(max(left.levels(in: isAnd), right.levels(in: isAnd)))
  }

  /// How many levels a joint needs for it.
  private func levels(in isAnd: Bool) -> Int { joint?.isAnd == isAnd ? depth : depth + 1 }

  private static func checked(_ depth: Int) -> Int {
    if depth > QueryFormat.depthLimit {
      misuse(
        "a query: conditions within each other have at most \(QueryFormat.depthLimit) levels; join "
          + "them by && or || alone, ask by 'in', or call 'where' several times")
    }
    return depth
  }

  /// What it says of the objects and elements around, the innermost last.
  func node(_ scopes: [QueryRoot]) -> QueryNode {
    if let single { return single(scopes) }
    guard let joint else { return .constant(true) }
    let nodes = joint.parts.map { $0.node(scopes) }
    return joint.isAnd ? .and(nodes) : .or(nodes)
  }

  /// Two terms joined by `&&` or `||`, of which either may be joined so itself. Composing many makes a
  /// chain as long as they are many, which is walked and freed without recursion.
  private final class Joint {
    let isAnd: Bool
    private var sides: [QueryTerm]

    init(_ left: QueryTerm, _ right: QueryTerm, _ isAnd: Bool) {
      self.isAnd = isAnd
      sides = [left, right]
    }

    deinit {
      var rest = sides
      sides = []
      while var term = rest.popLast() {
        guard var joint = term.joint else { continue }
        term.joint = nil
        if isKnownUniquelyReferenced(&joint) {
          rest += joint.sides
          joint.sides = []
        }
      }
    }

    /// All that is joined so, in the order it was written.
    var parts: [QueryTerm] {
      var parts: [QueryTerm] = []
      var rest = [sides[1], sides[0]]
      while let term = rest.popLast() {
        if let joint = term.joint, joint.isAnd == isAnd {
          rest.append(joint.sides[1])
          rest.append(joint.sides[0])
        } else {
          parts.append(term)
        }
      }
      return parts
    }
  }
}

/// What can be joined by `&&`, `||` and `!` in a query: a ``QueryTerm``, or an attribute that is a Bool.
public protocol _QueryCondition {
  /// The condition as a term.
  var _term: QueryTerm { get }
}

extension QueryPath: _QueryCondition where Value == Bool {
  public var _term: QueryTerm { self == true }
}

extension _QueryCondition {
  /// Both hold.
  public static func && (a: Self, b: some _QueryCondition) -> QueryTerm {
    QueryTerm(a._term, b._term, isAnd: true)
  }

  /// One of them holds, or both.
  public static func || (a: Self, b: some _QueryCondition) -> QueryTerm {
    QueryTerm(a._term, b._term, isAnd: false)
  }

  /// It does not hold.
  public static prefix func ! (a: Self) -> QueryTerm {
    let a = a._term
    return QueryTerm(around: (a, levels: 1)) { .not(a.node($0)) }
  }
}
