// What is done to all of them at once, and what looks as if it were a query.

extension Results {
  /// Assigns the attribute of this name in all objects that are there when it begins.
  ///
  ///     store.objects(Animal.self).where { $0.legs < 4 }.setValue("limps", forKey: "note")
  ///
  /// For attributes whose names are known at run time only; else `update` is checked by the compiler. The value is
  /// one that an update takes for the attribute; any other makes the write throw at its end. A name that is no
  /// attribute, and calling it outside a write, are misuse.
  ///
  /// - Complexity: O(n).
  public func setValue(_ value: Any?, forKey name: String) {
    // A loop walks the rows there were at first, whatever the assignments do to the condition.
    for object in self { object[name] = value }
  }

  /// The objects for which a closure holds, as an array: each object is made and asked.
  @available(
    *, deprecated,
    message: "'filter' with a closure gives an Array; 'where' asks the store and stays live"
  )
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    var included: [Element] = []
    for object in self where try isIncluded(object) { included.append(object) }
    return included
  }
}
