import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Payloads in which a primary key occurs several times with different values.
@Suite struct `Repeated payloads and repeated keys` {
  final class Team: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var best: Coding.Person?
    @Persisted var rounds: List<Round>
    @Persisted var scores: Map<String, Int>
  }

  final class Round: Object {
    @Persisted var title = ""
    @Persisted var players: MutableSet<Coding.Person>
    @Persisted var referee: Coding.Person?
  }

  final class Seat: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var row = 0
    @Persisted var place = 0

    override class var compoundKey: [String] { ["row", "place"] }
  }

  /// The content of the classes above as text. Links are shown by key, because they may form cycles.
  private func dump(_ store: Store) -> String {
    let teams = store.objects(Team.self).sorted { $0.id < $1.id }.map { team in
      let rounds = team.rounds.map { round in
        "\(round.title) \(round.players.map(\.id).sorted()) \(round.referee?.id ?? -1)"
      }
      return "\(team.id) \(team.name) \(team.best?.id ?? -1) \(rounds) \(team.scores)"
    }
    let people = store.objects(Coding.Person.self).sorted { $0.id < $1.id }.map { person in
      "\(person.id) \(person.name) \(person.title ?? "-") \(person.assistant?.id ?? -1) "
        + "\(person.desk?.floor ?? -1) \(Array(person.nicknames))"
    }
    let nested = "\(store.objects(Round.self).count) rounds"
    return (teams + people + [nested]).joined(separator: "\n")
  }

  @Test(
    arguments: [
      #"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#,
      #"[{"id":2,"name":"a"},{"id":1,"name":"b"},{"id":3},{"id":2,"name":"c","best":null}]"#,
      #"[{"id":1,"best":{"id":7,"name":"x"}},{"id":2,"best":{"id":7,"name":"y"}}]"#,
      #"[{"id":1,"best":{"id":7}},{"id":1,"best":{"id":8,"assistant":{"id":7,"name":"z"}}}]"#,
      #"[{"id":1,"best":{"id":7,"assistant":{"id":7,"name":"in"},"name":"out"}}]"#,
      #"[{"id":1,"rounds":[{"title":"a","referee":{"id":7}}]},{"id":1,"rounds":[{"title":"b"}]}]"#,
      #"[{"id":1,"rounds":[{"players":[{"id":7},{"id":7},{"id":7,"name":"x"}]}]}]"#,
      #"[{"id":1,"rounds":[{"title":"a"}]},{"id":1,"rounds":null},{"id":1,"rounds":[{"title":"a"}]}]"#,
      #"[{"id":1,"scores":{"a":1}},{"id":1,"scores":{"b":2}},{"id":1,"name":"n"}]"#,
    ])
  func `decoding a payload again creates no version even if objects repeat with different values`(
    payload: String
  ) throws {
    let coder = try makeCoder()
    try coder.decodeArray(Team.self, payload)
    let (version, content) = (coder.store.version, dump(coder.store))
    let again = try coder.read([Team].self, from: Data(payload.utf8))
    #expect(coder.store.version == version)
    #expect(again.outcomes.allSatisfy { $0 == .unchanged })
    #expect(again.unchanged + again.merged == again.objects.count)
    #expect(dump(coder.store) == content)
    // The same holds inside a write without prior changes.
    try coder.store.write { _ = try coder.decodeArray(Team.self, payload) }
    #expect(coder.store.version == version)
  }

  @Test func `the outcome of a repeated object is reported at its first occurrence`() throws {
    let coder = try makeCoder()
    func outcomes(_ payload: String) throws -> [ReadResult<Coding.Person>.Outcome] {
      try coder.read([Coding.Person].self, from: Data(payload.utf8)).outcomes
    }
    let payload =
      #"[{"id":1,"name":"a"},{"id":2,"assistant":{"id":3}},{"id":1,"name":"b"},{"id":3}]"#
    #expect(try outcomes(payload) == [.inserted, .inserted, .unchanged, .inserted])
    #expect(try outcomes(payload) == [.unchanged, .unchanged, .unchanged, .unchanged])
    let changed = payload.replacing(#""b""#, with: #""c""#)
    #expect(try outcomes(changed) == [.updated, .unchanged, .unchanged, .unchanged])
    #expect(coder.store.version == 2)
  }

  @Test(arguments: [2, 16, 17, 40])
  func `the last value of a repeated key of a map counts, whatever the number of keys`(
    _ count: Int
  ) throws {
    let coder = try makeCoder()
    // In order, except for the repeated key.
    let members = (0..<count).map { #""\#(100 + $0)":\#($0)"# } + [#""100":99"#]
    let text = #"{"id":1,"scores":{\#(members.joined(separator: ","))}}"#
    let result = try coder.read(Team.self, from: Data(text.utf8))
    #expect(result.objects[0].scores["100"] == 99)
    #expect(result.objects[0].scores.count == count)
    #expect(result.issues.count == 1)
  }

  private static func repeated(_ kind: String, _ count: Int) -> String {
    switch kind {
    case "a key": #"{"id":1,\#(String(repeating: #""name":"a","#, count: count))"name":"b"}"#
    case "a key of a map":
      #"{"id":1,"scores":{\#(String(repeating: #""a":1,"#, count: count))"a":2}}"#
    case "a nested object":
      #"{"id":1,"rounds":[{"players":[\#(String(repeating: #"{"id":2},"#, count: count)){"id":2}]}]}"#
    default: #"{"id":1,\#(String(repeating: #""unknown":{"a":[1]},"#, count: count))"name":"b"}"#
    }
  }

  @Test(arguments: ["a key", "a key of a map", "a nested object", "an unknown key"])
  func `what a payload repeats is decoded in linear time`(_ kind: String) throws {
    func seconds(_ count: Int) throws -> Double {
      let payload = Data(Self.repeated(kind, count).utf8)
      return try threadSeconds {
        for _ in 0..<6400 / count {
          _ = try makeCoder().read(Team.self, from: payload)
        }
      }
    }
    // Both have the same content. Quadratic time would take 16 times as long.
    #expect(try seconds(6400) < 5 * seconds(400))
  }

  // MARK: - Merged elements

  private static let merged = "merged into an earlier element with the same primary key"

  private func read<T: Object>(_ type: [T].Type, _ payload: String) throws -> ReadResult<T> {
    try makeCoder().read(type, from: Data(payload.utf8))
  }

  @Test func `elements that share a key are counted as merged, with an issue for each`() throws {
    let payload = #"""
      [{"id":1,"name":"a"},{"id":2},
       {"id":1,"name":"b"},{"id":1,"name":"b"}]
      """#
    let coder = try makeCoder()
    for (outcome, count) in [(ReadResult<Team>.Outcome.inserted, 0), (.unchanged, 2)] {
      let result = try coder.read([Team].self, from: Data(payload.utf8))
      #expect(result.merged == 2)
      #expect(result.unchanged == count)
      #expect(result.outcomes == [outcome, outcome, .unchanged, .unchanged])
      #expect(result.objects.map(\.name) == ["b", "", "b", "b"])
      #expect(result.issueCount == 2)
      #expect(
        result.issues.map(\.description) == [
          "[2] (id 1): \(Self.merged) at line 2, column 2",
          "[3] (id 1): \(Self.merged) at line 2, column 22",
        ])
      #expect(result.issues.map(\.kind) == [.mergedObject, .mergedObject])
    }
  }

  @Test func `nested objects that share a key are not counted as merged`() throws {
    let result = try read(
      [Team].self,
      #"""
      [{"id":1,"best":{"id":7,"name":"x"}},{"id":2,"best":{"id":7,"name":"y"}},
       {"id":3,"rounds":[{"players":[{"id":7},{"id":7}]}]}]
      """#)
    #expect(result.merged == 0 && result.inserted == 3 && result.issueCount == 0)
  }

  @Test func `an element with the key of an earlier nested object is not counted as merged`()
    throws
  {
    let result = try read([Coding.Person].self, #"[{"id":1,"assistant":{"id":2}},{"id":2}]"#)
    #expect(result.merged == 0 && result.inserted == 2 && result.issueCount == 0)
  }

  /// The payload has an envelope, string keys, and skipped elements before the merged ones.
  @Test func `the issue of a merged element has its index in the payload`() throws {
    final class Page: Object {
      @Persisted(primaryKey: true) var code: String
      override class var listEnvelope: String? { "data.pages" }
    }
    var lenient = StoreCoder.Configuration.default
    lenient.mismatches = .skipElement
    let coder = StoreCoder(store: try Store(), configuration: lenient)
    // The second value of a duplicate envelope key replaces the first.
    let payload = #"""
      {"data":{"pages":[1,2,{"code":"a"}],
               "pages":[7,{"code":"a"},{"id":1},{"code":"b"},{"code":"a"},8,{"code":"b"}]}}
      """#
    let result = try coder.read([Page].self, from: Data(payload.utf8))
    #expect(result.merged == 2 && result.inserted == 2 && result.objects.count == 4)
    #expect(result.issueCount == 6)
    #expect(
      result.issues.map(\.path) == [
        "data.pages", "data.pages[0]", "data.pages[2]", "data.pages[4]", "data.pages[5]",
        "data.pages[6]",
      ])
    #expect(result.issues.compactMap(\.key) == [#"code "a""#, #"code "b""#])
  }

  @Test func `the issue of a merged element has the parts of its compound key`() throws {
    let result = try read([Seat].self, #"[{"row":1,"place":2},{"row":1,"place":2}]"#)
    #expect(
      result.issues.map(\.description) == [
        "[1] (row 1, place 2): \(Self.merged) at line 1, column 22"
      ])
  }

  @Test func `elements without a primary key are never merged`() throws {
    let result = try read([Round].self, #"[{"title":"a"},{"title":"a"}]"#)
    #expect(result.merged == 0 && result.inserted == 2)
  }

  @Test func `content replaced by a later element with the same key leaves no rows behind`() throws
  {
    let coder = try makeCoder()
    let teams = try coder.decodeArray(
      Team.self,
      #"""
      [{"id":1,"rounds":[{"title":"a"},{"title":"b","referee":{"id":7}}],"best":{"id":8}},
       {"id":1,"rounds":[{"title":"c"}],"best":null}]
      """#)
    #expect(coder.store.objects(Round.self).map(\.title) == ["c"])
    #expect(teams[1].best == nil)
    // Keyed objects that are no longer referenced remain.
    #expect(coder.store.objects(Coding.Person.self).map(\.id) == [7, 8])
  }

  // MARK: - Comparison with single elements

  /// Persons with few distinct keys, nested randomly.
  private func person(_ random: inout SeededRandom, depth: Int) -> String {
    var members = [#""id":\#(Int.random(in: 0...3, using: &random))"#]
    if Bool.random(using: &random) {
      members.append(#""name":"\#(Int.random(in: 0...2, using: &random))""#)
    }
    switch Int.random(in: 0...4, using: &random) {
    case 0: members.append(#""title":null"#)
    case 1: members.append(#""title":"t""#)
    case 2: members.append(#""desk":{"floor":\#(Int.random(in: 0...2, using: &random))}"#)
    case 3: members.append(#""nicknames":["\#(Int.random(in: 0...2, using: &random))"]"#)
    default: break
    }
    if depth < 3, Bool.random(using: &random) {
      members.append(#""assistant":\#(person(&random, depth: depth + 1))"#)
    }
    members.shuffle(using: &random)
    return "{\(members.joined(separator: ","))}"
  }

  private func team(_ random: inout SeededRandom) -> String {
    var members = [#""id":\#(Int.random(in: 0...2, using: &random))"#]
    if Bool.random(using: &random) {
      members.append(#""best":\#(person(&random, depth: 0))"#)
    }
    if Bool.random(using: &random) {
      let rounds = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        let players = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          person(&random, depth: 2)
        }
        return #"{"players":[\#(players.joined(separator: ","))],"title":"\#(players.count)"}"#
      }
      members.append(#""rounds":[\#(rounds.joined(separator: ","))]"#)
    }
    return "{\(members.joined(separator: ","))}"
  }

  @Test(arguments: 1...60)
  func
    `decoding a list has the same effect as decoding its elements one by one`(
      seed: UInt64
    ) throws
  {
    var random = SeededRandom(seed: seed)
    let (whole, single) = (try makeCoder(), try makeCoder())
    for _ in 0..<6 {
      let elements = (0..<Int.random(in: 1...6, using: &random)).map { _ in team(&random) }
      let payload = "[\(elements.joined(separator: ","))]"
      try whole.decodeArray(Team.self, payload)
      for element in elements { try single.decode(Team.self, element) }
      #expect(dump(whole.store) == dump(single.store), "\(payload)")
      let version = whole.store.version
      let again = try whole.read([Team].self, from: Data(payload.utf8))
      #expect(whole.store.version == version, "\(payload)")
      #expect(again.outcomes.allSatisfy { $0 == .unchanged })
      #expect(again.unchanged + again.merged == elements.count)
      #expect(again.merged == elements.count - Set(again.objects.map(\.id)).count)
      #expect(again.issueCount == again.merged, "\(payload)")
    }
  }
}
