import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Collections of storecoder model` {
  private let clinic = StorecoderTool.fixture("models/clinic.json")

  /// ``Clinic`` and its classes are below, exactly as the command writes them.
  @Test func `model declares keyed lists, maps and paths that reproduce the file`() throws {
    let outcome = try StorecoderTool().run("model", clinic)
    #expect(try outcome.output == "import ObjectStore\n\n\(StorecoderTool.expectedModel())")

    let coder = StoreCoder(store: try Store())
    try coder.check(Clinic.self)
    let data = try Data(contentsOf: URL(filePath: clinic))
    let clinic = try coder.decode(Clinic.self, from: data)
    #expect(clinic.vets.map(\.name) == ["Ann", "Bob"])
    #expect(clinic.cats.map(\.name) == ["Mia", "Tom"])
    #expect(clinic.dogs?.edges.first?.barks == true)
    #expect(clinic.stays.first?.nights == 2)
    #expect(clinic.weights["2024-03-02"] == 4.25)
    let body = String(decoding: try coder.encode(clinic), as: UTF8.self)
    #expect(
      try StorecoderTool.canonical(body)
        == StorecoderTool.canonical(String(decoding: data, as: UTF8.self)))
  }
}

// MARK: - As the command writes them

final class Clinic: Object {
  @Persisted(.keyed) var vets: List<Vet>
  @Persisted(.keyed) var rooms: List<Room>
  @Persisted var drugs: Map<String, Drug?>
  @Persisted var weights: Map<String, Double>
  @Persisted var entrances: Entrances?
  @Persisted(json: "/cats/edges/*/node") var cats: List<Cat>
  @Persisted var dogs: Dogs?
  @Persisted(json: "/stays/*/stay") var stays: List<Stay>
  @Persisted var tags: List<Tag>
  @Persisted var notes: Notes?
}

final class Notes: EmbeddedObject {
  @Persisted var edges: List<Edge>
}

final class Edge: EmbeddedObject {
  @Persisted var cursor = ""
  @Persisted var node: Node?
}

final class Node: EmbeddedObject {
  @Persisted var text = ""
}

final class Tag: EmbeddedObject {
  @Persisted var label = ""
}

final class Stay: EmbeddedObject {
  @Persisted var room = ""
  @Persisted var nights = 0
}

final class Dogs: EmbeddedObject {
  @Persisted(json: "/edges/*/node") var edges: List<Dog>
  @Persisted var totalCount = 0
  @Persisted var pageInfo: PageInfo?
}

final class PageInfo: EmbeddedObject {
  @Persisted var hasNextPage = false
}

final class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var barks = false
}

final class Cat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
}

final class Entrances: EmbeddedObject {
  @Persisted var main: Main?
  @Persisted var back: Back?
}

final class Back: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var width = 0
}

final class Main: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var width = 0
}

final class Drug: EmbeddedObject {
  @Persisted var dose = 0.0
}

final class Room: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var beds = 0
}

final class Vet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
}
