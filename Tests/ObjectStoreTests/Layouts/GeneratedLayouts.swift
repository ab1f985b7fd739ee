// Written by `LayoutGenerator`; to write it again, run the tests with RECORD=1.

import Foundation
import ObjectStore
import TestSupport

final class Layout0: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Bool = true
  var spare0: (UInt8, Bool) = (1, true)
  @Persisted var b: Int8 = 3
  @Persisted(.flexible) var c: Decimal = 7
  static var attributes: [LayoutAttribute<Layout0>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout1: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.skip)) var a: Date = Date(timeIntervalSince1970: 9)
  @Persisted(.mismatch(.skipAttribute), .null(.default)) var b: UInt64?
  @Persisted(.mismatch(.skipAttribute)) var c: Double?
  static var attributes: [LayoutAttribute<Layout1>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout2: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Decimal?
  var spare0: UInt32?
  @Persisted(json: "the_b") var b: Int = -1
  var spare1: Decimal = 1
  static var attributes: [LayoutAttribute<Layout2>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout3: LayoutBase1, LayoutClass {
  @Persisted var a: Level
  var spare0: () -> Int = { 4 }
  @Persisted var b: Bool?
  @Persisted var c: URL?
  @Persisted(.mismatch(.skipAttribute)) var d: URL
  @Persisted(.null(.default)) var e: Int8 = 3
  static var attributes: [LayoutAttribute<Layout3>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout4: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var a: Species = .cow
  var spare0: Decimal = 1
  @Persisted(.null(.skip), .mismatch(.skipAttribute)) var b: UInt64?
  @Persisted(json: "the_c", .null(.skip), .null(.default)) var c: URL
  @Persisted(.flexible) var d: Int?
  @Persisted(json: "the_e", .mismatch(.skipAttribute)) var e: UInt64?
  static var attributes: [LayoutAttribute<Layout4>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout5: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .null(.skip)) var a: List<String>
  @Persisted var b: Int?
  static var attributes: [LayoutAttribute<Layout5>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout6: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .null(.skip)) var a: List<String>
  var spare0: (any CustomStringConvertible)?
  @Persisted(.mismatch(.skipAttribute), .null(.default)) var b: Bool = true
  static var attributes: [LayoutAttribute<Layout6>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout7: LayoutBase0, LayoutClass {
  @Persisted(.flexible, .null(.default)) var a: JSONValue
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted(.null(.default)) var b: Species?
  var spare1: (UInt8, Bool) = (1, true)
  @Persisted var c: Int8? = nil
  @Persisted(.flexible) var d: Bool?
  @Persisted(.null(.skip), .null(.default)) var e: String?
  static var attributes: [LayoutAttribute<Layout7>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout8: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.raw()) var a: String = "none"
  var spare0: UInt32?
  @Persisted(.mismatch(.skipAttribute), .flexible) var b: JSONValue
  lazy var spare1 = [id]
  @Persisted(.null(.skip)) var c: Data?
  @Persisted var d: Date?
  static var attributes: [LayoutAttribute<Layout8>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout9: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Int8? = nil
  var spare0: Date?
  static var attributes: [LayoutAttribute<Layout9>] {
    [.init("a", \.a)]
  }
}

final class Layout10: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: String = "none"
  @Persisted(.mismatch(.skipAttribute)) var b: Double?
  static var attributes: [LayoutAttribute<Layout10>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout11: LayoutBase1, LayoutClass {
  @Persisted(.flexible, .null(.skip)) var a: List<String>
  var spare0 = SIMD4<Float>(repeating: 1)
  static var attributes: [LayoutAttribute<Layout11>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout12: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: JSONValue
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted var b: List<Int> = [1, 2]
  var spare1: (any CustomStringConvertible)?
  @Persisted var c: List<Int> = [1, 2]
  @Persisted(.null(.default)) var d: Data
  @Persisted(.null(.skip)) var e: Decimal?
  static var attributes: [LayoutAttribute<Layout12>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout13: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: UInt32 = 9
  @Persisted(json: "the_b") var b: Int16
  @Persisted(.mismatch(.skipAttribute)) var c: Bool = true
  static var attributes: [LayoutAttribute<Layout13>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout14: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: UInt32 = 9
  var spare0: Any = 5
  static var attributes: [LayoutAttribute<Layout14>] {
    [.init("a", \.a)]
  }
}

final class Layout15: LayoutBase0, LayoutClass {
  @Persisted var a: Data
  lazy var spare0 = [id]
  @Persisted(.flexible) var b: Data
  @Persisted(json: "the_c", .null(.default), .flexible) var c: Decimal = 7
  @Persisted(json: "the_d", .mismatch(.skipAttribute), .flexible) var d: Decimal?
  @Persisted(.unknown(.cow), .null(.skip)) var e: Species?
  static var attributes: [LayoutAttribute<Layout15>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout16: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Decimal?
  var spare0: (any CustomStringConvertible)?
  static var attributes: [LayoutAttribute<Layout16>] {
    [.init("a", \.a)]
  }
}

final class Layout17: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .mismatch(.skipAttribute)) var a: Int16
  var spare0: () -> Int = { 4 }
  @Persisted var b: Int16
  static var attributes: [LayoutAttribute<Layout17>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout18: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: UUID?
  var spare0: Date?
  @Persisted var b: Int = -1
  var spare1: (UInt8, Bool) = (1, true)
  @Persisted(.null(.default), .flexible) var c: Decimal?
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var d: Float = 0.5
  static var attributes: [LayoutAttribute<Layout18>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout19: LayoutBase0, LayoutClass {
  @Persisted var a: Int8 = 3
  var spare0: (any CustomStringConvertible)?
  @Persisted(json: "the_b", .flexible, .mismatch(.skipAttribute)) var b: Int16
  weak var spare1: Object?
  @Persisted var c: UInt64?
  @Persisted(json: "the_d") var d: List<String>
  @Persisted(.null(.default)) var e: UInt64?
  static var attributes: [LayoutAttribute<Layout19>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout20: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Decimal?
  static var attributes: [LayoutAttribute<Layout20>] {
    [.init("a", \.a)]
  }
}

final class Layout21: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .flexible) var a: Float = 0.5
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var b: Int8? = nil
  var spare1: (UInt8, Bool) = (1, true)
  @Persisted(json: "the_c", .null(.skip)) var c: Level
  @Persisted(.mismatch(.skipAttribute)) var d: Bool = true
  @Persisted(.mismatch(.skipAttribute)) var e: URL?
  static var attributes: [LayoutAttribute<Layout21>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout22: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default), .null(.skip)) var a: Int?
  static var attributes: [LayoutAttribute<Layout22>] {
    [.init("a", \.a)]
  }
}

final class Layout23: LayoutBase0, LayoutClass {
  @Persisted(.raw(.exact)) var a: String?
  var spare0: Decimal = 1
  @Persisted(json: "the_b", .null(.default)) var b: String?
  @Persisted var c: String = "none"
  @Persisted var d: Level
  @Persisted var e: Float = 0.5
  static var attributes: [LayoutAttribute<Layout23>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout24: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .flexible) var a: Int16
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.null(.skip)) var b: Int8 = 3
  @Persisted(.mismatch(.skipAttribute)) var c: List<String>
  static var attributes: [LayoutAttribute<Layout24>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout25: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .flexible) var a: Int8? = nil
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.flexible) var b: List<Int> = [1, 2]
  static var attributes: [LayoutAttribute<Layout25>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout26: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Date?
  var spare0: Date?
  @Persisted(.flexible) var b: URL
  static var attributes: [LayoutAttribute<Layout26>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout27: LayoutBase2, LayoutClass {
  @Persisted var a: List<Int> = [1, 2]
  weak var spare0: Object?
  @Persisted(.null(.default), .flexible) var b: List<Int> = [1, 2]
  var spare1 = URL(fileURLWithPath: "/")
  @Persisted(json: "the_c", .null(.skip)) var c: Level
  @Persisted var d: Bool
  @Persisted(.null(.skip)) var e: JSONValue
  static var attributes: [LayoutAttribute<Layout27>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout28: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .flexible) var a: Float = 0.5
  @Persisted(.null(.default), .null(.skip)) var b: Data?
  @Persisted var c: Decimal = 7
  @Persisted var d: JSONValue
  static var attributes: [LayoutAttribute<Layout28>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout29: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Date = Date(timeIntervalSince1970: 9)
  @Persisted(.flexible) var b: Bool
  @Persisted var c: Data
  static var attributes: [LayoutAttribute<Layout29>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout30: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .flexible) var a: Decimal = 7
  @Persisted var b: Decimal = 7
  @Persisted var c: String?
  @Persisted(json: "the_d") var d: URL?
  static var attributes: [LayoutAttribute<Layout30>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout31: LayoutBase2, LayoutClass {
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var a: UUID?
  weak var spare0: Object?
  @Persisted var b: Species?
  var spare1: (UInt8, Bool) = (1, true)
  @Persisted var c: Species?
  static var attributes: [LayoutAttribute<Layout31>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout32: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Int8? = nil
  let spare0: Int16 = 2
  @Persisted(.date(.unixMilliseconds)) var b: Date?
  var spare1 = URL(fileURLWithPath: "/")
  @Persisted(.null(.default)) var c: Date = Date(timeIntervalSince1970: 9)
  @Persisted(.flexible) var d: Bool
  @Persisted(.mismatch(.skipAttribute)) var e: Date?
  static var attributes: [LayoutAttribute<Layout32>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout33: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: UInt32 = 9
  @Persisted var b: JSONValue
  @Persisted(.mismatch(.skipAttribute)) var c: Level
  static var attributes: [LayoutAttribute<Layout33>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout34: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: Data?
  @Persisted var b: UUID?
  @Persisted(.flexible) var c: URL?
  static var attributes: [LayoutAttribute<Layout34>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout35: LayoutBase2, LayoutClass {
  @Persisted(.flexible) var a: Int16
  @Persisted var b: URL?
  static var attributes: [LayoutAttribute<Layout35>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout36: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .mismatch(.skipAttribute)) var a: Bool = true
  let spare0: Int16 = 2
  @Persisted var b: UInt32 = 9
  var spare1: (any CustomStringConvertible)?
  @Persisted var c: Species?
  @Persisted(.flexible) var d: Date = Date(timeIntervalSince1970: 9)
  @Persisted(json: "the_e", .null(.default)) var e: Int16
  static var attributes: [LayoutAttribute<Layout36>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout37: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Decimal?
  lazy var spare0 = [id]
  @Persisted var b: UUID?
  var spare1: String?
  @Persisted(json: "the_c", .null(.skip)) var c: Bool = true
  static var attributes: [LayoutAttribute<Layout37>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout38: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .null(.default)) var a: List<Int> = [1, 2]
  unowned(unsafe) var spare0: AnyObject?
  static var attributes: [LayoutAttribute<Layout38>] {
    [.init("a", \.a)]
  }
}

final class Layout39: LayoutBase0, LayoutClass {
  @Persisted(.raw()) var a: String = "none"
  var spare0: Decimal = 1
  static var attributes: [LayoutAttribute<Layout39>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout40: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: UInt64?
  var spare0: () -> Int = { 4 }
  static var attributes: [LayoutAttribute<Layout40>] {
    [.init("a", \.a)]
  }
}

final class Layout41: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Decimal = 7
  @Persisted var b: List<String>
  @Persisted(json: "the_c", .mismatch(.skipAttribute), .flexible) var c: Int = -1
  @Persisted(json: "the_d", .flexible) var d: Decimal = 7
  static var attributes: [LayoutAttribute<Layout41>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout42: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .null(.skip)) var a: UUID?
  var spare0: String?
  @Persisted(.unknown(.horse)) var b: Species = .cow
  unowned(unsafe) var spare1: AnyObject?
  @Persisted var c: String?
  @Persisted var d: Int = -1
  @Persisted(.null(.skip)) var e: Int16
  static var attributes: [LayoutAttribute<Layout42>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout43: LayoutBase0, LayoutClass {
  @Persisted(json: "the_a", .flexible) var a: Decimal?
  weak var spare0: Object?
  @Persisted(.flexible) var b: UUID?
  @Persisted(json: "the_c") var c: Int8? = nil
  static var attributes: [LayoutAttribute<Layout43>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout44: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: URL
  weak var spare0: Object?
  @Persisted(json: "the_b", .null(.skip), .flexible) var b: Float = 0.5
  var spare1: UInt8 = 1
  @Persisted var c: Int8? = nil
  @Persisted(json: "the_d") var d: Bool?
  static var attributes: [LayoutAttribute<Layout44>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout45: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.default), .mismatch(.skipAttribute)) var a: Int?
  @Persisted(.mismatch(.skipAttribute)) var b: Decimal = 7
  @Persisted(.null(.skip)) var c: List<Int> = [1, 2]
  @Persisted(.null(.skip), .mismatch(.skipAttribute)) var d: Int16
  @Persisted var e: URL?
  static var attributes: [LayoutAttribute<Layout45>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout46: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Decimal = 7
  @Persisted(.mismatch(.skipAttribute), .flexible) var b: Bool = true
  @Persisted(json: "the_c") var c: Date = Date(timeIntervalSince1970: 9)
  @Persisted var d: Bool?
  static var attributes: [LayoutAttribute<Layout46>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout47: LayoutBase2, LayoutClass {
  @Persisted(.raw(.exact), .null(.skip)) var a: String?
  @Persisted(.flexible, .mismatch(.skipAttribute)) var b: JSONValue
  static var attributes: [LayoutAttribute<Layout47>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout48: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Level
  var spare0: String?
  @Persisted var b: Level
  @Persisted(.flexible) var c: Bool = true
  @Persisted var d: Decimal?
  @Persisted(json: "the_e", .mismatch(.skipAttribute)) var e: UInt32 = 9
  static var attributes: [LayoutAttribute<Layout48>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout49: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.skip)) var a: Double?
  @Persisted(.flexible) var b: Data
  @Persisted(.flexible) var c: Level
  static var attributes: [LayoutAttribute<Layout49>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout50: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .null(.default)) var a: Int16
  @Persisted(.null(.default)) var b: JSONValue
  @Persisted(.null(.skip), .flexible) var c: Int16
  static var attributes: [LayoutAttribute<Layout50>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout51: LayoutBase2, LayoutClass {
  @Persisted var a: JSONValue
  var spare0: UInt8 = 1
  @Persisted(json: "the_b", .mismatch(.skipAttribute), .date(.date)) var b: Date?
  var spare1: Date?
  @Persisted(.mismatch(.skipAttribute)) var c: Decimal = 7
  @Persisted(json: "the_d") var d: Bool
  @Persisted(.null(.skip)) var e: URL
  static var attributes: [LayoutAttribute<Layout51>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout52: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Float = 0.5
  lazy var spare0 = [id]
  @Persisted(.mismatch(.skipAttribute)) var b: UInt32 = 9
  var spare1 = SIMD4<Float>(repeating: 1)
  @Persisted var c: Species?
  @Persisted(.null(.skip), .flexible) var d: Bool?
  static var attributes: [LayoutAttribute<Layout52>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout53: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default), .flexible) var a: Bool = true
  var spare0: String?
  @Persisted(.flexible, .null(.default)) var b: Int = -1
  @Persisted var c: Level
  @Persisted(.mismatch(.skipAttribute)) var d: Data?
  static var attributes: [LayoutAttribute<Layout53>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout54: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Float = 0.5
  @Persisted var b: UUID?
  @Persisted(.unknown(.horse)) var c: Species = .cow
  static var attributes: [LayoutAttribute<Layout54>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout55: LayoutBase1, LayoutClass {
  @Persisted(.flexible) var a: UInt64?
  var spare0: UInt8 = 1
  static var attributes: [LayoutAttribute<Layout55>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout56: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .flexible) var a: Decimal?
  var spare0: Decimal = 1
  @Persisted var b: Data
  @Persisted(json: "the_c", .null(.default), .flexible) var c: UUID?
  @Persisted(.flexible) var d: Int16
  @Persisted(.null(.default)) var e: URL
  static var attributes: [LayoutAttribute<Layout56>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout57: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Species = .cow
  var spare0: Decimal = 1
  static var attributes: [LayoutAttribute<Layout57>] {
    [.init("a", \.a)]
  }
}

final class Layout58: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.date(.unixMilliseconds)) var a: Date?
  var spare0: UInt8 = 1
  @Persisted(.null(.skip)) var b: Data?
  var spare1: () -> Int = { 4 }
  @Persisted var c: String = "none"
  @Persisted(.null(.skip)) var d: Bool = true
  static var attributes: [LayoutAttribute<Layout58>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout59: LayoutBase0, LayoutClass {
  @Persisted var a: List<String>
  @Persisted var b: Date = Date(timeIntervalSince1970: 9)
  @Persisted(json: "the_c", .null(.skip)) var c: Int16
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var d: String = "none"
  static var attributes: [LayoutAttribute<Layout59>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout60: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: UInt32 = 9
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted(.mismatch(.skipAttribute)) var b: Int16
  @Persisted(.flexible) var c: Species = .cow
  @Persisted(.mismatch(.skipAttribute)) var d: Float = 0.5
  static var attributes: [LayoutAttribute<Layout60>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout61: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: Bool
  @Persisted(.null(.default)) var b: Species?
  @Persisted(.raw()) var c: String = "none"
  @Persisted(.flexible) var d: Bool = true
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var e: Int = -1
  static var attributes: [LayoutAttribute<Layout61>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout62: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: Double?
  var spare0: Date?
  @Persisted(.flexible, .null(.default)) var b: Int8 = 3
  @Persisted var c: String = "none"
  @Persisted var d: Data?
  static var attributes: [LayoutAttribute<Layout62>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout63: LayoutBase1, LayoutClass {
  @Persisted(.mismatch(.skipAttribute)) var a: UInt32 = 9
  var spare0: Date?
  @Persisted(.null(.skip)) var b: Int8? = nil
  var spare1: Date?
  @Persisted(.null(.default), .flexible) var c: Int8 = 3
  @Persisted(json: "the_d", .flexible, .mismatch(.skipAttribute)) var d: Bool = true
  @Persisted var e: UInt32 = 9
  static var attributes: [LayoutAttribute<Layout63>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout64: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.skip)) var a: Int?
  @Persisted var b: Species?
  @Persisted(.mismatch(.skipAttribute)) var c: Bool
  static var attributes: [LayoutAttribute<Layout64>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout65: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Int16
  @Persisted var b: Bool?
  static var attributes: [LayoutAttribute<Layout65>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout66: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .null(.skip)) var a: URL?
  var spare0: Date?
  @Persisted(.mismatch(.skipAttribute)) var b: Float = 0.5
  static var attributes: [LayoutAttribute<Layout66>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout67: LayoutBase2, LayoutClass {
  @Persisted(json: "the_a", .null(.skip)) var a: Int8 = 3
  @Persisted var b: Bool
  @Persisted var c: Int16
  static var attributes: [LayoutAttribute<Layout67>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout68: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: Bool
  @Persisted(.flexible) var b: UUID?
  @Persisted var c: Species = .cow
  @Persisted(.null(.default), .null(.skip)) var d: URL?
  @Persisted(json: "the_e") var e: URL
  static var attributes: [LayoutAttribute<Layout68>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout69: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Date?
  let spare0: Int16 = 2
  static var attributes: [LayoutAttribute<Layout69>] {
    [.init("a", \.a)]
  }
}

final class Layout70: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Int?
  static var attributes: [LayoutAttribute<Layout70>] {
    [.init("a", \.a)]
  }
}

final class Layout71: LayoutBase1, LayoutClass {
  @Persisted var a: Bool = true
  static var attributes: [LayoutAttribute<Layout71>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout72: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.unknown(.cow)) var a: Species?
  @Persisted var b: Double?
  @Persisted(.null(.skip)) var c: UInt32 = 9
  static var attributes: [LayoutAttribute<Layout72>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout73: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: Int?
  @Persisted var b: Int?
  static var attributes: [LayoutAttribute<Layout73>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout74: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Decimal?
  var spare0: () -> Int = { 4 }
  @Persisted(.mismatch(.skipAttribute)) var b: Bool?
  var spare1: (UInt8, Bool) = (1, true)
  @Persisted(.flexible, .null(.default)) var c: Date?
  @Persisted(json: "the_d") var d: UUID?
  static var attributes: [LayoutAttribute<Layout74>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout75: LayoutBase0, LayoutClass {
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var a: Int?
  unowned(unsafe) var spare0: AnyObject?
  static var attributes: [LayoutAttribute<Layout75>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout76: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Int8? = nil
  lazy var spare0 = [id]
  @Persisted(json: "the_b", .null(.default)) var b: URL
  @Persisted(json: "the_c", .null(.default)) var c: Int8? = nil
  @Persisted(.null(.skip)) var d: UUID?
  @Persisted var e: Int = -1
  static var attributes: [LayoutAttribute<Layout76>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout77: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Species?
  var spare0: UInt32?
  @Persisted(.flexible, .null(.default)) var b: UInt32 = 9
  static var attributes: [LayoutAttribute<Layout77>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout78: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Date = Date(timeIntervalSince1970: 9)
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted(.flexible) var b: Data?
  var spare1: Decimal = 1
  @Persisted(.null(.default), .null(.skip)) var c: Int?
  @Persisted(json: "the_d") var d: Data
  static var attributes: [LayoutAttribute<Layout78>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout79: LayoutBase2, LayoutClass {
  @Persisted(json: "the_a", .flexible) var a: Int = -1
  static var attributes: [LayoutAttribute<Layout79>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout80: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.skip), .mismatch(.skipAttribute)) var a: Decimal = 7
  var spare0: String?
  @Persisted(.null(.default)) var b: JSONValue
  var spare1: (any CustomStringConvertible)?
  @Persisted var c: JSONValue
  @Persisted(.date(.date), .date(.unixMilliseconds)) var d: Date?
  @Persisted(json: "the_e", .flexible) var e: Level
  static var attributes: [LayoutAttribute<Layout80>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout81: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Double?
  weak var spare0: Object?
  @Persisted var b: List<String>
  lazy var spare1 = [id]
  @Persisted(.date(.date)) var c: Date?
  @Persisted(.null(.skip)) var d: String?
  @Persisted var e: String?
  static var attributes: [LayoutAttribute<Layout81>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout82: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.skip)) var a: String = "none"
  var spare0: String?
  @Persisted(json: "the_b", .null(.default)) var b: Int?
  var spare1: UInt32?
  @Persisted(json: "the_c", .null(.skip)) var c: Float = 0.5
  @Persisted(.mismatch(.skipAttribute)) var d: Int8 = 3
  static var attributes: [LayoutAttribute<Layout82>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout83: LayoutBase0, LayoutClass {
  @Persisted(.null(.default)) var a: Data
  var spare0: () -> Int = { 4 }
  @Persisted var b: Species = .cow
  static var attributes: [LayoutAttribute<Layout83>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout84: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Level
  var spare0: String?
  @Persisted(.null(.skip)) var b: Int?
  static var attributes: [LayoutAttribute<Layout84>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout85: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Bool = true
  @Persisted(.null(.default)) var b: Double?
  static var attributes: [LayoutAttribute<Layout85>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout86: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .null(.default)) var a: UInt32 = 9
  lazy var spare0 = [id]
  static var attributes: [LayoutAttribute<Layout86>] {
    [.init("a", \.a)]
  }
}

final class Layout87: LayoutBase1, LayoutClass {
  @Persisted(.date(.date)) var a: Date?
  var spare0: String?
  @Persisted var b: UInt32 = 9
  lazy var spare1 = [id]
  static var attributes: [LayoutAttribute<Layout87>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout88: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: UUID?
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(json: "the_b", .mismatch(.skipAttribute)) var b: Species = .cow
  @Persisted(.flexible) var c: Double?
  @Persisted(.flexible, .mismatch(.skipAttribute)) var d: Float = 0.5
  @Persisted(.mismatch(.skipAttribute)) var e: Date?
  static var attributes: [LayoutAttribute<Layout88>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout89: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Double?
  @Persisted var b: UInt64?
  @Persisted(json: "the_c", .flexible) var c: JSONValue
  static var attributes: [LayoutAttribute<Layout89>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout90: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Species = .cow
  @Persisted var b: Species = .cow
  @Persisted var c: Data
  @Persisted(.date(.date)) var d: Date?
  @Persisted(json: "the_e", .mismatch(.skipAttribute)) var e: Int16
  static var attributes: [LayoutAttribute<Layout90>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout91: LayoutBase1, LayoutClass {
  @Persisted var a: UInt64?
  var spare0: () -> Int = { 4 }
  @Persisted var b: Bool
  @Persisted(.null(.skip)) var c: UInt64?
  @Persisted(.mismatch(.skipAttribute)) var d: Bool = true
  static var attributes: [LayoutAttribute<Layout91>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout92: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.skip), .null(.default)) var a: Float = 0.5
  var spare0: Date?
  @Persisted(json: "the_b", .null(.default)) var b: Date = Date(timeIntervalSince1970: 9)
  static var attributes: [LayoutAttribute<Layout92>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout93: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Double?
  var spare0: UInt8 = 1
  static var attributes: [LayoutAttribute<Layout93>] {
    [.init("a", \.a)]
  }
}

final class Layout94: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: String = "none"
  var spare0: () -> Int = { 4 }
  @Persisted(.null(.default)) var b: UInt32 = 9
  var spare1 = SIMD4<Float>(repeating: 1)
  @Persisted(json: "the_c") var c: Decimal?
  @Persisted(.flexible) var d: URL?
  @Persisted var e: String = "none"
  static var attributes: [LayoutAttribute<Layout94>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout95: LayoutBase1, LayoutClass {
  @Persisted(.null(.skip)) var a: Level
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.null(.skip), .null(.default)) var b: Level
  let spare1: Int16 = 2
  @Persisted var c: Decimal = 7
  @Persisted var d: String = "none"
  @Persisted(.null(.default)) var e: Bool = true
  static var attributes: [LayoutAttribute<Layout95>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout96: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: Int?
  var spare0: String?
  static var attributes: [LayoutAttribute<Layout96>] {
    [.init("a", \.a)]
  }
}

final class Layout97: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: Species?
  var spare0: UInt8 = 1
  @Persisted(json: "the_b") var b: Date = Date(timeIntervalSince1970: 9)
  var spare1: Date?
  static var attributes: [LayoutAttribute<Layout97>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout98: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: JSONValue
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted(.null(.default)) var b: Bool
  var spare1: Any = 5
  static var attributes: [LayoutAttribute<Layout98>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout99: LayoutBase2, LayoutClass {
  @Persisted(.mismatch(.skipAttribute)) var a: Decimal = 7
  var spare0: String?
  @Persisted var b: UInt32 = 9
  var spare1 = URL(fileURLWithPath: "/")
  static var attributes: [LayoutAttribute<Layout99>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout100: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Int8? = nil
  @Persisted(.null(.default)) var b: Double?
  @Persisted var c: Data
  @Persisted(.flexible) var d: URL?
  static var attributes: [LayoutAttribute<Layout100>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout101: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .flexible) var a: Data
  var spare0: () -> Int = { 4 }
  static var attributes: [LayoutAttribute<Layout101>] {
    [.init("a", \.a)]
  }
}

final class Layout102: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: String?
  var spare0: Decimal = 1
  @Persisted(.date(.date)) var b: Date = Date(timeIntervalSince1970: 9)
  var spare1: Date?
  static var attributes: [LayoutAttribute<Layout102>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout103: LayoutBase2, LayoutClass {
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var a: List<Int> = [1, 2]
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(json: "the_b", .null(.skip)) var b: Data
  var spare1 = SIMD4<Float>(repeating: 1)
  @Persisted(.mismatch(.skipAttribute)) var c: String?
  @Persisted var d: Date = Date(timeIntervalSince1970: 9)
  static var attributes: [LayoutAttribute<Layout103>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout104: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: Bool
  lazy var spare0 = [id]
  @Persisted var b: Int = -1
  lazy var spare1 = [id]
  @Persisted(.null(.skip), .flexible) var c: Int8? = nil
  static var attributes: [LayoutAttribute<Layout104>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout105: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: Decimal = 7
  weak var spare0: Object?
  @Persisted var b: String = "none"
  @Persisted(.flexible, .null(.default)) var c: Decimal = 7
  static var attributes: [LayoutAttribute<Layout105>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout106: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: List<Int> = [1, 2]
  weak var spare0: Object?
  @Persisted(.mismatch(.skipAttribute), .flexible) var b: Bool = true
  var spare1: () -> Int = { 4 }
  @Persisted var c: Decimal?
  @Persisted(.null(.default)) var d: String?
  static var attributes: [LayoutAttribute<Layout106>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout107: LayoutBase0, LayoutClass {
  @Persisted var a: Bool
  var spare0: Any = 5
  @Persisted var b: Int = -1
  @Persisted(json: "the_c") var c: UUID?
  @Persisted(.flexible, .mismatch(.skipAttribute)) var d: Bool
  static var attributes: [LayoutAttribute<Layout107>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout108: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Decimal?
  lazy var spare0 = [id]
  @Persisted(json: "the_b", .null(.skip), .null(.default)) var b: Float = 0.5
  @Persisted var c: Int16
  @Persisted(.null(.default), .flexible) var d: List<Int> = [1, 2]
  static var attributes: [LayoutAttribute<Layout108>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout109: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default), .null(.skip)) var a: Float = 0.5
  var spare0: Decimal = 1
  static var attributes: [LayoutAttribute<Layout109>] {
    [.init("a", \.a)]
  }
}

final class Layout110: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Int16
  @Persisted(.null(.skip), .flexible) var b: Int = -1
  @Persisted var c: String?
  @Persisted(.flexible) var d: Decimal = 7
  @Persisted(json: "the_e", .null(.default)) var e: Double?
  static var attributes: [LayoutAttribute<Layout110>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout111: LayoutBase2, LayoutClass {
  @Persisted var a: Data
  let spare0: Int16 = 2
  @Persisted(json: "the_b", .date(.date)) var b: Date?
  let spare1: Int16 = 2
  @Persisted(.null(.skip)) var c: Double?
  @Persisted(.mismatch(.skipAttribute), .null(.default)) var d: UInt32 = 9
  static var attributes: [LayoutAttribute<Layout111>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout112: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .unknown(.cow)) var a: Species?
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted var b: Float = 0.5
  static var attributes: [LayoutAttribute<Layout112>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout113: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: Bool
  var spare0: String?
  @Persisted var b: URL
  var spare1: Date?
  static var attributes: [LayoutAttribute<Layout113>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout114: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default), .null(.skip)) var a: UUID?
  var spare0: (UInt8, Bool) = (1, true)
  @Persisted(.null(.skip)) var b: List<String>
  @Persisted var c: Bool
  static var attributes: [LayoutAttribute<Layout114>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout115: LayoutBase1, LayoutClass {
  @Persisted(.unknown(.horse)) var a: Species = .cow
  @Persisted var b: Data
  @Persisted(.flexible) var c: Bool
  @Persisted(.flexible) var d: Decimal = 7
  static var attributes: [LayoutAttribute<Layout115>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout116: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.raw(), .null(.default)) var a: String = "none"
  @Persisted var b: JSONValue
  static var attributes: [LayoutAttribute<Layout116>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout117: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: Bool = true
  @Persisted var b: Int16
  static var attributes: [LayoutAttribute<Layout117>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout118: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.unknown(.cow)) var a: Species?
  var spare0: Date?
  static var attributes: [LayoutAttribute<Layout118>] {
    [.init("a", \.a)]
  }
}

final class Layout119: LayoutBase1, LayoutClass {
  @Persisted(.mismatch(.skipAttribute)) var a: Bool
  var spare0: () -> Int = { 4 }
  @Persisted(.flexible, .null(.default)) var b: UUID?
  var spare1 = URL(fileURLWithPath: "/")
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var c: URL
  @Persisted(.flexible) var d: String?
  static var attributes: [LayoutAttribute<Layout119>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout120: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Int16
  @Persisted(json: "the_b", .flexible) var b: Int16
  @Persisted var c: UInt64?
  @Persisted(.mismatch(.skipAttribute)) var d: JSONValue
  @Persisted(.flexible) var e: JSONValue
  static var attributes: [LayoutAttribute<Layout120>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout121: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .date(.unixMilliseconds)) var a: Date?
  @Persisted(json: "the_b", .flexible, .null(.default)) var b: Float = 0.5
  @Persisted(.flexible) var c: Int?
  @Persisted(.null(.skip), .mismatch(.skipAttribute)) var d: UInt64?
  @Persisted var e: UUID?
  static var attributes: [LayoutAttribute<Layout121>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout122: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .flexible) var a: UUID?
  var spare0: UInt8 = 1
  @Persisted(.unknown(.cow), .flexible) var b: Species?
  @Persisted var c: Decimal = 7
  static var attributes: [LayoutAttribute<Layout122>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout123: LayoutBase0, LayoutClass {
  @Persisted(.flexible, .mismatch(.skipAttribute)) var a: UInt64?
  var spare0: () -> Int = { 4 }
  @Persisted var b: URL
  var spare1: (any CustomStringConvertible)?
  @Persisted(.null(.skip)) var c: Data
  @Persisted(.null(.default), .flexible) var d: List<String>
  static var attributes: [LayoutAttribute<Layout123>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout124: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: Int8 = 3
  var spare0: () -> Int = { 4 }
  static var attributes: [LayoutAttribute<Layout124>] {
    [.init("a", \.a)]
  }
}

final class Layout125: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Decimal = 7
  @Persisted(json: "the_b", .flexible) var b: UInt32 = 9
  @Persisted var c: Level
  static var attributes: [LayoutAttribute<Layout125>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout126: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .mismatch(.skipAttribute)) var a: Int?
  var spare0: () -> Int = { 4 }
  @Persisted(.null(.default), .flexible) var b: JSONValue
  var spare1: (UInt8, Bool) = (1, true)
  @Persisted(.flexible, .null(.skip)) var c: Decimal?
  static var attributes: [LayoutAttribute<Layout126>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout127: LayoutBase2, LayoutClass {
  @Persisted(.null(.default)) var a: URL?
  lazy var spare0 = [id]
  @Persisted var b: Data
  var spare1: Decimal = 1
  @Persisted(.unknown(.cow)) var c: Species?
  @Persisted(.mismatch(.skipAttribute)) var d: Bool
  static var attributes: [LayoutAttribute<Layout127>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout128: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: JSONValue
  let spare0: Int16 = 2
  static var attributes: [LayoutAttribute<Layout128>] {
    [.init("a", \.a)]
  }
}

final class Layout129: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .mismatch(.skipAttribute)) var a: Int8? = nil
  @Persisted(.null(.skip)) var b: Int8? = nil
  @Persisted(.null(.default), .raw(.exact)) var c: String = "none"
  static var attributes: [LayoutAttribute<Layout129>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout130: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .flexible) var a: Int16
  weak var spare0: Object?
  @Persisted(.null(.default)) var b: URL
  var spare1: UInt32?
  @Persisted(.flexible) var c: List<Int> = [1, 2]
  @Persisted(json: "the_d", .null(.skip)) var d: Data
  @Persisted(.flexible, .mismatch(.skipAttribute)) var e: Int8? = nil
  static var attributes: [LayoutAttribute<Layout130>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout131: LayoutBase1, LayoutClass {
  @Persisted(.null(.default), .flexible) var a: Bool = true
  @Persisted(.flexible, .null(.default)) var b: URL?
  static var attributes: [LayoutAttribute<Layout131>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout132: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .date(.date)) var a: Date = Date(timeIntervalSince1970: 9)
  var spare0: UInt8 = 1
  @Persisted(.flexible) var b: JSONValue
  @Persisted var c: Int8 = 3
  @Persisted(.mismatch(.skipAttribute)) var d: JSONValue
  static var attributes: [LayoutAttribute<Layout132>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout133: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.default)) var a: UUID?
  var spare0: Decimal = 1
  @Persisted(json: "the_b", .mismatch(.skipAttribute)) var b: UUID?
  var spare1: Any = 5
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var c: JSONValue
  @Persisted(.mismatch(.skipAttribute), .null(.skip)) var d: List<String>
  static var attributes: [LayoutAttribute<Layout133>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout134: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var a: Int16
  @Persisted(json: "the_b") var b: Float = 0.5
  @Persisted(json: "the_c") var c: String = "none"
  static var attributes: [LayoutAttribute<Layout134>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout135: LayoutBase0, LayoutClass {
  @Persisted(.date(.date), .null(.skip)) var a: Date = Date(timeIntervalSince1970: 9)
  unowned(unsafe) var spare0: AnyObject?
  static var attributes: [LayoutAttribute<Layout135>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout136: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.default)) var a: URL
  @Persisted(.mismatch(.skipAttribute)) var b: Int16
  @Persisted(json: "the_c", .null(.default)) var c: Species?
  @Persisted(.null(.skip), .mismatch(.skipAttribute)) var d: UInt32 = 9
  static var attributes: [LayoutAttribute<Layout136>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout137: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: List<String>
  var spare0 = URL(fileURLWithPath: "/")
  static var attributes: [LayoutAttribute<Layout137>] {
    [.init("a", \.a)]
  }
}

final class Layout138: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Bool = true
  var spare0: Decimal = 1
  @Persisted(json: "the_b", .raw(.exact)) var b: String?
  var spare1: () -> Int = { 4 }
  static var attributes: [LayoutAttribute<Layout138>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout139: LayoutBase2, LayoutClass {
  @Persisted var a: Int8 = 3
  lazy var spare0 = [id]
  @Persisted(.null(.skip), .null(.default)) var b: Decimal = 7
  var spare1: () -> Int = { 4 }
  static var attributes: [LayoutAttribute<Layout139>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout140: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .mismatch(.skipAttribute)) var a: Int = -1
  var spare0: UInt8 = 1
  @Persisted(.flexible, .mismatch(.skipAttribute)) var b: Data
  let spare1: Int16 = 2
  @Persisted var c: JSONValue
  @Persisted(.raw(.exact), .mismatch(.skipAttribute)) var d: String = "none"
  static var attributes: [LayoutAttribute<Layout140>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout141: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: UInt64?
  var spare0: Decimal = 1
  @Persisted var b: Int16
  @Persisted(.flexible, .null(.default)) var c: Decimal = 7
  static var attributes: [LayoutAttribute<Layout141>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout142: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.raw(.exact)) var a: String = "none"
  var spare0: Decimal = 1
  @Persisted var b: Int8? = nil
  static var attributes: [LayoutAttribute<Layout142>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout143: LayoutBase0, LayoutClass {
  @Persisted(.null(.skip)) var a: Data
  static var attributes: [LayoutAttribute<Layout143>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout144: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: Data
  @Persisted(json: "the_b", .null(.default), .flexible) var b: UUID?
  @Persisted var c: Species?
  @Persisted(.null(.skip)) var d: Decimal?
  @Persisted(.null(.default)) var e: Data?
  static var attributes: [LayoutAttribute<Layout144>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout145: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .null(.skip)) var a: Double?
  var spare0: () -> Int = { 4 }
  @Persisted(.null(.skip)) var b: URL
  @Persisted var c: String?
  static var attributes: [LayoutAttribute<Layout145>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout146: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: URL
  @Persisted var b: Data?
  static var attributes: [LayoutAttribute<Layout146>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout147: LayoutBase1, LayoutClass {
  @Persisted(.raw(.exact)) var a: String?
  let spare0: Int16 = 2
  @Persisted(.flexible) var b: String?
  @Persisted(.null(.default), .flexible) var c: Int16
  @Persisted var d: Date = Date(timeIntervalSince1970: 9)
  @Persisted(.null(.skip)) var e: Date = Date(timeIntervalSince1970: 9)
  static var attributes: [LayoutAttribute<Layout147>] {
    [
      .init("early", \.early),
      .init("a", \.a),
      .init("b", \.b),
      .init("c", \.c),
      .init("d", \.d),
      .init("e", \.e),
    ]
  }
}

final class Layout148: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Species?
  lazy var spare0 = [id]
  static var attributes: [LayoutAttribute<Layout148>] {
    [.init("a", \.a)]
  }
}

final class Layout149: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: Data
  var spare0: () -> Int = { 4 }
  @Persisted(.mismatch(.skipAttribute), .null(.default)) var b: Bool?
  var spare1: Any = 5
  @Persisted(.null(.default)) var c: Int?
  @Persisted var d: Decimal?
  @Persisted(.unknown(.cow)) var e: Species?
  static var attributes: [LayoutAttribute<Layout149>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout150: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: Decimal?
  @Persisted(.mismatch(.skipAttribute)) var b: Level
  @Persisted var c: Date = Date(timeIntervalSince1970: 9)
  static var attributes: [LayoutAttribute<Layout150>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout151: LayoutBase1, LayoutClass {
  @Persisted(.mismatch(.skipAttribute), .flexible) var a: JSONValue
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted(.raw()) var b: String = "none"
  var spare1: (any CustomStringConvertible)?
  static var attributes: [LayoutAttribute<Layout151>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout152: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Bool
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var b: JSONValue
  @Persisted(.null(.default)) var c: Level
  static var attributes: [LayoutAttribute<Layout152>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout153: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Data?
  var spare0: (any CustomStringConvertible)?
  @Persisted(.flexible, .null(.default)) var b: Int16
  @Persisted var c: Float = 0.5
  @Persisted var d: Species = .cow
  static var attributes: [LayoutAttribute<Layout153>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout154: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: Data
  static var attributes: [LayoutAttribute<Layout154>] {
    [.init("a", \.a)]
  }
}

final class Layout155: LayoutBase2, LayoutClass {
  @Persisted(.null(.skip), .mismatch(.skipAttribute)) var a: Bool?
  var spare0: Date?
  @Persisted(.null(.default)) var b: UInt32 = 9
  @Persisted(.flexible, .mismatch(.skipAttribute)) var c: Bool = true
  static var attributes: [LayoutAttribute<Layout155>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout156: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: List<String>
  @Persisted var b: Level
  @Persisted(.null(.skip)) var c: Int8? = nil
  @Persisted var d: String?
  static var attributes: [LayoutAttribute<Layout156>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout157: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Int8? = nil
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.flexible, .null(.default)) var b: Decimal?
  var spare1 = URL(fileURLWithPath: "/")
  @Persisted(.flexible, .null(.default)) var c: UInt32 = 9
  @Persisted(.flexible, .mismatch(.skipAttribute)) var d: Decimal?
  @Persisted(.mismatch(.skipAttribute)) var e: String = "none"
  static var attributes: [LayoutAttribute<Layout157>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout158: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: URL?
  @Persisted(.null(.skip)) var b: List<Int> = [1, 2]
  @Persisted(.flexible) var c: List<Int> = [1, 2]
  static var attributes: [LayoutAttribute<Layout158>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout159: LayoutBase0, LayoutClass {
  @Persisted(.mismatch(.skipAttribute)) var a: Bool
  @Persisted(.null(.skip), .flexible) var b: Data
  @Persisted var c: URL
  static var attributes: [LayoutAttribute<Layout159>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

let generatedLayouts: [any LayoutClass.Type] = [
  Layout0.self, Layout1.self, Layout2.self, Layout3.self,
  Layout4.self, Layout5.self, Layout6.self, Layout7.self,
  Layout8.self, Layout9.self, Layout10.self, Layout11.self,
  Layout12.self, Layout13.self, Layout14.self, Layout15.self,
  Layout16.self, Layout17.self, Layout18.self, Layout19.self,
  Layout20.self, Layout21.self, Layout22.self, Layout23.self,
  Layout24.self, Layout25.self, Layout26.self, Layout27.self,
  Layout28.self, Layout29.self, Layout30.self, Layout31.self,
  Layout32.self, Layout33.self, Layout34.self, Layout35.self,
  Layout36.self, Layout37.self, Layout38.self, Layout39.self,
  Layout40.self, Layout41.self, Layout42.self, Layout43.self,
  Layout44.self, Layout45.self, Layout46.self, Layout47.self,
  Layout48.self, Layout49.self, Layout50.self, Layout51.self,
  Layout52.self, Layout53.self, Layout54.self, Layout55.self,
  Layout56.self, Layout57.self, Layout58.self, Layout59.self,
  Layout60.self, Layout61.self, Layout62.self, Layout63.self,
  Layout64.self, Layout65.self, Layout66.self, Layout67.self,
  Layout68.self, Layout69.self, Layout70.self, Layout71.self,
  Layout72.self, Layout73.self, Layout74.self, Layout75.self,
  Layout76.self, Layout77.self, Layout78.self, Layout79.self,
  Layout80.self, Layout81.self, Layout82.self, Layout83.self,
  Layout84.self, Layout85.self, Layout86.self, Layout87.self,
  Layout88.self, Layout89.self, Layout90.self, Layout91.self,
  Layout92.self, Layout93.self, Layout94.self, Layout95.self,
  Layout96.self, Layout97.self, Layout98.self, Layout99.self,
  Layout100.self, Layout101.self, Layout102.self, Layout103.self,
  Layout104.self, Layout105.self, Layout106.self, Layout107.self,
  Layout108.self, Layout109.self, Layout110.self, Layout111.self,
  Layout112.self, Layout113.self, Layout114.self, Layout115.self,
  Layout116.self, Layout117.self, Layout118.self, Layout119.self,
  Layout120.self, Layout121.self, Layout122.self, Layout123.self,
  Layout124.self, Layout125.self, Layout126.self, Layout127.self,
  Layout128.self, Layout129.self, Layout130.self, Layout131.self,
  Layout132.self, Layout133.self, Layout134.self, Layout135.self,
  Layout136.self, Layout137.self, Layout138.self, Layout139.self,
  Layout140.self, Layout141.self, Layout142.self, Layout143.self,
  Layout144.self, Layout145.self, Layout146.self, Layout147.self,
  Layout148.self, Layout149.self, Layout150.self, Layout151.self,
  Layout152.self, Layout153.self, Layout154.self, Layout155.self,
  Layout156.self, Layout157.self, Layout158.self, Layout159.self,
]
