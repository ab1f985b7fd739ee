// Written by `LayoutGenerator`; to write it again, run the tests with RECORD=1.

import Foundation
import ObjectStore
import TestSupport

final class Layout0: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .null(.default), .mismatch(.skipAttribute)) var a: UUID?
  lazy var spare0 = [id]
  static var attributes: [LayoutAttribute<Layout0>] {
    [.init("a", \.a)]
  }
}

final class Layout1: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: Bool?
  @Persisted(.null(.skip)) var b: List<String>
  static var attributes: [LayoutAttribute<Layout1>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout2: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Data
  var spare0: UInt32?
  @Persisted(.null(.default)) var b: Int16
  let spare1: Int16 = 2
  @Persisted var c: URL?
  static var attributes: [LayoutAttribute<Layout2>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout3: LayoutBase1, LayoutClass {
  @Persisted(.mismatch(.skipAttribute)) var a: URL
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted(json: "the_b", .null(.default)) var b: JSONValue
  @Persisted(.null(.skip)) var c: JSONValue
  @Persisted(.null(.skip)) var d: Species?
  static var attributes: [LayoutAttribute<Layout3>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout4: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .mismatch(.skipAttribute)) var a: Int8 = 3
  var spare0: Any = 5
  @Persisted(.null(.default)) var b: URL
  @Persisted(.flexible) var c: Decimal?
  static var attributes: [LayoutAttribute<Layout4>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout5: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: JSONValue
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.null(.skip)) var b: Double?
  @Persisted(.null(.default), .null(.skip)) var c: Int8 = 3
  @Persisted(.null(.skip)) var d: Decimal = 7
  static var attributes: [LayoutAttribute<Layout5>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout6: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: JSONValue
  var spare0: (any CustomStringConvertible)?
  @Persisted(.mismatch(.skipAttribute)) var b: Double?
  var spare1 = URL(fileURLWithPath: "/")
  @Persisted(.flexible, .mismatch(.skipAttribute)) var c: Data?
  @Persisted(.mismatch(.skipAttribute)) var d: Bool = true
  @Persisted var e: Int8 = 3
  static var attributes: [LayoutAttribute<Layout6>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout7: LayoutBase0, LayoutClass {
  @Persisted(.null(.default)) var a: UInt32 = 9
  var spare0: () -> Int = { 4 }
  @Persisted(.null(.skip), .null(.default)) var b: Data
  var spare1: Decimal = 1
  @Persisted(json: "the_c", .mismatch(.skipAttribute)) var c: Float = 0.5
  static var attributes: [LayoutAttribute<Layout7>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout8: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Date?
  @Persisted(.flexible) var b: Species = .cow
  @Persisted(.mismatch(.skipAttribute)) var c: UUID?
  @Persisted(.null(.default)) var d: Decimal = 7
  @Persisted(.unknown(.horse)) var e: Species = .cow
  static var attributes: [LayoutAttribute<Layout8>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout9: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: URL?
  var spare0: Any = 5
  @Persisted(json: "the_b", .flexible) var b: Int?
  @Persisted var c: List<String>
  @Persisted var d: Int?
  @Persisted(json: "the_e", .flexible) var e: Date = Date(timeIntervalSince1970: 9)
  static var attributes: [LayoutAttribute<Layout9>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout10: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .null(.default)) var a: Int = -1
  var spare0: String?
  @Persisted var b: JSONValue
  @Persisted(.null(.default), .flexible) var c: Int16
  static var attributes: [LayoutAttribute<Layout10>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout11: LayoutBase0, LayoutClass {
  @Persisted(json: "the_a", .null(.skip), .mismatch(.skipAttribute)) var a: Double?
  var spare0: Decimal = 1
  @Persisted(.null(.default)) var b: Int?
  var spare1: () -> Int = { 4 }
  @Persisted(.flexible, .mismatch(.skipAttribute)) var c: List<Int> = [1, 2]
  @Persisted(json: "the_d", .mismatch(.skipAttribute)) var d: Date = Date(timeIntervalSince1970: 9)
  @Persisted(.flexible, .null(.skip)) var e: Int?
  static var attributes: [LayoutAttribute<Layout11>] {
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

final class Layout12: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Int8? = nil
  @Persisted(json: "the_b") var b: Int?
  @Persisted(.flexible) var c: UUID?
  @Persisted(.null(.default)) var d: UUID?
  static var attributes: [LayoutAttribute<Layout12>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout13: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Int?
  @Persisted(.null(.default)) var b: UInt64?
  @Persisted(.mismatch(.skipAttribute)) var c: Data?
  @Persisted var d: Int8 = 3
  @Persisted(.flexible, .mismatch(.skipAttribute)) var e: Bool?
  static var attributes: [LayoutAttribute<Layout13>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout14: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.unknown(.horse), .flexible) var a: Species = .cow
  weak var spare0: Object?
  @Persisted var b: Level
  @Persisted var c: JSONValue
  @Persisted(.flexible, .mismatch(.skipAttribute)) var d: Int?
  @Persisted(.flexible, .null(.default)) var e: List<String>
  static var attributes: [LayoutAttribute<Layout14>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout15: LayoutBase0, LayoutClass {
  @Persisted(.mismatch(.skipAttribute), .flexible) var a: Decimal?
  var spare0: Any = 5
  @Persisted(.mismatch(.skipAttribute)) var b: Species = .cow
  static var attributes: [LayoutAttribute<Layout15>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b)]
  }
}

final class Layout16: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .mismatch(.skipAttribute)) var a: Data?
  var spare0 = URL(fileURLWithPath: "/")
  @Persisted(json: "the_b", .flexible, .mismatch(.skipAttribute)) var b: UInt64?
  @Persisted(.mismatch(.skipAttribute), .unknown(.cow)) var c: Species?
  @Persisted(json: "the_d", .null(.default)) var d: Float = 0.5
  static var attributes: [LayoutAttribute<Layout16>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout17: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: Data
  var spare0: String?
  @Persisted var b: UInt64?
  var spare1: (UInt8, Bool) = (1, true)
  @Persisted(.null(.skip)) var c: UInt32 = 9
  @Persisted(.null(.default)) var d: Double?
  static var attributes: [LayoutAttribute<Layout17>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout18: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default), .null(.skip)) var a: JSONValue
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(json: "the_b", .mismatch(.skipAttribute), .null(.skip)) var b: JSONValue
  static var attributes: [LayoutAttribute<Layout18>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout19: LayoutBase1, LayoutClass {
  @Persisted(.date("yyyy-MM-dd", .unixSeconds)) var a: Date = Date(timeIntervalSince1970: 9)
  var spare0: UInt32?
  @Persisted(.date(.unixMilliseconds)) var b: Date?
  var spare1: UInt32?
  @Persisted(.mismatch(.skipAttribute)) var c: Data
  static var attributes: [LayoutAttribute<Layout19>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout20: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .flexible, .null(.default)) var a: Bool = true
  @Persisted(.flexible, .null(.skip)) var b: Decimal?
  @Persisted var c: Species?
  @Persisted(.null(.skip)) var d: Data?
  static var attributes: [LayoutAttribute<Layout20>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout21: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a") var a: Data?
  static var attributes: [LayoutAttribute<Layout21>] {
    [.init("a", \.a)]
  }
}

final class Layout22: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .date(.date)) var a: Date = Date(timeIntervalSince1970: 9)
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.mismatch(.skipAttribute)) var b: Int8? = nil
  static var attributes: [LayoutAttribute<Layout22>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout23: LayoutBase0, LayoutClass {
  @Persisted(.null(.skip)) var a: URL?
  var spare0: UInt8 = 1
  @Persisted var b: Data
  @Persisted(.null(.default)) var c: Level
  @Persisted(.null(.default)) var d: UInt32 = 9
  @Persisted(.mismatch(.skipAttribute)) var e: Level
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
  @Persisted(.flexible) var a: JSONValue
  var spare0: Date?
  @Persisted(json: "the_b") var b: Data?
  @Persisted(.null(.default), .flexible) var c: Bool?
  static var attributes: [LayoutAttribute<Layout24>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout25: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .null(.default)) var a: Float = 0.5
  @Persisted var b: UUID?
  static var attributes: [LayoutAttribute<Layout25>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout26: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: String = "none"
  var spare0: (any CustomStringConvertible)?
  @Persisted(.null(.skip)) var b: Double?
  var spare1: Date?
  static var attributes: [LayoutAttribute<Layout26>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout27: LayoutBase2, LayoutClass {
  @Persisted var a: List<String>
  @Persisted(json: "the_b") var b: Species = .cow
  @Persisted(.flexible) var c: Date = Date(timeIntervalSince1970: 9)
  @Persisted(.null(.default), .flexible) var d: Data
  static var attributes: [LayoutAttribute<Layout27>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout28: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: Float = 0.5
  var spare0: UInt8 = 1
  @Persisted(.mismatch(.skipAttribute)) var b: UInt64?
  var spare1: () -> Int = { 4 }
  static var attributes: [LayoutAttribute<Layout28>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout29: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Decimal?
  let spare0: Int16 = 2
  @Persisted(.mismatch(.skipAttribute)) var b: Float = 0.5
  static var attributes: [LayoutAttribute<Layout29>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout30: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: UInt32 = 9
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted(json: "the_b", .null(.skip)) var b: UInt64?
  @Persisted var c: UUID?
  @Persisted(.null(.skip), .mismatch(.skipAttribute)) var d: JSONValue
  static var attributes: [LayoutAttribute<Layout30>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout31: LayoutBase0, LayoutClass {
  @Persisted(.null(.skip)) var a: Decimal = 7
  var spare0: (any CustomStringConvertible)?
  @Persisted var b: List<Int> = [1, 2]
  @Persisted var c: Int8 = 3
  @Persisted(.null(.skip)) var d: Double?
  @Persisted(.mismatch(.skipAttribute), .null(.default)) var e: Int8? = nil
  static var attributes: [LayoutAttribute<Layout31>] {
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

final class Layout32: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.unknown(.horse)) var a: Species = .cow
  @Persisted(.null(.default)) var b: Bool = true
  @Persisted(json: "the_c", .null(.default), .mismatch(.skipAttribute)) var c: List<Int> = [1, 2]
  @Persisted(.null(.default)) var d: Int?
  static var attributes: [LayoutAttribute<Layout32>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout33: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "the_a", .unknown(.cow)) var a: Species?
  @Persisted var b: Bool = true
  @Persisted(.null(.default)) var c: JSONValue
  @Persisted(.null(.skip)) var d: Int8? = nil
  @Persisted(.null(.skip), .null(.default)) var e: Double?
  static var attributes: [LayoutAttribute<Layout33>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout34: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: URL
  var spare0: UInt32?
  @Persisted(.null(.skip), .flexible) var b: UUID?
  var spare1 = URL(fileURLWithPath: "/")
  @Persisted var c: UUID?
  @Persisted(json: "the_d", .flexible) var d: Int8 = 3
  static var attributes: [LayoutAttribute<Layout34>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout35: LayoutBase0, LayoutClass {
  @Persisted(.null(.default)) var a: URL?
  var spare0 = SIMD4<Float>(repeating: 1)
  @Persisted(.null(.skip)) var b: UUID?
  @Persisted(.mismatch(.skipAttribute), .null(.default)) var c: URL?
  @Persisted(.mismatch(.skipAttribute)) var d: URL?
  @Persisted var e: Float = 0.5
  static var attributes: [LayoutAttribute<Layout35>] {
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

final class Layout36: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: Decimal = 7
  var spare0: UInt8 = 1
  @Persisted(json: "the_b", .flexible) var b: Int?
  var spare1: Date?
  @Persisted(json: "the_c") var c: Int8 = 3
  static var attributes: [LayoutAttribute<Layout36>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout37: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Int = -1
  let spare0: Int16 = 2
  @Persisted(json: "the_b") var b: Date = Date(timeIntervalSince1970: 9)
  @Persisted(.raw(.exact), .null(.skip)) var c: String?
  @Persisted(json: "the_d") var d: Bool?
  static var attributes: [LayoutAttribute<Layout37>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout38: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible, .mismatch(.skipAttribute)) var a: Level
  var spare0: Date?
  @Persisted var b: Int?
  unowned(unsafe) var spare1: AnyObject?
  @Persisted(json: "the_c", .flexible) var c: Int16
  @Persisted(json: "the_d", .null(.skip), .mismatch(.skipAttribute)) var d: URL
  @Persisted(json: "the_e", .null(.default), .null(.skip)) var e: UInt32 = 9
  static var attributes: [LayoutAttribute<Layout38>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout39: LayoutBase2, LayoutClass {
  @Persisted(.date(.unixMilliseconds), .null(.skip)) var a: Date?
  @Persisted(json: "the_b", .flexible, .null(.skip)) var b: Int = -1
  @Persisted(json: "the_c") var c: Bool?
  @Persisted(.null(.skip)) var d: Int = -1
  @Persisted(.raw()) var e: String = "none"
  static var attributes: [LayoutAttribute<Layout39>] {
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

final class Layout40: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: Int16
  @Persisted(.null(.default)) var b: Decimal?
  @Persisted(.flexible) var c: Bool = true
  @Persisted var d: Data
  @Persisted var e: Float = 0.5
  static var attributes: [LayoutAttribute<Layout40>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout41: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: Float = 0.5
  var spare0 = SIMD4<Float>(repeating: 1)
  static var attributes: [LayoutAttribute<Layout41>] {
    [.init("a", \.a)]
  }
}

final class Layout42: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute)) var a: Level
  var spare0: Decimal = 1
  @Persisted(.flexible) var b: Level
  var spare1: (any CustomStringConvertible)?
  @Persisted(.flexible) var c: Bool?
  static var attributes: [LayoutAttribute<Layout42>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout43: LayoutBase0, LayoutClass {
  @Persisted(.raw(.exact)) var a: String = "none"
  var spare0: Decimal = 1
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var b: Float = 0.5
  var spare1: String?
  @Persisted var c: UInt64?
  static var attributes: [LayoutAttribute<Layout43>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout44: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: String?
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.mismatch(.skipAttribute)) var b: Int8? = nil
  static var attributes: [LayoutAttribute<Layout44>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout45: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: List<Int> = [1, 2]
  unowned(unsafe) var spare0: AnyObject?
  @Persisted(.mismatch(.skipAttribute)) var b: Bool = true
  @Persisted(json: "the_c") var c: String?
  static var attributes: [LayoutAttribute<Layout45>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout46: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip)) var a: Int8? = nil
  lazy var spare0 = [id]
  @Persisted(.mismatch(.skipAttribute)) var b: UUID?
  @Persisted var c: Date?
  static var attributes: [LayoutAttribute<Layout46>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout47: LayoutBase0, LayoutClass {
  @Persisted(.null(.skip)) var a: Species?
  @Persisted var b: Bool
  @Persisted(.mismatch(.skipAttribute)) var c: JSONValue
  @Persisted(.flexible) var d: URL
  @Persisted(json: "the_e") var e: Int8? = nil
  static var attributes: [LayoutAttribute<Layout47>] {
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

final class Layout48: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .raw(.exact)) var a: String?
  weak var spare0: Object?
  @Persisted(.flexible) var b: Decimal?
  var spare1: Any = 5
  static var attributes: [LayoutAttribute<Layout48>] {
    [.init("a", \.a), .init("b", \.b)]
  }
}

final class Layout49: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .null(.skip)) var a: UInt32 = 9
  @Persisted var b: String?
  @Persisted var c: UUID?
  static var attributes: [LayoutAttribute<Layout49>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout50: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.skip), .null(.default)) var a: URL
  static var attributes: [LayoutAttribute<Layout50>] {
    [.init("a", \.a)]
  }
}

final class Layout51: LayoutBase2, LayoutClass {
  @Persisted(.null(.default), .mismatch(.skipAttribute)) var a: URL
  var spare0 = SIMD4<Float>(repeating: 1)
  static var attributes: [LayoutAttribute<Layout51>] {
    [.init("early", \.early), .init("a", \.a)]
  }
}

final class Layout52: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Float = 0.5
  @Persisted(.flexible) var b: URL
  @Persisted var c: JSONValue
  static var attributes: [LayoutAttribute<Layout52>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout53: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.flexible) var a: Float = 0.5
  var spare0: (UInt8, Bool) = (1, true)
  @Persisted(.null(.skip), .flexible) var b: Level
  lazy var spare1 = [id]
  @Persisted var c: Int8 = 3
  @Persisted(json: "the_d", .mismatch(.skipAttribute)) var d: Data
  static var attributes: [LayoutAttribute<Layout53>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout54: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.null(.default)) var a: Date = Date(timeIntervalSince1970: 9)
  static var attributes: [LayoutAttribute<Layout54>] {
    [.init("a", \.a)]
  }
}

final class Layout55: LayoutBase0, LayoutClass {
  @Persisted var a: List<Int> = [1, 2]
  @Persisted(.null(.skip)) var b: Double?
  @Persisted var c: JSONValue
  static var attributes: [LayoutAttribute<Layout55>] {
    [.init("early", \.early), .init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout56: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipAttribute), .null(.skip)) var a: UInt64?
  var spare0: String?
  @Persisted(.mismatch(.skipAttribute), .raw(.exact)) var b: String?
  var spare1: UInt32?
  @Persisted(.mismatch(.skipAttribute)) var c: Bool
  @Persisted var d: Int8 = 3
  static var attributes: [LayoutAttribute<Layout56>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d)]
  }
}

final class Layout57: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: List<String>
  var spare0: () -> Int = { 4 }
  @Persisted var b: Date?
  @Persisted var c: Decimal = 7
  static var attributes: [LayoutAttribute<Layout57>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c)]
  }
}

final class Layout58: Object, LayoutClass {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var a: URL
  var spare0: String?
  @Persisted(json: "the_b", .mismatch(.skipAttribute)) var b: Species = .cow
  @Persisted(json: "the_c", .mismatch(.skipAttribute)) var c: Double?
  @Persisted(.null(.default), .flexible) var d: Data
  @Persisted var e: Date = Date(timeIntervalSince1970: 9)
  static var attributes: [LayoutAttribute<Layout58>] {
    [.init("a", \.a), .init("b", \.b), .init("c", \.c), .init("d", \.d), .init("e", \.e)]
  }
}

final class Layout59: LayoutBase0, LayoutClass {
  @Persisted(.null(.skip)) var a: Data
  static var attributes: [LayoutAttribute<Layout59>] {
    [.init("early", \.early), .init("a", \.a)]
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
]
