import ObjectStore
import TestSupport
import Testing
import ValueModels

@Suite struct `Fetched results` {
  @Test func `fetched results have the values of a query in the order of the query`() throws {
    let results = try heroes().values(Character.self, matching: .publisherName("Marvel"))
    #expect(results.count == 2)
    #expect(results.value(at: 0) == antMan)
    #expect(results[1] == ironMan)
    #expect(Array(results) == [antMan, ironMan])
    #expect(results.first == antMan)
    #expect(results.last == ironMan)
    #expect(!results.isEmpty)
    #expect(results.map(\.name) == ["Ant-Man", "Iron Man"])
    #expect(Array(results.reversed()) == [ironMan, antMan])
  }

  @Test func `fetched results reflect later writes`() throws {
    let container = try heroes()
    let results = container.values(Character.self, matching: .publisherName("Marvel"))
    #expect(results.count == 2)
    try container.write { try $0.delete(ironMan) }
    #expect(Array(results) == [antMan])
    try container.write { try $0.deleteAll(Character.self) }
    #expect(results.isEmpty)
    #expect(results.first == nil)
  }

  @Test func `fetched results are filtered by the attributes of the managed objects`() throws {
    let container = try heroes()
    let all = container.values(Character.self)
    #expect(all.where { $0.publisher.name == "DC Comics" }.map(\.name) == ["Batman"])
    #expect(try all.filter(StorePredicate("name BEGINSWITH 'I'")).map(\.name) == ["Iron Man"])
    #expect(
      all.sorted(by: \.name, ascending: false).map(\.name) == ["Iron Man", "Batman", "Ant-Man"])
    #expect(all.sorted(by: \.name).limit(1, offset: 1).map(\.name) == ["Batman"])
  }

  @Test func `a loop iterates over the values that existed when it began`() throws {
    let container = try heroes()
    var seen: [String] = []
    for character in container.values(Character.self) {
      seen.append(character.name)
      try container.write { try $0.add(Character(identifier: seen.count, name: "new")) }
    }
    #expect(seen == ["Iron Man", "Batman", "Ant-Man"])
    #expect(container.values(Character.self).count == 6)
  }

  @Test func `map iterates over the values that existed when it began`() throws {
    let container = try heroes()
    let names = container.values(Character.self).map { character in
      try? container.write { _ = try $0.delete(antMan) }
      return character.name
    }
    #expect(names.count == 3 && names.prefix(2) == ["Iron Man", "Batman"])
    #expect(throws: CancellationError.self) {
      try container.values(Character.self).map { _ in throw CancellationError() }
    }
  }

  @Test func `a query with an unknown attribute stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try heroes().values(Character.self, matching: .wings)
    }
    result.says("Container.values(Character): CharacterObject: 'wings' is not an attribute")
  }

  // MARK: - Observing

  @Test func `observers of fetched results receive values and indices`() throws {
    let container = try heroes()
    var changes: [String] = []
    let token = container.values(Character.self, matching: .publisherName("Marvel")).observe {
      switch $0 {
      case .initial(let values): changes.append("initial \(values.map(\.name))")
      case .update(let values, let deletions, let insertions, let modifications):
        changes.append(
          "\(values.map(\.name)) -\(deletions) +\(insertions) ~\(modifications)")
      case .error(let error): changes.append("\(error)")
      }
    }
    container.store.refresh()
    try container.write {
      try $0.delete(ironMan)
      try $0.add(Character(identifier: 2, name: "Hulk", publisher: marvel))
      try $0.update(Character.self, key: 1440, \.realName <- "Scott Lang")
    }
    container.store.refresh()
    token.cancel()
    #expect(
      changes == [
        #"initial ["Ant-Man", "Iron Man"]"#, #"["Ant-Man", "Hulk"] -[1] +[1] ~[0]"#,
      ])
  }

  @MainActor @Test func `changes of fetched results are an asynchronous sequence`() async throws {
    let container = try heroes()
    var counts: [Int] = []
    for await change in container.values(Character.self).changes {
      switch change {
      case .initial(let values): counts.append(values.count)
      case .update(let values, _, let insertions, _): counts += [values.count] + insertions
      case .error: counts.append(-1)
      }
      if counts.count > 1 { break }
      try container.write { try $0.add(Character(identifier: 2, name: "Hulk")) }
    }
    #expect(counts == [3, 4, 3])
  }

  // MARK: - Frozen

  @Test func `frozen results do not change and can be read in other isolation domains`()
    async throws
  {
    let container = try heroes()
    let frozen = container.values(Character.self, matching: .publisherName("Marvel")).frozen()
    try container.write { try $0.deleteAll(Character.self) }
    let names = await Task.detached { frozen.map(\.name) }.value
    #expect(names == ["Ant-Man", "Iron Man"])
    #expect(frozen.count == 2)
    #expect(frozen[1] == ironMan)
  }
}
