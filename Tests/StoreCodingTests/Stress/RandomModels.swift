import Foundation
import ObjectStore
import TestSupport

// Objects with random content, reproducible by seed.

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

/// A random date in whole milliseconds, the precision of the default output format.
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

private func map<T>(
  _ random: inout SeededRandom, _ make: (inout SeededRandom) -> T
) -> Map<String, T> where T: CollectionElement {
  Map(
    Dictionary(
      uniqueKeysWithValues: several(&random, make).enumerated().map {
        ("k\($0.offset)é", $0.element)
      }))
}

func randomLeaf(_ random: inout SeededRandom) -> Leaf {
  let leaf = Leaf()
  leaf.id = "l\(random.next())"
  leaf.name = randomText(&random)
  return leaf
}

private func randomRemark(_ random: inout SeededRandom) -> Remark {
  let remark = Remark()
  remark.text = randomText(&random)
  remark.likes = some(&random, randomInt)
  return remark
}

private func randomSpot(_ random: inout SeededRandom) -> Spot {
  Spot(x: randomDouble(&random), label: some(&random, randomText))
}

private func randomSpecies(_ random: inout SeededRandom) -> Species {
  Species.allCases[Int.random(in: 0..<3, using: &random)]
}

private func randomLevel(_ random: inout SeededRandom) -> Level {
  Level.allCases[Int.random(in: 0..<3, using: &random)]
}

/// A random object without links.
private func randomLinked(_ random: inout SeededRandom) -> AllTypes {
  let object = AllTypes(id: Int(truncatingIfNeeded: random.next()))
  object.uuid = randomUUID(&random)
  object.optString = some(&random, randomText)
  object.ints = List(several(&random, randomInt))
  return object
}

func randomAllTypes(_ random: inout SeededRandom) -> AllTypes {
  let object = AllTypes(id: randomInt(&random))
  fillValues(object, &random)
  fillOptionals(object, &random)
  fillCollections(object, &random)
  return object
}

private func fillValues(_ object: AllTypes, _ random: inout SeededRandom) {
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
  object.species = randomSpecies(&random)
  object.level = randomLevel(&random)
  object.metres = Metres(randomDouble(&random))
  object.word = Word(randomText(&random))
  object.json = randomJSON(&random)
  object.exact = randomRaw(&random).replacing("null", with: "7")
  object.minified = randomRaw(&random).replacing("null", with: "7")
}

private func fillOptionals(_ object: AllTypes, _ random: inout SeededRandom) {
  object.optBool = some(&random) { Bool.random(using: &$0) }
  object.optInt = some(&random, randomInt)
  object.optInt8 = some(&random) { Int8(truncatingIfNeeded: $0.next()) }
  object.optInt16 = some(&random) { Int16(truncatingIfNeeded: $0.next()) }
  object.optInt32 = some(&random) { Int32(truncatingIfNeeded: $0.next()) }
  object.optInt64 = some(&random) { Int64(truncatingIfNeeded: $0.next()) }
  object.optUInt = some(&random) { UInt(truncatingIfNeeded: $0.next()) }
  object.optUInt8 = some(&random) { UInt8(truncatingIfNeeded: $0.next()) }
  object.optUInt16 = some(&random) { UInt16(truncatingIfNeeded: $0.next()) }
  object.optUInt32 = some(&random) { UInt32(truncatingIfNeeded: $0.next()) }
  object.optUInt64 = some(&random) { $0.next() }
  object.optFloat = some(&random, randomFloat)
  object.optDouble = some(&random, randomDouble)
  object.optDecimal = some(&random, randomDecimal)
  object.optString = some(&random, randomText)
  object.optData = some(&random, randomData)
  object.optDate = some(&random, randomDate)
  object.optUUID = some(&random, randomUUID)
  object.optURL = some(&random, randomURL)
  object.optSpecies = some(&random, randomSpecies)
  object.optLevel = some(&random, randomLevel)
  object.optMetres = some(&random) { Metres(randomDouble(&$0)) }
  object.optWord = some(&random) { Word(randomText(&$0)) }
  // Only JSON null is nil.
  object.optJSON = some(&random) { [randomJSON(&$0)] }
  object.optMinified = some(&random) { _ in #"{"a":1}"# }
  object.link = some(&random, randomLinked)
  object.leaf = some(&random, randomLeaf)
  object.remark = some(&random, randomRemark)
  object.spot = some(&random, randomSpot)
}

private func fillCollections(_ object: AllTypes, _ random: inout SeededRandom) {
  object.bools = List(several(&random) { Bool.random(using: &$0) })
  object.ints = List(several(&random, randomInt))
  object.uint64s = List(several(&random) { $0.next() })
  object.floats = List(several(&random, randomFloat))
  object.doubles = List(several(&random, randomDouble))
  object.decimals = List(several(&random, randomDecimal))
  object.strings = List(several(&random, randomText))
  object.datas = List(several(&random, randomData))
  object.dates = List(several(&random, randomDate))
  object.uuids = List(several(&random, randomUUID))
  object.urls = List(several(&random, randomURL))
  object.allSpecies = List(several(&random, randomSpecies))
  object.jsons = List(several(&random) { randomJSON(&$0) })
  object.optBools = List(several(&random) { some(&$0) { Bool.random(using: &$0) } })
  object.optInts = List(several(&random) { some(&$0, randomInt) })
  object.optStrings = List(several(&random) { some(&$0, randomText) })
  object.objects = List(several(&random, randomLinked))
  object.leaves = List(several(&random, randomLeaf))
  object.remarks = List(several(&random, randomRemark))
  object.spots = List(several(&random, randomSpot))
  object.intSet = MutableSet(several(&random, randomInt))
  object.doubleSet = MutableSet(several(&random, randomDouble))
  object.stringSet = MutableSet(several(&random, randomText))
  object.objectSet = MutableSet(several(&random, randomLinked))
  object.leafSet = MutableSet(several(&random, randomLeaf))
  object.remarkSet = MutableSet(several(&random, randomRemark))
  object.intMap = map(&random, randomInt)
  object.stringMap = map(&random, randomText)
  object.optIntMap = map(&random) { some(&$0, randomInt) }
  object.optStringMap = map(&random) { some(&$0, randomText) }
  object.objectMap = map(&random) { some(&$0, randomLinked) }
  object.leafMap = map(&random, randomLeaf)
  object.remarkMap = map(&random, randomRemark)
  object.spotMap = map(&random, randomSpot)
  object.optSpotMap = map(&random) { some(&$0, randomSpot) }
}
