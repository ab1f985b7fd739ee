extension CompilerAdvice {
  private static let noStore = "pass the store as a parameter"
  private static let keyPaths = "pass key paths: observe(keyPaths: [\\.name])"
  private static let byKey = "pass the stored value of the key: key.persistableValue"
  private static let assign = "assign by key: map[key] = value"
  private static let read = "read by key: map[key]"
  private static let freeze =
    "call frozen() on results, or on the object that has the collection"

  static let realm: [CompilerAdvice] = [
    ("let _: Realm? = nil", "'Realm' has been renamed to 'Store'"),
    (
      "let _: NotificationToken? = nil",
      "'NotificationToken' has been renamed to 'ObservationToken'"
    ),
    (
      "let _: ThreadSafeReference<Animal>? = nil",
      "'ThreadSafeReference' has been renamed to 'ObjectReference'"
    ),
    ("token.invalidate()", "'invalidate()' has been renamed to 'cancel()'"),
    // Objects.
    ("_ = animal.realm", "an object does not expose its store: \(noStore)"),
    ("_ = animal.isFrozen", "managed objects are always live; frozen() returns a Frozen"),
    ("_ = animal.isSameObject(as: animal)", "compare objects with =="),
    ("_ = animal.value(forKey: \"name\")", "read an attribute by name: object[\"name\"]"),
    ("_ = animal.freeze()", "'freeze()' has been renamed to 'frozen()'"),
    ("_ = animal.thaw()", "objects are always live; for a Frozen, use store.resolve(frozen)"),
    ("_ = animal.frozen().thaw()", "use store.resolve(frozen)"),
    ("_ = animal.observe(keyPaths: [\"name\"]) { _ in }", keyPaths),
    // Results and collections.
    ("_ = animals.freeze()", "'freeze()' has been renamed to 'frozen()'"),
    ("_ = animals.thaw()", "results are always live; for FrozenResults, query the store again"),
    ("_ = animals.frozen().thaw()", "query the store again: store.objects(_:)"),
    ("_ = animals.isFrozen", "results are always live; frozen() returns FrozenResults"),
    ("_ = animals.realm", "results do not expose their store: \(noStore)"),
    (
      "_ = animals.sorted(byKeyPath: \"name\")",
      "use sorted(by: \\.name), or sorted(by: [StoreSortDescriptor(\"owner.name\")])"
    ),
    (
      "_ = animals.sorted(byKeyPath: \"name\", ascending: false)",
      "use sorted(by: \\.name), or sorted(by: [StoreSortDescriptor(\"owner.name\")])"
    ),
    ("_ = animals.distinct(by: [\"name\"])", "pass key paths: distinct(by: [\\.name])"),
    (
      "_ = animals.filter(predicate)",
      "use where { $0.age > 3 }, filter(\"age > %@\", 3) or filter(#Predicate { … })"
    ),
    ("let _: Int? = animals.min(ofProperty: \"legs\")", "pass a key path: min(of: \\.age)"),
    ("let _: Int? = animals.max(ofProperty: \"legs\")", "pass a key path: max(of: \\.age)"),
    ("let _: Int = animals.sum(ofProperty: \"legs\")", "pass a key path: sum(of: \\.age)"),
    (
      "let _: Double? = animals.average(ofProperty: \"legs\")",
      "pass a key path: average(of: \\.age)"
    ),
    ("_ = animals.value(forKey: \"name\")", "use map: map(\\.name)"),
    ("_ = animals.observe(keyPaths: [\"name\"]) { _ in }", keyPaths),
    ("_ = animal.owners.freeze()", freeze),
    ("_ = animal.owners.realm", "results do not expose their store: \(noStore)"),
    (
      "_ = animal.owners.sorted(byKeyPath: \"name\")",
      "use sorted(by: \\.name), or sorted(by: [StoreSortDescriptor(\"owner.name\")])"
    ),
    ("_ = animal.friends.observe(keyPaths: [\"name\"]) { _ in }", keyPaths),
    (
      "animal.owners.append(objectsIn: [Owner()])",
      "'append(objectsIn:)' has been renamed to 'append(contentsOf:)'"
    ),
    (
      "animal.friends.insert(objectsIn: [animal])",
      "'insert(objectsIn:)' has been renamed to 'insert(contentsOf:)'"
    ),
    (
      "animal.friends.formUnion([animal])",
      "'formUnion' has been renamed to 'insert(contentsOf:)'"
    ),
    ("_ = animal.friends.union([animal])", "convert to a Set: Set(set).union(other)"),
    ("_ = animal.friends.intersection([animal])", "convert to a Set: Set(set).intersection(other)"),
    ("_ = animal.friends.subtracting([animal])", "convert to a Set: Set(set).subtracting(other)"),
    ("_ = animal.friends.intersects([animal])", "use !isDisjoint(with:)"),
    (
      "animal.marks.removeObject(for: \"a\")",
      "'removeObject(for:)' has been renamed to 'removeValue(forKey:)'"
    ),
    ("animal.marks.setValue(1, forKey: \"a\")", assign),
    ("_ = animal.marks.object(forKey: \"a\")", read),
    ("_ = animal.marks.value(forKey: \"a\")", read),
    // Stores.
    (
      "_ = store.dynamicObjects(\"Animal\")",
      "'dynamicObjects' has been renamed to 'objects(dynamic:)'"
    ),
    (
      "store.writeAsync { print(animal) }",
      "write in the background: try await store.inBackground { store in try store.write { … } }"
    ),
    ("_ = store.object(ofType: Animal.self, forPrimaryKey: code)", byKey),
    ("try store.update(Animal.self, key: code, \\.legs <- 3)", byKey),
  ].enumerated().map { index, pair in
    CompilerAdvice(
      source: """
        func port\(index)(
          _ store: Store, _ animal: Animal, _ animals: Results<Animal>, _ token: ObservationToken,
          _ predicate: NSPredicate, _ code: Code
        ) throws { \(pair.0) }
        """, advice: pair.1)
  }
}
