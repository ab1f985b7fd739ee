import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

// The code in the article Shapes of public APIs: several classes, and members of any shape.

@Suite struct `The shape of GeoJSON` {
  class Feature: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var type = "Feature"
    @Persisted(json: "properties.name") var name: String?
    @Persisted(json: "geometry.type") var geometryType = ""
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  final class Stop: Feature {
    @Persisted(json: "/geometry/coordinates/0") var longitude = 0.0
    @Persisted(json: "/geometry/coordinates/1") var latitude = 0.0
  }

  final class Zone: Feature {
    @Persisted(json: "geometry.coordinates") var rings: Coded<[[[Double]]]>
  }

  @Test func `the type of the geometry determines the class`() throws {
    let coder = try makeCoder()
    let collection = try apiFixture("geojson-features")

    let sections: [String: DocumentSection] = [
      "features": .mixed(by: "geometry.type", ["Point": Stop.self, "Polygon": Zone.self])
    ]
    let document = try coder.read(sections, from: collection)
    let corners = document[Zone.self].objects.map { $0.rings.value[0].count }
    let box = try document.metadata([Double].self, at: "bbox")

    let (stop, zone) = (document[Stop.self].objects[0], document[Zone.self].objects[0])
    #expect(document[Feature.self].objects.map(\.name) == ["Mill Lane", "Old town"])
    #expect((stop.longitude, stop.latitude) == (8.5, 49.1))
    #expect(corners == [4] && zone.rest == ["properties": ["fare": 2.4]])
    #expect(box == [8.5, 48.9, 9.1, 49.3])
    try coder.check(Stop.self, Zone.self)
    try expectNoVersion(in: coder.store) { _ = try coder.read(sections, from: collection) }
    try expectOwnBodiesChangeNothing([stop], coder)
    try expectOwnBodiesChangeNothing([zone], coder)
    let features = try parsedJSON(collection)["features"]
    #expect(try parsedJSON(coder.encode(stop))["geometry"] == features?[0]?["geometry"])
    #expect(try parsedJSON(coder.encode(zone)) == features?[1])
  }
}

@Suite struct `The shape of FHIR` {
  final class Patient: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var resourceType = "Patient"
    @Persisted(json: "/name/0/family") var family: String?
    @Persisted(json: "/name/0/given") var given: List<String>
    @Persisted var birthDate: String?
  }

  final class Observation: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var resourceType = "Observation"
    @Persisted(json: "code.text") var code = ""
    @Persisted(json: "subject.reference") var subject: String?
    @Persisted(json: "effectiveDateTime") var date: Date?
    @Persisted(json: "valueQuantity.value") var value: Decimal?
  }

  @Test func `resources of several types are read from the entries of a bundle`() throws {
    let coder = try makeCoder()
    let bundle = try apiFixture("fhir-bundle")

    let sections: [String: DocumentSection] = [
      "/entry/*/resource": .mixed(
        by: "resourceType", ["Patient": Patient.self, "Observation": Observation.self])
    ]
    let document = try coder.read(sections, from: bundle)
    let next = try document.metadata("/link/0/url")?.stringValue
    let glucose = document[Observation.self].objects[0]
    let key = glucose.subject?.split(separator: "/").last.map(String.init) ?? ""
    let patient = coder.store.object(ofType: Patient.self, forPrimaryKey: key)

    #expect(glucose.code == "Glucose" && glucose.value == Decimal(string: "6.3"))
    #expect(glucose.date == Date(timeIntervalSince1970: 1_712_046_610))
    #expect(patient == document[Patient.self].objects[0] && patient?.birthDate == "1974-12")
    #expect(patient.map { Array($0.given) } == ["Ann", "Ida"])
    #expect(next == "https://fhir.example/Observation?page=2" && document.issues.isEmpty)
    try coder.check(Patient.self, Observation.self)
    try expectNoVersion(in: coder.store) { _ = try coder.read(sections, from: bundle) }
    try expectOwnBodiesChangeNothing(document[Patient.self].objects, coder)
    try expectOwnBodiesChangeNothing([glucose], coder)
  }
}

extension `The shape of FHIR` {
  struct Name: CodablePersistable {
    var family = ""
    var given: [String]?
  }

  final class SentPatient: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name: List<Name>
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  @Test func `a resource with Codable values and unread members is sent back unchanged`() throws {
    let coder = try makeCoder()
    let bundle = try apiFixture("fhir-bundle")
    let patient = try coder.decode(SentPatient.self, from: bundle, at: "/entry/1/resource")
    #expect(patient.name[0].family == "Berg")
    let resource = try parsedJSON(bundle)["entry"]?[1]?["resource"]
    #expect(try parsedJSON(coder.encode(patient)) == resource)
  }
}

@Suite struct `The shape of Reddit` {
  enum Kind: String, PersistableEnum { case t1 }

  final class Comment: Object {
    @Persisted(primaryKey: true, json: "data.id") var id: String
    @Persisted var kind = Kind.t1
    @Persisted(json: "data.body") var body = ""
    @Persisted(json: "data.edited", .date(.unixSeconds), .emptyAsNil) var edited: Date?
    @Persisted(
      json: "data.replies.data.children", .emptyAsNil, .omitsEmpty, .mismatch(.skipElement))
    var replies: List<Comment>
  }

