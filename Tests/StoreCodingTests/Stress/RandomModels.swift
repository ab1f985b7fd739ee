import Foundation
import ObjectStore
import TestSupport

// Objects with random content, the same for the same seed.

func randomText(_ random: inout SeededRandom) -> String {
  let pieces = [
    "a", "Z", "é", "🚀", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "\u{2028}", "ß", "0", " ", "漢",
  ]
  return (0..<Int.random(in: 0...6, using: &random)).map { _ in
    pieces[Int.random(in: 0..<pieces.count, using: &random)]
  }.joined()
}

func randomInt(_ random: inout SeededRandom) -> Int {
  switch Int.random(in: 0..<4, using: &random) {
  case 0: Int.random(in: -3...3, using: &random)
  case 1: .max
  case 2: .min
  default: Int(truncatingIfNeeded: random.next())
  }
}

func randomDouble(_ random: inout SeededRandom) -> Double {
  switch Int.random(in: 0..<4, using: &random) {
  case 0: Double(Int.random(in: -3...3, using: &random))
  case 1: Double.random(in: -1...1, using: &random)
  default:
    {
      let value = Double(bitPattern: random.next())
      return value.isFinite ? value : 0.1
    }()
  }
}

func randomFloat(_ random: inout SeededRandom) -> Float {
  let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
  return value.isFinite ? value : 0.1
}

func randomDecimal(_ random: inout SeededRandom) -> Decimal {
  var value = Decimal(Int64(truncatingIfNeeded: random.next()))
  for _ in 0..<Int.random(in: 0...12, using: &random) { value /= 10 }
  return value
}

/// Whole milliseconds: what is written by default.
func randomDate(_ random: inout SeededRandom) -> Date {
  let milliseconds = Int.random(in: -3_000_000_000_000...3_000_000_000_000, using: &random)
  return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
}

