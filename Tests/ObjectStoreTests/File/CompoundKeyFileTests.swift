import Foundation
import TestSupport
import Testing

@testable import ObjectStore

// R10, R15
@Suite struct `Compound keys in a file` {
  private let file: MigratedFile

  init() throws {
    file = try MigratedFile()
  }

  private static func schema(
    _ compoundKey: [String], id: AttributeShape = .string, without: String? = nil
  ) -> ObjectSchema {
    ObjectSchema(
      "Seat",
      [
        Property("id", id, isPrimaryKey: true), Property("row", .int), Property("number", .int),
        Property("name", .string), Property("next", .object("Seat")),
      ].filter { $0.name != without }, compoundKey: compoundKey)
  }

  /// Writes three seats whose keys were assigned by hand. One equals the key that its attributes form.
  private func writeByHand(numbers: [Int64] = [1, 2, 3]) throws {
    try file.write([Self.schema([])]) { store in
      for (id, number) in zip(["5/1", "5-2", "5|3"], numbers) {
        let seat = try store.create(
          dynamic: "Seat",
          value: ["id": .string(id), "row": 5, "number": .int(number), "name": .string(id)])
        let first = try store.objects(dynamic: "Seat").first
        seat["next"] = first
      }
    }
  }

  private func mistakes(_ schema: ObjectSchema) -> [String] {
    do {
      let store = try file.open([schema], 1)
      _ = try store.objects(dynamic: "Seat").count
      return store.damage.flatMap { error in
        guard case .migrationNeeded(_, let mistakes) = error.kind else { return ["\(error)"] }
        return mistakes
      }
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `compound keys find objects after the file is reopened`() async throws {
    let url = file.url
    do {
      let store = try Store(configuration: .file(url))
      try store.update(
        RatingReport.self, key: 1, \.rating <- .key(CompoundKey(7, "a|b")), missing: .orInsert)
      try store.update(Rating.self, key: CompoundKey(8, "cafe"), \.stars <- 5, missing: .orInsert)
      try store.rekey(Rating.self, from: CompoundKey(8, "cafe"), to: CompoundKey(9, "cafe"))
    }
    let store = try Store(configuration: .file(url))
    try await file.check(store)
    #expect(store.objects(Rating.self).map(\.id) == [#"7|a\|b"#, "9|cafe"])
    let rating = store.object(ofType: Rating.self, forPrimaryKey: CompoundKey(9, "cafe"))
    #expect(rating?.stars == 5)
    #expect(
      store.object(ofType: RatingReport.self, forPrimaryKey: 1)?.rating?.restaurantID == "a|b")
    try store.write {
      try store.create(
        Rating.self, value: ["userID": 9, "restaurantID": "cafe", "note": "x"], update: .modified)
    }
    #expect(rating?.note == "x")
    #expect(store.objects(Rating.self).count == 2)
  }

  @Test func `the schemas of a file include compound keys`() throws {
    try file.write([Self.schema(["row", "number"])]) { store in
      try store.create(dynamic: "Seat", value: ["row": 5, "number": 1])
    }
    let schemas = try Store.schemas(of: .file(file.url))
    #expect(schemas.map(\.compoundKey) == [["row", "number"]])
    #expect(schemas.flatMap(\.mistakes) == [])
  }

  @Test func `a class that gains a compound key needs a migration`() throws {
    try writeByHand()
    #expect(mistakes(Self.schema([])) == [])
    #expect(
      mistakes(Self.schema(["row", "number"])) == [
        "Seat.row: it is part of the primary key in the class, but not in the file",
        "Seat.number: it is part of the primary key in the class, but not in the file",
      ])
  }

