/// A user's program, and the compiler's expected response.
struct CompilerProgram: Sendable {
  let name: String
  let source: String
  /// A part of the expected error; nil for a program that must compile.
  var refusal: String?
  var flags: [String] = []

  static let models = """
    import Foundation
    import ObjectStore

    final class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
    }
    final class Animal: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var legs = 4
      @Persisted var owner: Owner?
      @Persisted var tags: List<String>
    }

    """

  static let raceRisk = "risks causing data races"

  // MARK: - Programs that must compile

  static let accepted: [CompilerProgram] = [
    CompilerProgram(
      name: "objects(dynamic:) with its label",
      source: """
        func show(_ store: Store) throws {
          print(try store.objects(dynamic: "Animal").filter("legs > 3").count)
        }
        """),
    CompilerProgram(
      name: "a screen observes results and shows them",
      source: """
        @MainActor final class Screen {
          let store: Store
          var names: [String] = []
          var token: ObservationToken?
          init() throws {
            store = try Store()
            token = store.objects(Animal.self).where { $0.legs > 2 }.observe { [weak self] change in
              if case .update(let animals, _, _, _) = change { self?.show(animals) }
            }
          }
          func show(_ animals: Results<Animal>) { names = animals.map(\\.name) }
          nonisolated func stop(_ token: ObservationToken) { token.cancel() }
        }
        """),
    CompilerProgram(
      name: "a task of the main actor and an actor loop over changes",
      source: """
        @MainActor func watch(_ store: Store) -> Task<Void, Never> {
          Task {
            for await change in store.objects(Animal.self).changes { print(change.newModifications) }
          }
        }
        actor Barn {
          let store: Store
          init() throws { store = try Store() }
          func watch(_ id: Int) async {
            store.follow()
            guard let animal = store.object(ofType: Animal.self, forPrimaryKey: id) else { return }
            for await change in animal.changes { print(change) }
            for await change in animal.tags.changes { print(change.newModifications) }
          }
        }
        """),
    CompilerProgram(
      name: "changes of commits and held versions cross isolation domains",
      source: """
        @MainActor func watch(_ store: Store) throws -> ObservationToken {
          let before = store.holdVersion()
          Task.detached { print(before.number) }
          let changes = try store.changes(since: before)
          Task.detached { print(changes.classes.count) }
          return store.observe { changes in Task.detached { print(changes["Animal"]?.deleted ?? []) } }
        }
        """),
    CompilerProgram(
      name: "a view model keeps a handle and objects",
      source: """
        @MainActor final class ViewModel {
          let store: Store
          var animals: Results<Animal>
          init() throws { store = try Store(); animals = store.objects(Animal.self) }
          func load() { for animal in animals { print(animal.legs) } }
          func later() { Task { for animal in store.objects(Animal.self) { print(animal.legs) } } }
        }
        """),
    CompilerProgram(
      name: "an actor keeps a handle",
      source: """
        actor Keeper {
          let store: Store
          init() throws { store = try Store() }
          func names() -> [String] { store.objects(Animal.self).map(\\.name) }
          func rename() async throws {
            try await store.asyncWrite { store.objects(Animal.self).first?.name = "Bella" }
          }
        }
        """),
    CompilerProgram(
      name: "a detached task opens its own handle",
      source: """
        func decode(_ configuration: StoreConfiguration) async throws -> [String] {
          try await Task.detached {
            let store = try Store(configuration: configuration)
            try store.write { try store.add(Animal()) }
            return store.objects(Animal.self).map(\\.name)
          }.value
        }
        """),
    CompilerProgram(
      name: "references, frozen objects and keys cross isolation domains",
      source: """
        @MainActor func handOver(_ store: Store) async throws -> Int {
          let animal = store.objects(Animal.self)[0]
          let (reference, frozen, id) = (animal.reference, animal.frozen(), animal.id)
          let results = store.objects(Animal.self).frozen()
          return try await store.inBackground { store in
            (store.resolve(reference)?.legs ?? 0) + frozen.legs + id + results.count
          }
        }
        """),
    CompilerProgram(
      name: "a frozen object is read by a detached task",
      source: """
        @MainActor func show(_ store: Store) {
          let frozen = store.objects(Animal.self)[0].frozen()
          Task.detached { print(frozen.legs, frozen.owner?.name ?? "", frozen.tags) }
        }
        """),
    CompilerProgram(
      name: "a task uses an object after an await",
      source: """
        func wait() async throws {
          let store = try Store()
          let animal = store.objects(Animal.self)[0]
          await Task.yield()
          print(animal.legs)
        }
        """),
    CompilerProgram(
      name: "a handle without an actor is transferred to a task",
      source: """
        func move() throws {
          let store = try Store(isolation: nil)
          Task { print(store.objects(Animal.self).count) }
        }
        """),
    CompilerProgram(
      name: "an unmanaged object is passed as sending",
      source: """
        func save(_ animal: sending Animal) {}
        func send() {
          let animal = Animal()
          animal.legs = 3
          save(animal)
        }
        """),
    CompilerProgram(
      name: "results of background work are returned",
      source: """
        @MainActor func work(_ store: Store, _ update: UpdateDictionary) async throws {
          try await store.inBackground { store in
            try store.write { try store.create(Animal.self, value: update, update: .modified) }
          }
          let count = try await store.inBackground { store in store.objects(Animal.self).count }
          let reference = try await store.inBackground { store in
            try store.write { try store.create(Animal.self, value: update).reference }
          }
          try await store.inBackground { store in store.objects(Animal.self)[0] }
          try await store.inBackground { store in store.objects(Animal.self)[0].tags }
          print(count, store.resolve(reference)?.name ?? "")
        }
        """),
    CompilerProgram(
      name: "models and handles in a module with main actor isolation",
      source: """
        final class Named: Object {
          @Persisted var name = ""
          override var description: String { name }
        }
        final class Screen {
          let store: Store
          init() throws { store = try Store() }
          func show() async throws {
            let animal = Animal()
            animal.name = "Bella"
            try store.write { try store.add(animal) }
            try store.update(Animal.self, key: 1, \\.legs <- 3, \\.tags += ["a"])
            let count = try await store.inBackground { store in
              try store.write { try store.create(Animal.self, value: ["id": 2]).legs = 3 }
              return store.objects(Animal.self).count
            }
            let frozen = animal.frozen()
            let name = await Task.detached { frozen.name }.value
            print(count, name, store.objects(Animal.self).map(\\.name))
          }
        }
        """, flags: ["-default-isolation", "MainActor"]),
  ]

