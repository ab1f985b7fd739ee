/// A condition, the result of comparing a ``QueryPath``.
///
/// Any number of terms can be joined by `&&` or `||` at the same level. Nested terms, such as `!((a || b) && c)`, may
/// have up to 200 levels, as in the format syntax. More levels are misuse.
public struct QueryTerm: _QueryCondition {
  /// Set for a comparison and for a term that contains another term.
  private let single: (([QueryRoot]) -> QueryNode)?
  private var junction: Junction?
  /// The number of levels. A comparison has one.
  fileprivate let depth: Int

  public var _term: QueryTerm { self }

  /// - Parameters:
  ///   - inner: The contained term, and the number of levels to add to it.
  init(
    around inner: (term: QueryTerm, levels: Int)? = nil,
    _ node: @escaping ([QueryRoot]) -> QueryNode
  ) {
    single = node
    depth = inner.map { Self.checked($0.term.depth + $0.levels) } ?? 1
  }

  fileprivate init(_ left: QueryTerm, _ right: QueryTerm, isAnd: Bool) {
    single = nil
    junction = Junction(left, right, isAnd)
    depth = Self.checked(max(left.levels(in: isAnd), right.levels(in: isAnd)))
  }

  /// The number of levels as an operand of a junction.
  private func levels(in isAnd: Bool) -> Int { junction?.isAnd == isAnd ? depth : depth + 1 }

  private static func checked(_ depth: Int) -> Int {
    if depth > QueryFormat.depthLimit {
      misuse(
        "a query: nested conditions may have at most \(QueryFormat.depthLimit) levels; combine them "
          + "with only && or only ||, use 'in', or call 'where' several times")
    }
    return depth
  }

  /// The node of the condition.
  /// - Parameter scopes: The enclosing objects and elements, the innermost last.
  func node(_ scopes: [QueryRoot]) -> QueryNode {
    if let single { return single(scopes) }
    guard let junction else { return .constant(true) }
    let nodes = junction.parts.map { $0.node(scopes) }
    return junction.isAnd ? .and(nodes) : .or(nodes)
  }

  /// Two terms joined by `&&` or `||`. Either may itself be a junction. Joining many terms creates a long chain, which
  /// is traversed and freed without recursion.
  private final class Junction {
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
        guard var junction = term.junction else { continue }
        term.junction = nil
        if isKnownUniquelyReferenced(&junction) {
          rest += junction.sides
          junction.sides = []
        }
      }
    }

    /// All terms joined by the same operator, in source order.
    var parts: [QueryTerm] {
      var parts: [QueryTerm] = []
      var rest = [sides[1], sides[0]]
      while let term = rest.popLast() {
        if let junction = term.junction, junction.isAnd == isAnd {
          rest.append(junction.sides[1])
          rest.append(junction.sides[0])
        } else {
          parts.append(term)
        }
      }
      return parts
    }
  }
}

/// A condition that `&&`, `||` and `!` accept in a query: a ``QueryTerm``, or an attribute of type Bool.
public protocol _QueryCondition {
  /// The condition as a term.
  var _term: QueryTerm { get }
}

extension QueryPath: _QueryCondition where Value == Bool {
  public var _term: QueryTerm { self == true }
}

extension _QueryCondition {
  /// Returns a condition that is true if both conditions are true.
  public static func && (a: Self, b: some _QueryCondition) -> QueryTerm {
    QueryTerm(a._term, b._term, isAnd: true)
  }

  /// Returns a condition that is true if at least one condition is true.
  public static func || (a: Self, b: some _QueryCondition) -> QueryTerm {
    QueryTerm(a._term, b._term, isAnd: false)
  }

  /// Returns the negation of a condition.
  public static prefix func ! (a: Self) -> QueryTerm {
    let a = a._term
    return QueryTerm(around: (a, levels: 1)) { .not(a.node($0)) }
  }
}