func randomData(_ random: inout SeededRandom) -> Data {
  Data(
    (0..<Int.random(in: 0...5, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
    })
}

func randomUUID(_ random: inout SeededRandom) -> UUID {
  let (a, b) = (random.next(), random.next())
  return withUnsafeBytes(of: (a, b)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
}

func randomURL(_ random: inout SeededRandom) -> URL {
  URL(string: "https://example.org/\(random.next())?a=b#c") ?? URL(filePath: "/")
}

func randomJSON(_ random: inout SeededRandom, depth: Int = 0) -> JSONValue {
  switch Int.random(in: 0..<(depth > 2 ? 5 : 7), using: &random) {
  case 0: .null
  case 1: .bool(Bool.random(using: &random))
  case 2: .int(Int64(truncatingIfNeeded: random.next()))
  case 3: .double(Double.random(in: 0.001...0.999, using: &random))
  case 4: .string(randomText(&random))
  case 5:
    .array(
      (0..<Int.random(in: 0...3, using: &random)).map { _ in randomJSON(&random, depth: depth + 1) }
    )
  default:
    .object(
      Dictionary(
        uniqueKeysWithValues: (0..<Int.random(in: 0...3, using: &random)).map {
          ("k\($0)", randomJSON(&random, depth: depth + 1))
        }))
  }
}

private func randomRaw(_ random: inout SeededRandom) -> String {
  ["", "5", #"{"a":[1,2.50]}"#, "[]", #""x""#, "null"][Int.random(in: 0..<6, using: &random)]
}

private func some<T>(_ random: inout SeededRandom, _ make: (inout SeededRandom) -> T) -> T? {
  Bool.random(using: &random) ? make(&random) : nil
}

private func several<T>(_ random: inout SeededRandom, _ make: (inout SeededRandom) -> T) -> [T] {
  (0..<Int.random(in: 0...4, using: &random)).map { _ in make(&random) }
}

func randomLeaf(_ random: inout SeededRandom) -> Coding.Leaf {
  let leaf = Coding.Leaf()
  leaf.id = "l\(random.next())"
  leaf.name = randomText(&random)
  return leaf
}

func randomRemark(_ random: inout SeededRandom) -> Coding.Remark {
  let remark = Coding.Remark()
  remark.text = randomText(&random)
  remark.likes = some(&random, randomInt)
  return remark
}

func randomSpot(_ random: inout SeededRandom) -> Coding.Spot {
  let spot = Coding.Spot()
  spot.x = randomDouble(&random)
  spot.label = some(&random, randomText)
  return spot
}

func randomValues(_ random: inout SeededRandom) -> Coding.Values {
  let object = Coding.Values()
  object.id = randomInt(&random)
  object.bool = Bool.random(using: &random)
  object.int = randomInt(&random)
  object.int8 = Int8(truncatingIfNeeded: random.next())
  object.int16 = Int16(truncatingIfNeeded: random.next())
  object.int32 = Int32(truncatingIfNeeded: random.next())
  object.int64 = Int64(truncatingIfNeeded: random.next())
  object.uint = UInt(truncatingIfNeeded: random.next())
  object.uint8 = UInt8(truncatingIfNeeded: random.next())
  object.uint16 = UInt16(truncatingIfNeeded: random.next())
  object.uint32 = UInt32(truncatingIfNeeded: random.next())
  object.uint64 = random.next()
  object.float = randomFloat(&random)
  object.double = randomDouble(&random)
  object.decimal = randomDecimal(&random)
  object.string = randomText(&random)
  object.data = randomData(&random)
  object.date = randomDate(&random)
  object.uuid = randomUUID(&random)
  object.url = randomURL(&random)
  object.json = randomJSON(&random)
  object.role = Bool.random(using: &random) ? .admin : .guest
  object.level = Coding.Level.allCases[Int.random(in: 0..<3, using: &random)]
  object.meters = Coding.Meters(persistedValue: randomDouble(&random))
  object.exact = randomRaw(&random).replacing("null", with: "7")
  object.minified = randomRaw(&random).replacing("null", with: "7")
  return object
}

func randomOptionals(_ random: inout SeededRandom) -> Coding.Optionals {
  let object = Coding.Optionals()
  object.id = randomInt(&random)
  object.bool = some(&random) { Bool.random(using: &$0) }
  object.int = some(&random, randomInt)
  object.int8 = some(&random) { Int8(truncatingIfNeeded: $0.next()) }
  object.uint64 = some(&random) { $0.next() }
  object.float = some(&random, randomFloat)
  object.double = some(&random, randomDouble)
  object.decimal = some(&random, randomDecimal)
  object.string = some(&random, randomText)
  object.data = some(&random, randomData)
  object.date = some(&random, randomDate)
  object.uuid = some(&random, randomUUID)
  object.url = some(&random, randomURL)
  object.role = some(&random) { _ in .admin }
  object.level = some(&random) { _ in .high }
  object.meters = some(&random) { Coding.Meters(persistedValue: randomDouble(&$0)) }
  object.raw = some(&random) { _ in #"{"a":1}"# }
  object.leaf = some(&random, randomLeaf)
  object.remark = some(&random, randomRemark)
  object.spot = some(&random, randomSpot)
  return object
}

func randomCollections(_ random: inout SeededRandom) -> Coding.Collections {
  let object = Coding.Collections()
  object.id = randomInt(&random)
  object.bools.append(contentsOf: several(&random) { Bool.random(using: &$0) })
  object.ints.append(contentsOf: several(&random, randomInt))
  object.uints.append(contentsOf: several(&random) { $0.next() })
  object.floats.append(contentsOf: several(&random, randomFloat))
  object.doubles.append(contentsOf: several(&random, randomDouble))
  object.decimals.append(contentsOf: several(&random, randomDecimal))
  object.strings.append(contentsOf: several(&random, randomText))
  object.datas.append(contentsOf: several(&random, randomData))
  object.dates.append(contentsOf: several(&random, randomDate))
  object.uuids.append(contentsOf: several(&random, randomUUID))
  object.urls.append(contentsOf: several(&random, randomURL))
  object.roles.append(contentsOf: several(&random) { _ in .admin })
  object.jsons.append(contentsOf: several(&random) { randomJSON(&$0) })
  object.optionalInts.append(contentsOf: several(&random) { some(&$0, randomInt) })
  object.optionalStrings.append(contentsOf: several(&random) { some(&$0, randomText) })
  object.leaves.append(contentsOf: several(&random, randomLeaf))
  object.remarks.append(contentsOf: several(&random, randomRemark))
  object.spots.append(contentsOf: several(&random, randomSpot))
  object.stringSet = MutableSet(several(&random, randomText))
  object.intSet = MutableSet(several(&random, randomInt))
  object.doubleSet = MutableSet(several(&random, randomDouble))
  object.leafSet = MutableSet(several(&random, randomLeaf))
  object.remarkSet = MutableSet(several(&random, randomRemark))
  func map<T>(_ values: [T]) -> [String: T] {
    Dictionary(uniqueKeysWithValues: values.enumerated().map { ("k\($0.offset)é", $0.element) })
  }
  object.intMap = Map(map(several(&random, randomInt)))
  object.optionalMap = Map(map(several(&random) { some(&$0, randomText) }))
  object.leafMap = Map(map(several(&random, randomLeaf)))
  object.remarkMap = Map(map(several(&random, randomRemark)))
  object.spotMap = Map(map(several(&random, randomSpot)))
  return object
}