  @Test func `a class that changes or loses its compound key needs a migration`() throws {
    try file.write([Self.schema(["row", "number"])]) { store in
      try store.create(dynamic: "Seat", value: ["row": 5, "number": 1])
    }
    #expect(mistakes(Self.schema(["row", "number"])) == [])
    #expect(
      mistakes(Self.schema(["number", "row"])) == [
        "Seat.row: it has another position in the primary key than in the file",
        "Seat.number: it has another position in the primary key than in the file",
      ])
    #expect(
      mistakes(Self.schema(["row", "name"])) == [
        "Seat.number: it is part of the primary key in the file, but not in the class",
        "Seat.name: it is part of the primary key in the class, but not in the file",
      ])
    #expect(
      mistakes(Self.schema([], without: "number")) == [
        "Seat.row: it is part of the primary key in the file, but not in the class",
        "Seat.number: it is part of the primary key in the file, "
          + "but the class has no such attribute",
      ])
  }

  @Test func `a migration computes compound keys and keeps links`() async throws {
    try writeByHand()
    let store = try file.open([Self.schema(["row", "number"])], 2) { migration in
      // The assigned keys are replaced.
      try migration.enumerate("Seat") { old, new in
        if old["id"] as? String == "5/1" { new["id"] = "another" }
        if old["id"] as? String == "5-2" { new["row"] = 6 }
      }
      try migration.create("Seat", ["row": 7, "number": 7])
    }
    try await file.check(store)
    let seats = try store.objects(dynamic: "Seat")
    #expect(seats.map { $0["id"] as? String } == ["5|1", "6|2", "5|3", "7|7"])
    #expect(
      seats.map { ($0["next"] as? DynamicObject)?["id"] as? String }
        == ["5|1", "5|1", "5|1", nil])
    #expect(try store.object(dynamic: "Seat", forPrimaryKey: CompoundKey(6, 2)) == seats[1])
  }

  @Test func `a new compound key needs a migration block, which may be empty`() async throws {
    try writeByHand()
    #expect(
      throws: StoreError(
        .migrationNeeded(
          path: file.path,
          mistakes: [
            "Seat.row: it is part of the primary key in the class, but not in the file",
            "Seat.number: it is part of the primary key in the class, but not in the file",
          ]))
    ) { try file.open([Self.schema(["row", "number"])], 2) }
    let store = try file.open([Self.schema(["row", "number"])], 2) { _ in }
    try await file.check(store)
    #expect(
      try store.objects(dynamic: "Seat").map { $0["id"] as? String } == ["5|1", "5|2", "5|3"])
  }

  @Test func `an integer key can become a compound key`() async throws {
    try file.write([Self.schema([], id: .int)]) { store in
      for id in 1...3 {
        try store.create(
          dynamic: "Seat", value: ["id": .init(id), "row": .init(id * 2), "number": 0])
      }
    }
    let store = try file.open([Self.schema(["row", "number"])], 2) { _ in }
    try await file.check(store)
    #expect(
      try store.objects(dynamic: "Seat").map { $0["id"] as? String } == ["2|0", "4|0", "6|0"])
  }

  @Test func `equal compound keys make the migration fail`() throws {
    try writeByHand(numbers: [1, 2, 2])
    #expect(
      throws: StoreError(
        .migrationFailed(
          path: file.path,
          mistakes: [#"Seat.id: 2 objects have the primary key "5|2""#]))
    ) { try file.open([Self.schema(["row", "number"])], 2) { _ in } }
    #expect(mistakes(Self.schema([])) == [])
  }

  @Test func `a compound key larger than 16 MiB makes the migration fail`() throws {
    func schema(_ compoundKey: [String]) -> ObjectSchema {
      ObjectSchema(
        "Page",
        [
          Property("id", .string, isPrimaryKey: true), Property("number", .int),
          Property("text", .string),
        ], compoundKey: compoundKey)
    }
    let text = String(repeating: "a", count: 16 << 20 - 2)
    try file.write([schema([])]) { store in
      try store.create(dynamic: "Page", value: ["id": "1", "number": 77, "text": .string(text)])
    }
    let error = StoreError(.valueTooLarge(attribute: "Page.id", byteCount: 16 << 20 + 1))
    #expect(throws: error) { try file.open([schema(["number", "text"])], 2) { _ in } }
    #expect(
      try file.open([schema([])], 1).objects(dynamic: "Page").map { $0["id"] as? String } == ["1"])
  }

  @Test func `an attribute of a compound key can be renamed`() async throws {
    try file.write([Self.schema(["row", "number"])]) { store in
      try store.create(dynamic: "Seat", value: ["row": 5, "number": 1])
    }
    let after = ObjectSchema(
      "Seat",
      [
        Property("id", .string, isPrimaryKey: true), Property("line", .int),
        Property("number", .int), Property("name", .string), Property("next", .object("Seat")),
      ], compoundKey: ["line", "number"])
    let store = try file.open([after], 2) {
      try $0.renameAttribute("Seat", from: "row", to: "line")
    }
    try await file.check(store)
    #expect(try store.object(dynamic: "Seat", forPrimaryKey: CompoundKey(5, 1)) != nil)
  }

  @Test func `an edited compound key that does not match its attributes is reported as damage`()
    throws
  {
    try file.write([Self.schema(["row", "number"])]) { store in
      for number in 1...3 {
        try store.create(dynamic: "Seat", value: ["row": 5, "number": .init(number)])
      }
    }
    func open() throws -> Store {
      try Store(
        configuration: .file(file.url, schemaVersion: 1, externalEdits: .accept),
        schemas: [Self.schema(["row", "number"])])
    }
    try EditedFile.execute(
      "UPDATE Seat SET number = 9, id = '5|9' WHERE number = 3", in: file.url)
    #expect(try open().object(dynamic: "Seat", forPrimaryKey: CompoundKey(5, 9)) != nil)
    try EditedFile.execute("UPDATE Seat SET number = 7 WHERE number = 2", in: file.url)
    let error = #expect(throws: StoreError.self) { try open() }
    guard case .fileDamaged(_, let details, _) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(details == "Seat: the key of row 2 does not match its attributes row, number")
  }
}