  // MARK: - Programs that must be rejected

  static let refused: [CompilerProgram] = [
    CompilerProgram(
      name: "results passed to an observer are used in a detached task",
      source: """
        @MainActor func bad(_ store: Store) -> ObservationToken {
          store.objects(Animal.self).observe { change in
            Task.detached { print(change.newModifications) }
          }
        }
        """, refusal: raceRisk),
    CompilerProgram(
      name: "a loop over changes in a detached task",
      source: """
        @MainActor func bad(_ store: Store) {
          let changes = store.objects(Animal.self).changes
          Task.detached { for await change in changes { print(change.newModifications) } }
        }
        """, refusal: raceRisk),
    CompilerProgram(
      name: "changes as Sendable",
      source: """
        func bad(_ changes: ObservedChanges<ObjectChange>) { let _: any Sendable = changes }
        """,
      refusal: "changes stay in the isolation of their store: begin the loop there"),
    CompilerProgram(
      name: "an object of the main actor is used in a detached task",
      source: """
        @MainActor func bad(_ store: Store) {
          let animal = store.objects(Animal.self)[0]
          Task.detached { print(animal.legs) }
        }
        """, refusal: raceRisk),
    CompilerProgram(
      name: "a handle of the main actor is used in a detached task",
      source: """
        @MainActor final class ViewModel {
          let store: Store
          init() throws { store = try Store() }
          func bad() { Task.detached { [store] in print(store.objects(Animal.self).count) } }
        }
        """, refusal: raceRisk),
    CompilerProgram(
      name: "an object is returned from its actor",
      source: """
        actor Keeper {
          let store: Store
          init() throws { store = try Store() }
          func first() -> Animal? { store.objects(Animal.self).first }
        }
        func bad(_ keeper: Keeper) async { print(await keeper.first()?.legs ?? 0) }
        """, refusal: "non-Sendable 'Animal?'-typed result can not be returned from actor-isolated"),
    CompilerProgram(
      name: "a handle is used in two tasks",
      source: """
        func bad() throws {
          let store = try Store(isolation: nil)
          Task { print(store.objects(Animal.self).count) }
          print(store.objects(Animal.self).count)
        }
        """, refusal: raceRisk),
    CompilerProgram(
      name: "an object is passed to the main actor",
      source: """
        @MainActor func show(_ animal: Animal) {}
        func bad() async throws {
          let store = try Store(isolation: nil)
          let animal = store.objects(Animal.self)[0]
          await show(animal)
          print(store.objects(Animal.self).count)
        }
        """, refusal: raceRisk),
    CompilerProgram(
      name: "an object is captured by background work",
      source: """
        @MainActor func bad(_ store: Store) async throws {
          let animal = Animal()
          try await store.inBackground { store in try store.write { try store.add(animal) } }
        }
        """, refusal: "capture of 'animal' with non-Sendable type 'Animal' in a '@Sendable' closure"
    ),
    CompilerProgram(
      name: "an object is returned from background work",
      source: """
        @MainActor func bad(_ store: Store) async throws {
          let animal: Animal = try await store.inBackground { $0.objects(Animal.self)[0] }
          print(animal.name)
        }
        """,
      refusal: "conformance of 'ObjectBase' to 'Sendable' is unavailable: "
        + "an object is confined to its store's isolation domain: pass its reference, frozen() or key"
    ),
    CompilerProgram(
      name: "a global object",
      source: "let animal = Animal()\n", refusal: "is not concurrency-safe"),
    CompilerProgram(
      name: "an unmanaged object is used after it was sent",
      source: """
        func save(_ animal: sending Animal) async {}
        func bad() async {
          let animal = Animal()
          await save(animal)
          print(animal.legs)
        }
        """, refusal: raceRisk),
    CompilerProgram(
      name: "a Sendable struct that holds an object",
      source: "struct Holder: Sendable { let animal: Animal }\n",
      refusal: "has non-Sendable type 'Animal'"),
    CompilerProgram(
      name: "a partial update with a value of another type",
      source: """
        func bad(_ store: Store) throws {
          try store.update(Animal.self, key: 1, \\.legs <- "four")
        }
        """, refusal: "cannot convert value of type 'String' to expected argument type 'Int'"),
    CompilerProgram(
      name: "a partial update of an attribute of another class",
      source: """
        func bad(_ store: Store) throws {
          try store.update(Owner.self, key: 1, \\.legs <- 4)
        }
        """, refusal: "value of type 'Owner' has no member 'legs'"),
    CompilerProgram(
      name: "an attribute of a struct",
      source: "struct Plain { @Persisted var legs = 4 }\nfunc bad(_ p: Plain) { print(p.legs) }\n",
      refusal: "@Persisted works in subclasses of Object and EmbeddedObject only"),
  ]
}
