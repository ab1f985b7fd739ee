import Foundation
import ObjectStore
import TestSupport
import Testing

class Creature: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = "nobody"
  let serial: Int8 = 3
}

class Bird: Creature {
  var sings = false
  @Persisted var wingspan = 0.5
  @Persisted(indexed: true) var ringed: Bool
}

final class Parrot: Bird {
  @Persisted var words: List<String>
  @Persisted var mate: Parrot?
  override class var codableKeys: [String: String] { ["words": "vocabulary"] }
}

enum Nest {
  final class Egg: Object {
    @Persisted var weight = 60
    final class Shell: EmbeddedObject {
      @Persisted var colour = "white"
    }
    @Persisted var shell: Shell?
  }
}

private final class Secret: Object {
  @Persisted var text = "hidden"
}

final class Box<Content>: Object {
  @Persisted(primaryKey: true) var label: String
  var content: Content?
  @Persisted var count = 1
}

final class Cage<Content: Object>: Object {
  @Persisted var content: Content?
  @Persisted var all: List<Content>
}

protocol Feeder { var rations: Int { get } }

/// Has persisted attributes between stored properties of unusual layouts.
final class Odd: Object {
  private let first: Int8 = 1
  @Persisted var a: Int8 = 2
  private var flag = true
  @Persisted var b = "b"
  var feeder: (any Feeder)?
  @Persisted var c: Bool = true
  var closure: (Int) -> Int = { $0 + 1 }
  @Persisted var d: UUID?
  weak var parent: Odd?
  @Persisted var e: Int64 = -5
  lazy var expensive = [a, a]
  @Persisted var f: Float = 1.5
  unowned(unsafe) var other: Odd?
  var tuple: (Int8, Double, Bool) = (1, 2, true)
  @Persisted var g: List<Int>
  var padding: (UInt8, UInt8, UInt8) = (1, 2, 3)
  @Persisted var h: JSONValue = ["x": 1]
  var wide = SIMD4<Double>(1, 2, 3, 4)
  @Persisted var i: Decimal = 7
  var any: Any = "any"
  @Persisted var j: Odd?
  var optional: Int8?
  @Persisted var k: Date?
  static let shared = 1
  var computed: Int { Int(a) }
}

final class OlderSpelling: Object {
  @Persisted var identifier = 0
  @Persisted var code = ""
  override class func primaryKey() -> String? { "identifier" }
  override class func indexedProperties() -> [String] { ["code"] }
}

final class Underscored: Object {
  @Persisted var _comments: List<String>
  @Persisted var __twice = 1
  @Persisted var trailing_ = 2
}

@Suite struct `Every kind of class` {
  @Test func `a class in a variable gives objects of the class itself`() throws {
    let store = try Store()
    let type: Creature.Type = Parrot.self
    let parrot = try store.write { try store.create(type, value: ["id": 1, "words": ["a"]]) }
    #expect((parrot as? Parrot)?.words.count == 1)
    #expect(store.objects(type).first is Parrot)
    #expect(store.object(ofType: type, forPrimaryKey: 1) is Parrot)
    #expect(store.objects(Creature.self).isEmpty)
  }

