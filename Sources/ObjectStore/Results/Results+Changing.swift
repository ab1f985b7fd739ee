extension Results {
  /// Assigns the attribute with this name in all objects that match when the call begins.
  ///
  ///     store.objects(Animal.self).where { $0.legs < 4 }.setValue("limps", forKey: "note")
  ///
  /// Use it for attribute names known only at run time; `update` is checked by the compiler. The value must be one
  /// that an update accepts for the attribute: any other makes the write throw at its end. An unknown name, and a
  /// call outside a write, are misuse.
  ///
  /// - Complexity: O(n).
  public func setValue(_ value: Any?, forKey name: String) {
    // The iterator keeps the initial rows, although assignments may change which rows match.
    for object in self { object[name] = value }
  }

  /// Returns an array of the objects that satisfy a closure, which is called with each object.
  @available(
    *, deprecated,
    message: "'filter' with a closure returns an Array; 'where' queries the store and stays live"
  )
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    var included: [Element] = []
    for object in self where try isIncluded(object) { included.append(object) }
    return included
  }
}
