import Foundation

extension Benchmark {
  /// P20: lists of objects with eight attributes of one type.
  static var typedLists: [Benchmark] {
    [
      ListShape("P20.int", "8 integers", EightInts.self, [PlainInts].self) {
        listOfEights($0) { $0.appendText("\($1.within(-1_000_000...100_000_000))") }
      }.benchmarks,
      ListShape("P20.double", "8 doubles", EightDoubles.self, [PlainDoubles].self) {
        listOfEights($0) { $0.appendScaled($1.below(100_000_000), places: 4) }
      }.benchmarks,
      ListShape("P20.bool", "8 bools", EightBools.self, [PlainBools].self) {
        listOfEights($0) { $0.appendText($1.chance(percent: 50) ? "true" : "false") }
      }.benchmarks,
      ListShape("P20.string", "8 texts", EightTexts.self, [PlainTexts].self) {
        listOfEights($0) { $0.appendJSONString(words($1.within(1...6), &$1)) }
      }.benchmarks,
      ListShape("P20.date", "8 dates", EightDates.self, [PlainDates].self) {
        listOfEights($0) { appendDate(withMilliseconds: false, to: &$0, &$1) }
      }.with { $0.dates = .iso8601 }.benchmarks,
      ListShape(
        "P20.day", "8 dates with an option (text there)", EightDays.self, [PlainDays].self
      ) {
        listOfEights($0) { bytes, random in
          bytes.appendText("\"\(random.within(1950...2030))-")
          bytes.appendDigits(random.within(1...12), count: 2)
          bytes.appendText("-")
          bytes.appendDigits(random.within(1...28), count: 2)
          bytes.appendText("\"")
        }
      }.benchmarks,
      ListShape("P20.decimal", "8 decimals", EightDecimals.self, [PlainDecimals].self) {
        listOfEights($0) { $0.appendScaled($1.below(1_000_000_000), places: 2) }
      }.benchmarks,
      ListShape("P20.uuid", "8 UUIDs", EightUUIDs.self, [PlainUUIDs].self) {
        listOfEights($0) { appendUUID(to: &$0, &$1) }
      }.benchmarks,
      ListShape("P20.url", "8 URLs", EightURLs.self, [PlainURLs].self) {
        listOfEights($0) { bytes, random in
          bytes.appendText("\"https://cdn.example.com/animals/")
          bytes.appendHex(random.next(), digits: 12)
          bytes.appendText("?size=\(random.below(900))\"")
        }
      }.benchmarks,
      ListShape("P20.data", "8 blobs", EightBlobs.self, [PlainBlobs].self) {
        listOfEights($0) { bytes, random in
          let blob = (0..<random.within(16...64)).map { _ in UInt8(random.below(256)) }
          bytes.appendText("\"\(Data(blob).base64EncodedString())\"")
        }
      }.benchmarks,
      ListShape("P20.enum", "8 enums", EightRoles.self, [PlainRoles].self) {
        listOfEights($0) { $0.appendJSONString($1.pick(Role.allCases).rawValue) }
      }.benchmarks,
      ListShape("P20.json", "8 JSON values", EightJSONs.self, [PlainJSONs].self) {
        listOfEights($0) { appendJSON(to: &$0, &$1) }
      }.benchmarks,
      ListShape("P20.list", "8 lists of integers", EightLists.self, [PlainLists].self) {
        listOfEights($0) { bytes, random in
          let numbers = (0..<random.below(8)).map { _ in "\(random.below(100_000))" }
          bytes.appendText("[\(numbers.joined(separator: ","))]")
        }
      }.benchmarks,
      ListShape("P20.map", "8 maps of integers", EightMaps.self, [PlainMaps].self) {
        listOfEights($0) { bytes, random in
          bytes.appendText("{\"alpha\":\(random.below(1_000)),\"beta\":\(random.below(1_000))")
          bytes.appendText(",\"gamma\":\(random.below(1_000))}")
        }
      }.benchmarks,
      ListShape("P20.keys", "8 maps of 24 unsorted keys", EightMaps.self, [PlainMaps].self) {
        listOfEights($0) { bytes, random in
          var keys = Array(100..<124)
          random.shuffle(&keys)
          let members = keys.map { "\"attribute \($0)\":\(random.below(1_000))" }
          bytes.appendText("{\(members.joined(separator: ","))}")
        }
      }.benchmarks,
      ListShape("P20.link", "8 links with keys", EightLinks.self, [PlainLinks].self) {
        listOfEights($0) { bytes, random in
          let id = random.below(2_000)
          bytes.appendText("{\"id\":\(id),\"name\":\"item \(id)\"}")
        }
      }.benchmarks,
    ].flatMap { $0 }
  }
}

private let attributeNames: [StaticString] = [
  "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
]

/// Returns a list of objects with an id and eight more members, whose values `appendValue` appends.
private func listOfEights(
  _ workload: Workload, _ appendValue: (inout [UInt8], inout Random) -> Void
) -> Data {
  list(of: workload.sizes.listed, seed: 20) { bytes, random, index in
    bytes.appendField("id", integer: index + 1)
    for name in attributeNames {
      bytes.appendKey(name)
      appendValue(&bytes, &random)
    }
  }
}

private func appendJSON(to bytes: inout [UInt8], _ random: inout Random) {
  switch random.below(4) {
  case 0: bytes.appendText("\(random.below(1_000))")
  case 1: bytes.appendJSONString(words(2, &random))
  case 2: bytes.appendText("[\(random.below(9)),true,null,\"x\"]")
  default: bytes.appendText("{\"width\":\(random.below(900)),\"unit\":\"px\",\"ratio\":1.5}")
  }
}
