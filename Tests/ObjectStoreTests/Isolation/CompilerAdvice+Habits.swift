extension CompilerAdvice {
  private static let key = "name the key: @Persisted(json: \"born_on\")"
  private static let calculate = "calculate with the value instead: $0.price > 3"

  /// The first attempts of users of other stores and of Codable.
  static let habits: [CompilerAdvice] =
    [
      ("store.insert(animal)", "'insert' has been renamed to 'add(_:update:)'"),
      ("_ = store.fetch(Animal.self)", "'fetch' has been renamed to 'objects(_:)'"),
      (
        "store.delete(Animal.self, key: 7)",
        "look up the object: store.object(ofType: T.self, forPrimaryKey: key).map(store.delete)"
      ),
      ("store.deleteAll(Animal.self)", "delete the objects: store.delete(store.objects(T.self))"),
      (
        "_ = Owner(id: 1)",
        "create the object in a write: store.create(T.self, value: [\"id\": 1])"
      ),
      (
        "_ = Owner(value: [\"id\": 1])",
        "create the object in a write: store.create(T.self, value: [\"id\": 1])"
      ),
      (
        "_ = store.objects(Animal.self).where(\"legs > 3\")",
        "use where { $0.age > 3 }, filter(\"age > %@\", 3) or filter(#Predicate { … })"
      ),
      (
        "_ = store.objects(Animal.self).where(\"legs > %@\", 3)",
        "use where { $0.age > 3 }, filter(\"age > %@\", 3) or filter(#Predicate { … })"
      ),
      (
        "_ = store.objects(Animal.self).where { $0.legs % 2 == 0 }",
        "a query does not calculate: filter the objects in Swift, or store the remainder"
      ),
      (
        "_ = store.objects(Animal.self).sorted(by: \\.name, \\.legs)",
        "sort by the least significant key path first: sorted(by: \\.b).sorted(by: \\.a)"
      ),
      (
        "_ = store.objects(Animal.self).where { $0.owner === animal.owner }",
        "compare objects with =="
      ),
      ("_ = store.objects(Animal.self).where { $0.legs * 2 > 3 }", "\(calculate) / 2"),
      ("_ = store.objects(Animal.self).where { $0.legs / 2 == 3 }", "\(calculate) * 2"),
      ("_ = store.objects(Animal.self).where { $0.legs + 1 == 3 }", "\(calculate) - 2"),
      ("_ = store.objects(Animal.self).where { $0.legs - 1 == 3 }", "\(calculate) + 2"),
      (
        "_ = try coder.encode(animal, only: [\\.name])",
        "list the key paths without brackets: only: \\.title, \\.price"
      ),
      (
        "_ = try coder.read([Animal].self, from: data, complete: true)",
        "name the objects that the list contains: complete: .all, .where { … } or .of(…)"
      ),
    ].enumerated().map { index, pair in
      CompilerAdvice(
        source: """
          func habit\(index)(
            _ store: Store, _ coder: StoreCoder, _ animal: Animal, _ data: Data
          ) throws { \(pair.0) }
          """, advice: pair.1)
    }
    + [
      "(\"born_on\") var a = \"\"", "(\"born_on\") var a: String", "(key: \"born_on\") var a = 1",
      "(key: \"born_on\") var a: Int?",
    ].enumerated().map { index, attribute in
      CompilerAdvice(
        source: "final class Habit\(index): Object { @Persisted\(attribute) }", advice: key)
    }
}