  @Test func `a tree of comments is read without classes for its wrappers`() throws {
    let coder = try makeCoder()
    let listing = try apiFixture("reddit-comments")

    let sections = ["data.children": DocumentSection.mixed(by: "kind", ["t1": Comment.self])]
    let document = try coder.read(sections, from: listing)
    let comments = document[Comment.self].objects
    let after = try document.metadata("data.after")?.stringValue

    let reply = try #require(comments[0].replies.first)
    #expect(comments.map(\.id) == ["c1"] && comments[0].edited == nil)
    #expect(reply.body == "It pours." && reply.replies.isEmpty)
    #expect(reply.edited == Date(timeIntervalSince1970: 1_700_000_300))
    #expect(coder.store.objects(Comment.self).count == 2 && after == "t1_c3")
    #expect(
      document.issues.map(\.description) == [
        #"data.children[0].data.replies.data.children[1].kind (Comment.kind, data.id "c9"): "#
          + #"expected Kind (t1), found string "more" at line 12, column 20"#,
        #"data.children[1].kind: expected one of 't1', found string "more" at line 15, column 16"#,
      ])
    try coder.check(Comment.self)
    try expectNoVersion(in: coder.store) { _ = try coder.read(sections, from: listing) }
    try expectOwnBodiesChangeNothing(comments, coder)
  }
}

@Suite struct `The shape of Kubernetes` {
  final class Container: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var image: String?
    @Persisted(json: "resources.limits", .omitsEmpty) var limits: Map<String, String>
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  final class Deployment: Object {
    @Persisted(primaryKey: true, json: "metadata.uid") var uid: String
    @Persisted(json: "metadata.name") var name = ""
    @Persisted(json: "metadata.resourceVersion") var version = ""
    @Persisted(json: "metadata.labels", .omitsEmpty) var labels: Map<String, String>
    @Persisted(json: "/metadata/annotations/deployment.kubernetes.io~1revision")
    var revision: String?
    @Persisted(json: "spec.replicas") var replicas: Int?
    @Persisted(json: "spec.template.spec.containers") var containers: List<Container>
    @Persisted(.unread) var rest: JSONValue = [:]

    override class var listEnvelope: String? { "items" }
  }

  @Test func `a resource is sent back with the members that no attribute reads`() throws {
    let store = try Store()
    let coder = StoreCoder(store: store)
    let response = try apiFixture("kubernetes-deployment")

    let web = try coder.decode(Deployment.self, from: response)
    try store.write { web.replicas = 3 }
    let body = try coder.encode(web)

    #expect(web.labels["app.kubernetes.io/name"] == "web" && web.revision == "3")
    #expect(web.version == "8112" && web.containers[0].limits["cpu"] == "500m")
    try coder.check(Deployment.self)
    try expectOwnBodiesChangeNothing([web], coder)
    let original = response.text.replacing(#""replicas": 2"#, with: #""replicas": 3"#)
    #expect(try parsedJSON(body) == parsedJSON(Data(original.utf8)))
    try coder.decode(Deployment.self, from: response)
    try expectNoVersion(in: store) { try coder.decode(Deployment.self, from: response) }
  }
}

@Suite struct `The shape of Notion` {
  final class Product: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted(json: "last_edited_time") var edited: Date?
    @Persisted(json: "/properties/Name/title/0/plain_text") var name: String?
    @Persisted(json: "properties.Price.number", .writesNil) var price: Decimal?
    @Persisted(json: "properties.In stock.checkbox") var isInStock = false
    @Persisted(json: "/properties/Tags/multi_select/*/name") var tags: List<String>
    @Persisted(.unread) var rest: JSONValue = [:]

    override class var listEnvelope: String? { "results" }
  }

  final class Page: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var properties: Map<String, JSONValue>

    override class var listEnvelope: String? { "results" }
  }

  @Test func `properties are attributes, or JSON values`() throws {
    let (coder, other) = (try makeCoder(), try makeCoder())
    let query = try apiFixture("notion-query")

    let result = try coder.read([Product].self, from: query)
    let kale = result.objects[0]
    let due = kale.rest["properties"]?["Due"]?["date"]
    let cursor = try result.metadata("next_cursor")?.stringValue
    let pages = try other.decodeArray(Page.self, from: query)

    #expect(kale.name == "Kale" && kale.price == 2.5 && kale.isInStock)
    #expect(Array(kale.tags) == ["green"] && due == .null && cursor == "cur-2")
    #expect(pages[0].properties["Price"]?["number"] == 2.5)
    let properties = try parsedJSON(query)["results"]?[0]?["properties"]
    #expect(try parsedJSON(other.encode(pages[0]))["properties"] == properties)
    #expect(
      try parsedJSON(coder.encode(kale))["properties"]?["Tags"]
        == ["id": "c", "type": "multi_select", "multi_select": [["name": "green"]]])
    try coder.check(Product.self, Page.self)
    try expectNoVersion(in: coder.store) { try coder.decodeArray(Product.self, from: query) }
    try expectNoVersion(in: other.store) { try other.decodeArray(Page.self, from: query) }
    try expectOwnBodiesChangeNothing(result.objects, coder)
    try expectOwnBodiesChangeNothing(pages, other)
  }
}
