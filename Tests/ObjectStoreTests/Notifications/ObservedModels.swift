import ObjectStore

/// Models for the tests of observation.
enum Observed {
  final class Farm: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var animals: List<Animal>
    @Persisted var places: MutableSet<String>
    @Persisted var scores: List<Int>
    @Persisted var prices: Map<String, Int>
    @Persisted var byName: Map<String, Animal?>
  }

  final class Animal: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var legs = 4
    @Persisted var owner: Owner?
    @Persisted var collar: Collar?
    @Persisted(originProperty: "animals") var farms: LinkingObjects<Farm>
  }

  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "owner") var animals: LinkingObjects<Animal>
  }

  final class Collar: EmbeddedObject {
    @Persisted var colour = ""
    @Persisted var bell: Bell?
  }

  final class Bell: EmbeddedObject {
    @Persisted var tone = ""
  }

  /// A store that contains animals with these keys.
  static func store(_ ids: some Sequence<Int>) throws -> Store {
    let store = try Store()
    try store.write {
      for id in ids {
        try store.create(
          Animal.self, value: ["id": .int(Int64(id)), "name": .string("a\(id)")])
      }
    }
    return store
  }
}

extension CollectionChange {
  /// `initial`, or `-deletions +insertions ~modifications`, such as `-[0] +[] ~[2]`.
  var text: String {
    switch self {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications):
      "-\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    }
  }
}

/// The changes that the observers of a test received.
final class Received {
  private(set) var lines: [String] = []

  func note(_ line: String) { lines.append(line) }

  /// The changes since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}
