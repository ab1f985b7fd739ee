import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Enums of storecoder model` {
  private let herd = StorecoderTool.fixture("models/herd.ndjson")

  /// ``Beast`` and its enums are below, exactly as the command writes them.
  @Test func `model --enums declares enums that reproduce the file`() throws {
    let outcome = try StorecoderTool().run("model", herd, "--class", "Beast", "--enums")
    #expect(try outcome.output == "import ObjectStore\n\n\(StorecoderTool.expectedModel())")

    let coder = StoreCoder(store: try Store())
    try coder.check(Beast.self)
    let lines = try String(contentsOf: URL(filePath: herd), encoding: .utf8).split(separator: "\n")
    let text = "[\(lines.joined(separator: ","))]"
    let beasts = try coder.decodeArray(Beast.self, from: Data(text.utf8))
    #expect(beasts[2].kind == .guineaPig)
    let body = String(decoding: try coder.encodeArray(beasts), as: UTF8.self)
    #expect(try StorecoderTool.canonical(body) == StorecoderTool.canonical(text))

    let later = #"{"id": 99, "kind": "goat", "state": "sold", "traits": ["bold", "shy"]}"#
    let beast = try coder.decode(Beast.self, from: Data(later.utf8))
    #expect(beast.kind == .unknown)
    #expect(Array(beast.traits) == [.unknown, .shy])
  }

  @Test func `model declares strings without --enums`() throws {
    let outcome = try StorecoderTool().run("model", herd)
    #expect(
      outcome.output == """
        import ObjectStore

        final class Herd: Object {
          @Persisted(primaryKey: true) var id: Int
          @Persisted var kind = ""
          @Persisted var state = ""
          @Persisted var name = ""
          @Persisted var traits: List<String>
          @Persisted(.writesNil) var coat: String?
        }

        """)
  }
}

// MARK: - As the command writes them

final class Beast: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.unknown(.unknown)) var kind: BeastKind = .unknown
  @Persisted(.unknown(.unknown)) var state: BeastState = .unknown
  @Persisted var name = ""
  @Persisted(.unknown(.unknown)) var traits: List<BeastTrait>
  @Persisted(.unknown(.unknown), .writesNil) var coat: BeastCoat?
}

enum BeastKind: String, PersistableEnum {
  case cow
  case guineaPig = "guinea-pig"
  case hen
  case unknown
}

enum BeastState: String, PersistableEnum {
  case `default`
  case inStall = "in_stall"
  case noneValue = "none"
  case sold
  case unknown
}

enum BeastTrait: String, PersistableEnum {
  case calm
  case shy
  case unknown
}

enum BeastCoat: String, PersistableEnum {
  case long
  case short
  case unknown
}
