import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Values of every type, with every kind of change to their attribute.
@Suite struct `A migrated attribute` {
  private let file: MigratedFile

  init() throws {
    file = try MigratedFile()
  }

  private static func value(_ kind: AttributeShape.Kind, _ n: Int) -> UpdateValue {
    switch kind {
    case .bool: .bool(n % 2 == 1)
    case .float, .double: .double(Double(n) + 0.5)
    case .decimal: .decimal(Decimal(n) / 4)
    case .string: .string("text \(n)")
    case .data: .data(Data([UInt8(n), 0]))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(n) * 1.25))
    case .uuid: .string("6BA7B810-9DAD-11D1-80B4-00C04FD430C\(n)")
    case .url: .string("https://example.org/\(n)")
    case .json: .object(["n": .int(Int64(n))])
    default: .int(Int64(n))
    }
  }

  @Test(arguments: AttributeShape.Kind.allCases)
  func `a migrated attribute of each type keeps its values, and null becomes its default`(
    _ kind: AttributeShape.Kind
  ) async throws {
    func schema(_ names: [String], isNew: Bool) -> ObjectSchema {
      let value = AttributeShape.value(kind)
      return ObjectSchema(
        "Thing",
        [
          Property("id", .int, isPrimaryKey: true),
          Property(names[0], value), Property(names[1], value, isOptional: !isNew),
          Property(names[2], value, isOptional: isNew),
          Property(names[3], .list(kind), isOptional: !isNew),
          Property(names[4], .set(kind)), Property(names[5], .map(kind), isOptional: !isNew),
        ]
          + (isNew
            ? [Property("text", .string), Property("changed", .list(.string))]
            : [Property("changed", .set(.string))]))
    }
    let before = ["a", "b", "c", "d", "e", "f"]
    let after = ["b", "c", "x", "y", "z", "f"]
    try file.write([schema(before, isNew: false)]) { store in
      for id in 1...3 {
        let value = Self.value(kind, id)
        try store.create(
          dynamic: "Thing",
          value: [
            "id": .init(id), "a": value, "b": id == 2 ? .null : value, "c": value,
            "d": [value, .null, Self.value(kind, 5)], "e": [value, Self.value(kind, 7)],
            "f": .object(["k": value, "none": .null]), "changed": ["a"],
          ])
      }
    }
    func texts(_ store: Store, _ names: [String]) throws -> [[String]] {
      try names.map { try store.texts("Thing", $0) }
    }
    let old = try texts(file.open([schema(before, isNew: false)], 1), before)
    let store = try await file.migrate([schema(after, isNew: true)]) { migration in
      for (from, to) in [("c", "x"), ("b", "c"), ("a", "b"), ("d", "y"), ("e", "z")] {
        try migration.renameAttribute("Thing", from: from, to: to)
      }
      try migration.enumerate("Thing") { old, new in
        new["text"] = text(of: old["a"])
        (new["changed"] as? List<String>)?.append(contentsOf: ["b"])
      }
    }
    let new = try texts(store, after)
    #expect(new[0] == old[0])
    let zero = try ZeroValue.text(kind)
    // Each object gets a different UUID.
    #expect(new[1] == [old[1][0], kind == .uuid ? new[1][1] : zero, old[1][2]])
    #expect(new[1][1] != "nil")
    #expect(new[2] == old[2])
    #expect(new[4] == old[4])
    #expect(try store.texts("Thing", "text") == old[0])
    #expect(try store.texts("Thing", "changed") == [#"["b"]"#, #"["b"]"#, #"["b"]"#])
    let things = try store.objects(dynamic: "Thing")
    // Null elements are dropped.
    #expect(things.map { Self.count($0["y"]) } == [2, 2, 2])
    #expect(things.map { Self.count($0["f"]) } == [1, 1, 1])
  }

  private static func count(_ value: Any?) -> Int? {
    func count(_ elements: some Sequence) -> Int { elements.reduce(0) { n, _ in n + 1 } }
    return (value as? any Sequence).map { count($0) }
  }
}

/// The zero value of an attribute of a kind.
private enum ZeroValue {
  static func text(_ kind: AttributeShape.Kind) throws -> String {
    let store = try Store(
      configuration: .inMemory(),
      schemas: [ObjectSchema("Zero", [Property("v", .value(kind))])])
    try store.write { _ = try store.create(dynamic: "Zero") }
    return try store.texts("Zero", "v")[0]
  }
}
