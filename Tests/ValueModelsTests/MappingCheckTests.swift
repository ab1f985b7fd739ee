import ObjectStore
import TestSupport
import Testing
import ValueModels

private final class Pupil: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name = ""
  @Persisted var school: School?

  var shout: String {
    get { name.uppercased() }
    set { name = newValue }
  }
}

private final class School: Object {
  @Persisted var name = ""
}

private final class Wrong: Object {
  @Persisted var name = ""

  override class func primaryKey() -> String? { "nmae" }
}

private struct KeyElsewhere: MappedPersistable {
  var id = ""
  var name = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.key(\.name, \.name)]
}

private struct KeyAsField: MappedPersistable {
  var id = ""
  var name = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.key(\.name, \.name), .field(\.id, \.id)]
}

private struct TwoKeys: MappedPersistable {
  var id = ""
  var name = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.key(\.id, \.id), .key(\.name, \.name)]
}

private struct NoKey: MappedPersistable {
  var name = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.field(\.name, \.name)]
}

private struct KeyOfNone: MappedPersistable {
  var name = ""
  typealias ManagedObject = School
  static let mapping: Fields = [.key(\.name, \.name)]
}

private struct OneAttribute: MappedPersistable {
  var id = ""
  var name = ""
  var other = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [
    .key(\.id, \.id), .field(\.name, \.name), .field(\.other, \.name),
  ]
}

private struct OneValue: MappedPersistable {
  var id = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.key(\.id, \.id), .field(\.id, \.name)]
}

private struct Doubled: MappedPersistable {
  var id = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.key(\.id, \.id), .field(\.id, \.id)]
}

private struct Derived: MappedPersistable {
  var id = ""
  var name = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.key(\.id, \.id), .field(\.name, \.shout)]
}

private struct Through: MappedPersistable {
  var id = ""
  var school = ""
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.key(\.id, \.id), .field(\.school, \.school!.name)]
}

private struct OfWrong: MappedPersistable {
  var name = ""
  typealias ManagedObject = Wrong
  static let mapping: Fields = []
}

/// A valid mapping with invalid nested values.
private struct Outer: MappedPersistable {
  var id = ""
  var school: KeyOfNone?
  typealias ManagedObject = Pupil
  static let mapping: Fields = [.key(\.id, \.id), .field(\.school, \.school)]
}

/// A type that contains itself.
private struct Circle: MappedPersistable {
  var code = ""
  var others: [Circle] = []
  typealias ManagedObject = CircleObject
  static let mapping: Fields = [.key(\.code, \.code), .field(\.others, \.others)]
}

private final class CircleObject: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var others: List<CircleObject>
}

private struct Case: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let mistakes: String
  let add: @Sendable (WriteTransaction) throws -> Void

  init<T: Persistable & Sendable>(_ value: T, _ mistakes: String) {
    testDescription = "\(T.self)"
    self.mistakes = mistakes
    add = { try $0.add(value) }
  }
}

