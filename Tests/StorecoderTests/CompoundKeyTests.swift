import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `The command line with compound keys` {
  private let command: StorecoderTool

  /// Creates a store as an app would.
  init() throws {
    command = try StorecoderTool()
    let store = try open()
    try store.write {
      let report = RatingReport()
      report.id = 1
      report.rating = Rating(7, "cafe", stars: 5)
      report.others.append(contentsOf: [Rating(7, "a|b"), Rating(8, "cafe")])
      try store.add(report)
    }
  }

  private func open() throws -> Store {
    try Store(configuration: .file(URL(filePath: command.store)))
  }

  private func run(_ arguments: String...) throws -> String {
    let outcome = try command.run(arguments + ["--store", command.store])
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    return outcome.output
  }

  private func importText(_ text: String, _ className: String) throws -> StorecoderTool.Outcome {
    try command.run(
      "import", command.file("part.json", text), "--class", className, "--store", command.store)
  }

  @Test func `query and explain show compound keys`() throws {
    #expect(
      try command.run(["query", "--store", command.store], terminalColumns: 80).output == """
        class         objects  key                   attributes
        ────────────  ───────  ────────────────────  ───────────────────────────────────
        Rating              3  userID, restaurantID  id, userID, restaurantID, stars, n…
        RatingReport        1  id                    id, rating, others

        """)
    #expect(try run("query", "Rating", "--count") == "3\n")
    #expect(
      try run("query", "Rating", "userID == 7", "--sort", "restaurantID") == """
        id      userID  restaurantID  stars  note
        ──────  ──────  ────────────  ─────  ────
        7|a\\|b       7  a|b               3  –
        7|cafe       7  cafe              5  –
        2 objects

        """)
    #expect(
      try run("query", "RatingReport", "rating.stars == 5") == """
        id  rating         others
        ──  ─────────────  ──────────
         1  Rating 7|cafe  2 × Rating
        1 object

        """)
    #expect(
      try run("explain", "Rating") == """
        Rating
        attribute     JSON path     type     options                  declared by
        id            –             String   primary key              Rating.compoundKey
        userID        userID        Int      part of the primary key  name
        restaurantID  restaurantID  String   part of the primary key  name
        stars         stars         Int                               name
        note          note          String?                           name

        """)
  }

  @Test func `importing an export of objects with compound keys changes nothing`() throws {
    let ratings = try run("export", "Rating", "--lines")
    #expect(
      ratings == """
        {"userID":7,"restaurantID":"cafe","stars":5}
        {"userID":7,"restaurantID":"a|b","stars":3}
        {"userID":8,"restaurantID":"cafe","stars":3}

        """)
    #expect(
      try run("export", "RatingReport", "--lines") == """
        {"id":1,"rating":{"userID":7,"restaurantID":"cafe","stars":5},\
        "others":[{"userID":7,"restaurantID":"a|b","stars":3},\
        {"userID":8,"restaurantID":"cafe","stars":3}]}

        """)
    let outcome = try importText(ratings, "Rating")
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("0 inserted, 0 updated, 3 unchanged"))
    #expect(try run("export", "Rating", "--lines") == ratings)
  }

  @Test func `an import identifies objects by the parts of their compound key`() throws {
    let outcome = try importText(
      """
      [{"userID": 8, "restaurantID": "cafe", "stars": 1},
       {"userID": 9, "restaurantID": "bar", "stars": 2, "mood": "good"}]
      """, "Rating")
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("2 objects: 1 inserted, 1 updated, 0 unchanged"))
    let linked = try importText(
      #"[{"id": 2, "rating": {"userID": 9, "restaurantID": "bar", "stars": 4}, "others": []}]"#,
      "RatingReport")
    #expect(linked.errors == "")
    let changes = try command.run(
      "diff", command.file("new.json", #"[{"userID":8,"restaurantID":"cafe","stars":2}]"#),
      "--class", "Rating", "--store", command.store)
    #expect(changes.output.hasPrefix("~ Rating \"8|cafe\": stars 1 → 2\n"))
    // The app can still open its store.
    let store = try open()
    #expect(
      store.objects(Rating.self).map { "\($0.id) \($0.stars)" }
        == ["7|cafe 5", #"7|a\|b 3"#, "8|cafe 1", "9|bar 4"])
    #expect(store.damage.isEmpty)
  }

  @Test func `an import of objects without a part of their compound key is refused`() throws {
    let outcome = try importText(
      #"[{"userID": 8, "stars": 1}, {"userID": 9, "restaurantID": "x", "stars": 1}]"#, "Rating")
    #expect(outcome.status != 0)
    #expect(
      outcome.errors.contains(
        "objects of Rating are identified by 'userID', 'restaurantID' in the store but "))
    #expect(try open().objects(Rating.self).count == 3)
  }

  @Test func `links by key are not inferred for classes with compound keys`() throws {
    let outcome = try command.run(
      "import", command.file("visits.json", #"[{"id": 1, "rating_id": "7|cafe"}]"#),
      "--class", "Visit", "--links", "--store", command.store)
    #expect(outcome.errors == "")
    #expect(try run("export", "Visit", "--lines") == #"{"id":1,"rating_id":"7|cafe"}"# + "\n")
  }
}
