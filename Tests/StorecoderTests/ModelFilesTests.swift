import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `storecoder model with several files` {
  private let files = ["breeds", "breed"].map { StorecoderTool.fixture("models/\($0).json") }

  /// ``Breed`` and ``Keeper`` are below, exactly as the command writes them.
  @Test func `model declares aliases for keys that files spell in different styles`() throws {
    let outcome = try StorecoderTool().run(["model"] + files)
    #expect(try outcome.output == "import ObjectStore\n\n\(StorecoderTool.expectedModel())")

    let coder = StoreCoder(store: try Store())
    try coder.check(Breed.self)
    let list = try Data(contentsOf: URL(filePath: files[0]))
    let breeds = try coder.decodeArray(Breed.self, from: list)
    #expect(
      try StorecoderTool.canonical(String(decoding: coder.encodeArray(breeds), as: UTF8.self))
        == StorecoderTool.canonical(String(decoding: list, as: UTF8.self)))
    let other = StoreCoder(store: try Store())
    let breed = try other.decode(Breed.self, from: Data(contentsOf: URL(filePath: files[1])))
    #expect(breed.commonName == "Angus")
    #expect(Array(breed.colourCodes) == [1, 2])
    #expect(breed.keeper?.fullName == "Ann")
    #expect(
      try StorecoderTool.canonical(String(decoding: other.encode(breed), as: UTF8.self))
        == #"{"colour_codes":[1,2],"common_name":"Angus","id":1,"isRare":"yes","#
        + #""keeper":{"full_name":"Ann","id":5,"phone":"12"},"origin":"Scotland","rank":1}"#)
  }

  @Test func `one of several files that is missing is reported`() throws {
    let outcome = try StorecoderTool().run("model", files[0], "nowhere.json")
    #expect(outcome.errors == "storecoder: nowhere.json: there is no such file\n")
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
  }
}

// MARK: - As the command writes them

final class Breed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "common_name", .aliases("commonName")) var commonName = ""
  @Persisted(json: "colour_codes", .aliases("colourCodes")) var colourCodes: List<Int>
  @Persisted var keeper: Keeper?
  @Persisted(json: "$rank") var rank: Int?
  @Persisted(json: "is_rare") var isRare: Bool?
  @Persisted(json: "rank") var rank2: Int?
  @Persisted(json: "isRare") var isRare2: String?
  @Persisted var origin: String?
}

final class Keeper: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "full_name", .aliases("fullName")) var fullName = ""
  @Persisted var phone: String?
}