private let cases = [
  Case(
    Through(),
    #"Through.mapping: \Through.school is paired with school.name, which is not an attribute of Pupil itself"#
  ),
  Case(
    KeyElsewhere(),
    "KeyElsewhere.mapping: .key is for the primary key, which is Pupil.id and not Pupil.name"),
  Case(
    KeyAsField(),
    """
    KeyAsField.mapping: .key is for the primary key, which is Pupil.id and not Pupil.name
    KeyAsField.mapping: Pupil.id is the primary key: pair it by .key
    """),
  Case(
    TwoKeys(),
    "TwoKeys.mapping: .key is for the primary key, which is Pupil.id and not Pupil.name"),
  Case(NoKey(), "NoKey.mapping: Pupil.id is the primary key, but no .key pairs it"),
  Case(
    KeyOfNone(),
    "KeyOfNone.mapping: School has no primary key of one attribute: pair School.name by .field instead of .key"
  ),
  Case(
    OneAttribute(),
    #"""
    OneAttribute.mapping: \OneAttribute.name and \OneAttribute.other are both paired with Pupil.name
    """#),
  Case(
    OneValue(),
    #"OneValue.mapping: \OneValue.id is paired twice, with Pupil.id and with Pupil.name"#),
  Case(Doubled(), #"Doubled.mapping: \Doubled.id and Pupil.id are paired twice"#),
  Case(
    Derived(),
    #"Derived.mapping: \Derived.name is not paired with an attribute: the key path's value is derived "#
      + "from 'name', not the attribute itself"),
  Case(OfWrong(), "Wrong.primaryKey(): 'nmae' is not an attribute; did you mean 'name'?"),
  Case(
    Outer(),
    "KeyOfNone.mapping: School has no primary key of one attribute: pair School.name by .field instead of .key"
  ),
]

@Suite struct `Validation of mappings` {
  @Test(arguments: cases) private func `adding a value with an invalid mapping throws its errors`(
    _ wrong: Case
  ) throws {
    let container = try Container()
    // The errors are thrown each time.
    for _ in 0..<2 {
      #expect(text { try container.write { try wrong.add($0) } } == wrong.mistakes)
    }
  }

  @Test func `all errors of a mapping are thrown at once`() throws {
    let container = try Container()
    #expect(
      text { try container.check(KeyAsField.self, Outer.self, KeyOfNone.self, OfWrong.self) } == """
        KeyAsField.mapping: .key is for the primary key, which is Pupil.id and not Pupil.name
        KeyAsField.mapping: Pupil.id is the primary key: pair it by .key
        KeyOfNone.mapping: School has no primary key of one attribute: pair School.name by .field instead of .key
        Wrong.primaryKey(): 'nmae' is not an attribute; did you mean 'name'?
        """)
    let error = #expect(throws: StoreError.self) { try container.check(NoKey.self, OneValue.self) }
    guard case .invalidDeclarations(let mistakes)? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(mistakes.count == 2)
  }

  @Test func `valid mappings have no errors`() throws {
    let container = try Container()
    try container.check(Ware.self, Offer.self, Remark.self, Circle.self, Character.self)
    try container.write { try $0.add(Circle(code: "a", others: [Circle(code: "b")])) }
    #expect(container.values(Circle.self).map(\.code) == ["b", "a"])
  }

  @Test func `every writing call throws the errors of a mapping`() throws {
    let container = try Container()
    try container.write { transaction in
      for call: () throws -> Void in [
        { try transaction.addAll([OneValue]()) },
        { try transaction.update(OneValue.self, values: [.set(\.id, "1")]) },
        { try transaction.update(OneValue.self, key: "1", values: [.set(\.id, "1")]) },
        { try transaction.delete(OneValue()) },
      ] {
        #expect(
          text(call)
            == #"OneValue.mapping: \OneValue.id is paired twice, with Pupil.id and with Pupil.name"#
        )
      }
    }
  }

  @Test func `reading values with an invalid mapping stops the program`() async {
    let values = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try Container().values(NoKey.self)
    }
    values.says(
      "Container.values(NoKey): NoKey.mapping: Pupil.id is the primary key, but no .key pairs it"
    )
    let value = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try Container().value(NoKey.self, forKey: "1")
    }
    value.says(
      "Container.value(NoKey): NoKey.mapping: Pupil.id is the primary key, but no .key pairs it"
    )
  }

  @Test func `a mapping is validated once`() throws {
    let container = try Container()
    try container.write { try $0.add(Counted()) }
    let readCount = Counted.reads.value
    try container.check(Counted.self)
    #expect(Counted.reads.value == readCount + 1)
    try container.write { try $0.deleteAll(Counted.self) }
    _ = container.value(Counted.self, forKey: "1")
    _ = try Container(configuration: container.store.configuration).value(
      Counted.self, forKey: "1")
    #expect(Counted.reads.value == readCount + 1)
  }
}

/// A value that counts the reads of its mapping.
private struct Counted: MappedPersistable {
  // `@unchecked Sendable` because only one test uses it.
  final class Reads: @unchecked Sendable { var value = 0 }
  static let reads = Reads()

  var id = ""
  typealias ManagedObject = Pupil
  static var mapping: Fields {
    reads.value += 1
    return [.key(\.id, \.id)]
  }
}
