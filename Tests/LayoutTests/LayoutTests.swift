import Foundation
import ObjectStore
import Synchronization
import TestSupport
import Testing

class LayoutBase0: Object {
  @Persisted(primaryKey: true) var id: Int
  let serial: Int8 = 3
  @Persisted(.flexible) var early: Bool
}

class LayoutBase1: Object {
  @Persisted(primaryKey: true) var id: Int
  var holder: Any = "any"
  @Persisted(.null(.skip)) var early: Date?
  var last = true
}

class LayoutBase2: LayoutBase2Root {
  @Persisted var early: UUID?
  weak var friend: Object?
}

class LayoutBase2Root: Object {
  var first: UInt16 = 1
  @Persisted(primaryKey: true) var id: Int
}

/// A class with three attributes of any types and a plain stored property between the first two.
final class Mixed<A: Sampled, B: Sampled, C: Sampled>: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: A
  var spare: UInt8 = 1
  @Persisted(.null(.skip)) var b: B
  @Persisted(.flexible, .mismatch(.throw)) var c: C
  static var attributes: [LayoutAttribute<Mixed>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

class Carrier<Content>: Object {
  var content: Content?
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var early: Bool
}

/// A subclass of a class whose size depends on a type.
final class Carried<Content, A: Sampled, B: Sampled & ScalarValue>: Carrier<Content>, LayoutClass {
  @Persisted(json: "a") var a: A
  @Persisted var b: B?
  static var attributes: [LayoutAttribute<Carried>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

@Suite struct `Object layouts` {
  private static let types: [any Sampled.Type] = [
    Bool.self, Int8?.self, Int.self, Date?.self, String.self, URL?.self, Decimal?.self,
    Species.self,
  ]
  private static let scalars: [any (Sampled & ScalarValue).Type] = [
    Bool.self, UInt64.self, Data.self, JSONValue.self,
  ]
  private static let contents: [Any.Type] = [
    UInt8.self, (Int, Bool)?.self, String.self, SIMD4<Double>.self, Any.self,
  ]

  @Test func `reflection finds the attributes of classes laid out at compile time`() throws {
    let store = try Store()
    #expect(generatedLayouts.count == LayoutGenerator.classCount)
    for type in generatedLayouts { #expect(try layoutMistakes(type, store) == []) }
  }

  @Test func `reflection finds the attributes of classes laid out at run time`() throws {
    let store = try Store()
    var seen: Set<String> = []
    func check<A: Sampled, B: Sampled, C: Sampled>(_: A.Type, _: B.Type, _: C.Type) throws {
      seen.insert("\(Mixed<A, B, C>.self)")
      #expect(try layoutMistakes(Mixed<A, B, C>.self, store) == [])
    }
    for a in Self.types { for b in Self.types { for c in Self.types { try check(a, b, c) } } }
    #expect(seen.count == 512)
  }

  @Test func `reflection finds the attributes of subclasses of a superclass of any size`() throws {
    let store = try Store()
    func check<X, A: Sampled, B: Sampled & ScalarValue>(
      _: X.Type, _: A.Type, _: B.Type
    ) throws {
      #expect(try layoutMistakes(Carried<X, A, B>.self, store) == [])
    }
    for content in Self.contents {
      for a in Self.types { for b in Self.scalars { try check(content, a, b) } }
    }
  }

  @Test func `reflection finds the attributes of a class first used by sixteen threads at once`() {
    let mistakes = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      do {
        let found = try layoutMistakes(Mixed<UInt32, Float, Data?>.self, Store(isolation: nil))
        mistakes.withLock { $0 += found }
      } catch {
        mistakes.withLock { $0.append("\(error)") }
      }
    }
    #expect(mistakes.withLock { $0 } == [])
  }

  @Test func `the generated classes match the generator's output`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "GeneratedLayouts.swift")
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try LayoutGenerator.source().write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == LayoutGenerator.source())
  }
}
