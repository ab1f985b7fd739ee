/// An attribute in a query closure: `store.objects(Animal.self).where { $0.owner.name == "Jo" }`.
///
/// It represents the attribute of any object and has no value. Comparing it with a value or with another attribute
/// creates a ``QueryTerm``, which `&&`, `||` and `!` combine.
@dynamicMemberLookup
public struct QueryPath<Value> {
  /// The object or element that the path begins at.
  let root: QueryRoot
  let names: [String]
  let form: QueryForm
  /// The path to a value inside a JSON attribute; empty for the attribute itself.
  let json: [JSONStep]

  init(
    _ root: QueryRoot, _ names: [String] = [], _ form: QueryForm = .attribute,
    _ json: [JSONStep] = []
  ) {
    self.root = root
    self.names = names
    self.form = form
    self.json = json
  }

  func operand(_ scopes: [QueryRoot]) -> QueryOperand {
    switch form {
    case .attribute: .attribute(attribute(scopes))
    case .count: .count(attribute(scopes))
    case .aggregate(let aggregate, let names): .aggregate(aggregate, of: attribute(scopes), names)
    case .known: .known(attribute(scopes))
    }
  }

  func attribute(_ scopes: [QueryRoot]) -> QueryAttribute {
    let index = scopes.lastIndex { $0 === root } ?? 0
    return QueryAttribute(names, scope: scopes.count - 1 - index, json: json)
  }

  fileprivate func appending<Member>(_ keyPath: AnyKeyPath) -> QueryPath<Member> {
    do {
      return QueryPath<Member>(root, names + (try _KeyPathRecorder.names(keyPath)))
    } catch {
      misuse("a query: \(error)")
    }
  }
}

/// The property that a query reads of the attribute at the end of a path: its value, its count, an aggregate, or a Boolean
/// value that indicates whether it is known.
enum QueryForm {
  case attribute
  case count
  case aggregate(QueryAggregate, [String])
  case known
}

/// The object that a query closure describes, or an element of a collection in it.
package final class _QueryRoot {}
typealias QueryRoot = _QueryRoot

extension QueryPath {
  /// Creates a path from attribute names, for other modules of this package.
  package init(_ root: _QueryRoot, names: [String]) { self.init(root, names) }

  package var _root: _QueryRoot { root }
}

extension QueryPath {
  // The constraints are protocols: dynamic member lookup does not check a class constraint, and `$0.name.count` would
  // compile (Swift 6.3.1).

  /// Accesses an attribute of the object. A key path to anything but a `@Persisted` attribute is misuse.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value, Member>
  ) -> QueryPath<Member> where Value: ObjectProtocol {
    appending(keyPath)
  }

  /// Accesses an attribute of the linked object. It is null if the link is null.
  public subscript<Target: ObjectProtocol, Member>(
    dynamicMember keyPath: KeyPath<Target, Member>
  ) -> QueryPath<Member> where Value == Target? {
    appending(keyPath)
  }
}

extension QueryPath {
  /// A Boolean value that indicates whether the store knows the server's value of the attribute; see
  /// ``ObjectProtocol/isKnown(_:)``.
  ///
  ///     store.objects(Order.self).where { $0.note.isKnown }             // note.@known == true
  ///     store.objects(Order.self).where { !$0.customer.name.isKnown }
  ///
  /// False if a link on the path is null. Reading it of an object or element instead of an attribute, or of a value inside
  /// JSON, is misuse.
  ///
  /// - Complexity: No index is used. A query reads a bit per object, and nothing in parts of a store in which everything is
  ///   known.
  public var isKnown: QueryPath<Bool> {
    guard case .attribute = form else {
      misuse("a query: isKnown applies to an attribute, not to a count or an aggregate")
    }
    return QueryPath<Bool>(root, names, .known, json)
  }
}

extension QueryPath where Value: _QueryScalar, Value._QueryBase: PersistableEnum {
  /// The raw value of the enum, which is the stored value.
  public var rawValue: QueryPath<Value._QueryBase.RawValue?> {
    QueryPath<Value._QueryBase.RawValue?>(root, names, form)
  }
}