  @Test func `inherited attributes precede own attributes over three levels`() throws {
    let schema = try ObjectSchema.of(Parrot.self)
    #expect(schema.properties.map(\.name) == ["id", "name", "wingspan", "ringed", "words", "mate"])
    #expect(
      schema.properties.map(\.declaringClass)
        == ["Creature", "Creature", "Bird", "Bird", "Parrot", "Parrot"])
    #expect(schema.primaryKeyProperty?.name == "id")
  }

  @Test func `each class of a hierarchy has its own rows`() throws {
    let store = try Store()
    try store.write {
      try store.create(Creature.self, value: ["id": 1])
      try store.create(Bird.self, value: ["id": 1, "wingspan": 2.5])
      let polly = Parrot()
      polly.id = 1
      polly.name = "Polly"
      polly.words = ["hello"]
      polly.mate = polly
      try store.add(polly)
    }
    #expect(store.objects(Creature.self).map(\.name) == ["nobody"])
    #expect(store.objects(Bird.self).map(\.wingspan) == [2.5])
    let polly = store.object(ofType: Parrot.self, forPrimaryKey: 1)
    #expect(polly?.name == "Polly")
    #expect(polly?.wingspan == 0.5)
    #expect(polly.map { Array($0.words) } == ["hello"])
    #expect(polly?.mate == polly)
    #expect(polly?.serial == 3)
  }

  @Test func `nested classes can be stored`() throws {
    let store = try Store()
    let egg = Nest.Egg()
    egg.shell = Nest.Egg.Shell()
    egg.shell?.colour = "brown"
    try store.write { try store.add(egg) }
    #expect(store.objects(Nest.Egg.self).first?.shell?.colour == "brown")
    #expect(egg.objectSchema.className == "Egg")
  }

  @Test func `private and local classes can be stored`() throws {
    final class Local: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var kids: List<Local>
      @Persisted(originProperty: "kids") var parents: LinkingObjects<Local>
    }
    let store = try Store()
    let local = Local()
    local.kids = [local]
    try store.write {
      try store.add(Secret())
      try store.add(local)
    }
    #expect(store.objects(Secret.self).first?.text == "hidden")
    #expect(Array(local.parents) == [local])
  }

  @Test func `each specialization of a generic class is a separate class`() throws {
    let store = try Store()
    try store.write {
      try store.create(Box<Int>.self, value: ["label": "a", "count": 2])
      try store.create(Box<String>.self, value: ["label": "a"])
      let cage = Cage<Parrot>()
      cage.content = Parrot()
      cage.all = [Parrot()]
      cage.all[0].id = 2
      try store.add(cage)
    }
    #expect(store.object(ofType: Box<Int>.self, forPrimaryKey: "a")?.count == 2)
    #expect(store.object(ofType: Box<String>.self, forPrimaryKey: "a")?.count == 1)
    #expect(Box<Int>().objectSchema.className == "Box<Int>")
    #expect(store.objects(Cage<Parrot>.self).first?.all.map(\.id) == [2])
  }

  @Test func `plain stored properties of any layout may be declared between attributes`() throws {
    let store = try Store()
    let schema = try ObjectSchema.of(Odd.self)
    #expect(schema.properties.map(\.name) == "abcdefghijk".map { "\($0)" })
    let odd = Odd()
    func check(_ odd: Odd) {
      #expect(odd.a == 2)
      #expect(odd.b == "b")
      #expect(odd.c)
      #expect(odd.d == nil)
      #expect(odd.e == -5)
      #expect(odd.f == 1.5)
      #expect(Array(odd.g) == [4, 5])
      #expect(odd.h == ["x": 1])
      #expect(odd.i == 7)
      #expect(odd.k == nil)
    }
    odd.g = [4, 5]
    odd.closure = { $0 + 2 }
    check(odd)
    try store.write { try store.add(odd) }
    check(odd)
    #expect(odd.closure(1) == 3)
    #expect(odd.expensive == [2, 2])
    #expect(odd.wide.sum() == 10)
    try store.write {
      odd.j = odd
      odd.d = UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    }
    let read = store.objects(Odd.self).first
    #expect(read?.j == odd)
    #expect(read?.d == odd.d)
    #expect(read?.closure(1) == 2)
  }

  @Test func `primaryKey() and indexedProperties() declare a key and indexes`() throws {
    let schema = try ObjectSchema.of(OlderSpelling.self)
    #expect(schema.primaryKeyProperty?.name == "identifier")
    #expect(schema["code"]?.isIndexed == true)
    let store = try Store()
    try store.write { try store.create(OlderSpelling.self, value: ["identifier": 5]) }
    #expect(store.object(ofType: OlderSpelling.self, forPrimaryKey: 5) != nil)
  }

  @Test func `attribute names drop exactly one underscore of the wrapper's label`() throws {
    #expect(
      try ObjectSchema.of(Underscored.self).properties.map(\.name)
        == ["_comments", "__twice", "trailing_"])
    let store = try Store()
    let made = try store.write {
      try store.create(Underscored.self, value: ["_comments": ["a"], "__twice": 3])
    }
    #expect(Array(made._comments) == ["a"])
    #expect(made.__twice == 3)
  }
}
