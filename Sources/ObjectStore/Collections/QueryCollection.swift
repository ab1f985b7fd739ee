/// A ``List``, ``MutableSet``, ``Map`` or ``LinkingObjects`` in a query.
public protocol _QueryCollection {
  /// The type of the elements; for a map, of the values.
  associatedtype _QueryElement
}

extension List: _QueryCollection {
  public typealias _QueryElement = Element
}

extension MutableSet: _QueryCollection {
  public typealias _QueryElement = Element
}

extension Map: _QueryCollection {
  public typealias _QueryElement = Value
}

extension LinkingObjects: _QueryCollection {
  public typealias _QueryElement = Element
}
