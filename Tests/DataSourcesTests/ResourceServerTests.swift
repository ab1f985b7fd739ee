import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

@Suite struct `The resource server` {
  // MARK: - Methods

  static let accepted: [(String, String?, String)] = [
    ("GET animals", nil, #"200 [{"id":7,"name":"Bella"}]"#),
    ("GET animals/", nil, #"200 [{"id":7,"name":"Bella"}]"#),
    ("GET animals?order=name", nil, #"200 [{"id":7,"name":"Bella"}]"#),
    ("GET animals/7", nil, #"200 {"id":7,"name":"Bella"}"#),
    ("POST farms", #"{"name":"Mill"}"#, #"201 {"id":3,"name":"Mill"}"#),
    ("POST farms", #"{"id":null}"#, #"201 {"id":3}"#),
    ("POST farms", #"{"id":1}"#, #"201 {"id":3}"#),
    ("POST animals", #"{"id":9}"#, #"201 {"id":9}"#),
    ("POST animals", #"{"id":"a"}"#, #"201 {"id":"a"}"#),
    ("POST animals", #"{"id":8}"#, #"201 {"id":8}"#),
    ("PUT animals/7", #"{"legs":4}"#, #"200 {"id":7,"legs":4}"#),
    ("PUT animals/7", #"{"id":7,"legs":4}"#, #"200 {"id":7,"legs":4}"#),
    ("PUT animals/9", #"{"legs":4}"#, #"201 {"id":9,"legs":4}"#),
    ("PUT animals/a%2Fb", #"{"legs":4}"#, #"201 {"id":"a/b","legs":4}"#),
    ("PUT animals/07", #"{}"#, #"201 {"id":"07"}"#),
    ("PUT farms/1", #"{"name":"Mill"}"#, #"200 {"id":1,"name":"Mill"}"#),
    ("PATCH animals/7", #"{"legs":4}"#, #"200 {"id":7,"legs":4,"name":"Bella"}"#),
    ("DELETE animals/7", nil, "204"),
  ]

  @Test(arguments: accepted)
  func `a valid request has the resource in its response and in the state`(
    line: String, body: String?, expected: String
  ) throws {
    let server = ResourceServer.farms()
    let response = server.request(line, body)
    #expect(response.line == expected)
    let isChange = !line.hasPrefix("GET")
    #expect(server.changes.count == (isChange ? 1 : 0))
    guard isChange else { return }
    let change = try #require(server.changes.first)
    #expect(change.body?.jsonText == body)
    let stored = server.resources[change.collection]?[change.id]
    if change.method == .delete {
      #expect(stored == nil)
    } else {
      #expect(stored.map { JSONValue.object($0).jsonText } == expected.dropFirst(4).description)
    }
  }

  static let refused: [(String, String?, String)] = [
    ("GET owners", nil, "404"),
    ("GET animals/9", nil, "404"),
    ("GET animals/8", nil, "410"),
    ("GET animals/7/legs", nil, "404"),
    ("GET ../animals/7", nil, "404"),
    ("POST animals", #"{"id":7,"name":"Rosa"}"#, #"409 {"id":7,"name":"Bella"}"#),
    ("POST animals", #"{"name":"Rosa"}"#, #"422 {"errors":{"id":["is missing"]}}"#),
    ("POST animals", #"{"id":1.5}"#, #"422 {"errors":{"id":["is missing"]}}"#),
    ("POST animals", #"{"id":""}"#, #"422 {"errors":{"id":["is missing"]}}"#),
    ("POST animals", nil, #"400 {"message":"A resource is an object."}"#),
    ("POST animals", "{", #"400 {"message":"A resource is an object."}"#),
    ("POST animals", "[]", #"400 {"message":"A resource is an object."}"#),
    ("POST animals/7", "{}", "405"),
    ("PUT animals", "{}", "405"),
    ("DELETE animals", nil, "405"),
    ("PUT animals/7", #"{"id":9}"#, #"400 {"message":"The id 7 cannot change."}"#),
    ("PUT farms/9", "{}", "404"),
    ("PUT farms/2", "{}", "410"),
    ("PATCH animals/7", #"{"id":9}"#, #"400 {"message":"The id 7 cannot change."}"#),
    ("PATCH animals/7", "4", #"400 {"message":"A resource is an object."}"#),
    ("PATCH animals/7", nil, #"400 {"message":"The body is not JSON."}"#),
    ("PATCH animals/9", "{}", "404"),
    ("PATCH animals/8", "{}", "410"),
    ("DELETE animals/9", nil, "404"),
    ("DELETE animals/8", nil, "410"),
  ]

  @Test(arguments: refused)
  func `a refused request changes nothing`(line: String, body: String?, expected: String) {
    let server = ResourceServer.farms()
    let resources = server.resources
    let tag = server.tag("animals")
    #expect(server.request(line, body).line == expected)
    #expect(server.resources == resources)
    #expect(server.changes.isEmpty)
    #expect(server.tag("animals") == tag)
  }

  @Test func `an invalid resource is refused with the messages of the validation`() {
    let server = ResourceServer.farms { object in
      object["name"] == nil ? ["name": ["is missing", "is needed"], "": ["Not saved"]] : [:]
    }
    let refusal = #"422 {"errors":{"":["Not saved"],"name":["is missing","is needed"]}}"#
    for (line, body) in [
      ("POST animals", #"{"id":9}"#), ("POST farms", "{}"), ("PUT animals/7", "{}"),
      ("PUT animals/9", "{}"), ("PATCH animals/7", #"{"name":null}"#),
    ] {
      #expect(server.request(line, body).line == refusal, "\(line)")
    }
    #expect(server.changes.isEmpty)
    #expect(
      server.request("POST farms", #"{"name":"Mill"}"#).line == #"201 {"id":3,"name":"Mill"}"#)
  }

  // MARK: - Lists and ids

  @Test func `a list is ascending by id, numbers before strings`() {
    let server = ResourceServer(ResourceCollection("animals", ids: .chosen))
    for id in ["b", "10", "9", "a", "-1"] { server.set([:], id: ResourceID(id), in: "animals") }
    #expect(
      server.request("GET animals").line
        == #"200 [{"id":-1},{"id":9},{"id":10},{"id":"a"},{"id":"b"}]"#)
  }

  @Test func `a list of summaries has only the listed members`() {
    let server = ResourceServer(ResourceCollection("animals", listMembers: ["id", "name"]))
    server.set(["name": "Bella", "legs": 4], id: 7, in: "animals")
    server.set(["legs": 2], id: 8, in: "animals")
    #expect(server.request("GET animals").line == #"200 [{"id":7,"name":"Bella"},{"id":8}]"#)
    #expect(server.request("GET animals/8").line == #"200 {"id":8,"legs":2}"#)
  }

  @Test func `an assigned id is never used again`() {
    let server = ResourceServer(ResourceCollection("farms"))
    #expect(server.request("POST farms", "{}").line == #"201 {"id":1}"#)
    #expect(server.request("DELETE farms/1").line == "204")
    #expect(server.request("POST farms", "{}").line == #"201 {"id":2}"#)
    server.set([:], id: 40, in: "farms")
    #expect(server.request("POST farms", "{}").line == #"201 {"id":41}"#)
    #expect(server.resources["farms"]?.keys.sorted() == [2, 40, 41])
  }

  @Test func `an edit by another client sets the id`() {
    let server = ResourceServer(ResourceCollection("farms"))
    server.set(["id": 9], id: 7, in: "farms")
    server.remove(8, from: "farms")
    #expect(server.request("GET farms").line == #"200 [{"id":7}]"#)
    #expect(server.request("GET farms/8").line == "404")
  }

  @Test func `the id can be in another member`() {
    let server = ResourceServer(ResourceCollection("owners", ids: .chosen, idMember: "code"))
    #expect(server.request("POST owners", #"{"code":"x"}"#).line == #"201 {"code":"x"}"#)
    #expect(server.request("PATCH owners/x", #"{"id":1}"#).line == #"200 {"code":"x","id":1}"#)
  }

  @Test func `the response to a new resource has its location, its ETag and its type`() {
    let response = ResourceServer.farms().request("POST animals", #"{"id":"a/b c"}"#)
    #expect(
      response?.headers == [
        "Location": "/api/animals/a%2Fb%20c", "ETag": #""4""#, "Content-Type": "application/json",
      ])
  }

  @Test(arguments: [("PUT farms", "GET, POST"), ("POST farms/1", "GET, PUT, PATCH, DELETE")])
  func `a response with the status 405 lists the allowed methods`(line: String, methods: String) {
    #expect(ResourceServer.farms().request(line, "{}")?.headers == ["Allow": methods])
  }

  // MARK: - ETags

  @Test(arguments: ["animals", "animals/7"])
  func `a GET with the current ETag has the status 304`(path: String) {
    let server = ResourceServer.farms()
    let tag = server.tag(path) ?? ""
    for tags in [tag, "*", "\"x\", \(tag)"] {
      let response = server.request("GET \(path)", nil, ["If-None-Match": tags])
      #expect(response.line == "304")
      #expect(response?.headers["ETag"] == tag)
    }
    server.set(["name": "Rosa"], id: 7, in: "animals")
    let response = server.request("GET \(path)", nil, ["If-None-Match": tag])
    #expect(response?.status == 200)
    #expect(response?.headers["ETag"] != tag)
  }

  @Test func `a change alters the ETags of its resource and of the list only`() {
    let server = ResourceServer.farms()
    server.set([:], id: 9, in: "animals")
    let (list, bella, nine) = (
      server.tag("animals"), server.tag("animals/7"), server.tag("animals/9")
    )
    let changed = server.request("PATCH animals/9", #"{"legs":4}"#)
    #expect(server.tag("animals/7") == bella)
    #expect(server.tag("animals/9") != nine)
    #expect(server.tag("animals/9") == changed?.headers["ETag"])
    #expect(server.tag("animals") != list)
  }

  @Test func `a deleted resource that is created again has a new ETag`() {
    let server = ResourceServer.farms()
    let tag = server.tag("animals/7")
    server.remove(7, from: "animals")
    server.set(["name": "Bella"], id: 7, in: "animals")
    #expect(server.tag("animals/7") != tag)
  }

  @Test(arguments: ["PUT", "PATCH", "DELETE"])
  func `a write with another ETag is refused with the current resource`(method: String) {
    let server = ResourceServer.farms()
    let old = server.tag("animals/7") ?? ""
    server.set(["name": "Rosa"], id: 7, in: "animals")
    let line = "\(method) animals/7"
    let refused = server.request(line, #"{"legs":4}"#, ["If-Match": old])
    #expect(refused.line == #"412 {"id":7,"name":"Rosa"}"#)
    #expect(server.changes.isEmpty)
    let tag = refused?.headers["ETag"] ?? ""
    let accepted = server.request(line, #"{"legs":4}"#, ["If-Match": "\(old), \(tag)"])
    #expect(accepted?.status == (method == "DELETE" ? 204 : 200))
    #expect(server.changes.count == 1)
  }

  static let preconditions: [(String, NetworkResponse.Headers, String)] = [
    ("PUT animals/7", ["If-Match": "*"], #"200 {"id":7}"#),
    ("PUT animals/9", ["If-Match": "*"], "412"),
    ("PUT animals/8", ["If-Match": #""1""#], "412"),
    ("PUT animals/7", ["If-None-Match": "*"], #"412 {"id":7,"name":"Bella"}"#),
    ("PUT animals/9", ["If-None-Match": "*"], #"201 {"id":9}"#),
    ("PATCH animals/9", ["If-Match": "*"], "404"),
    ("DELETE animals/8", ["If-Match": "*"], "410"),
  ]

  @Test(arguments: preconditions)
  func `a precondition with an asterisk tests the existence of the resource`(
    line: String, headers: NetworkResponse.Headers, expected: String
  ) {
    #expect(ResourceServer.farms().request(line, "{}", headers).line == expected)
  }

  // MARK: - Repetitions and other clients

  @Test(arguments: [
    ("POST animals", #"{"id":9,"name":"Rosa"}"#, 201, 200),
    ("PUT animals/9", #"{"a":1}"#, 201, 200),
    ("PATCH animals/7", #"{"name":null}"#, 200, 200), ("DELETE animals/7", nil, 204, 410),
  ])
  func `a repeated request is not applied twice`(
    line: String, body: String?, status: Int, repeatedStatus: Int
  ) {
    let server = ResourceServer.farms()
    let first = server.request(line, body)
    let second = server.request(line, body)
    #expect(first?.status == status)
    #expect(second?.status == repeatedStatus)
    if line != "DELETE animals/7" {
      #expect(second?.body == first?.body)
      #expect(second?.headers["ETag"] == first?.headers["ETag"])
    }
    #expect(server.changes.count == 1)
    #expect(server.requestCount == 2)
  }

  @Test func `the log lists changes of requests in order and no edits by other clients`() {
    let server = ResourceServer.farms()
    _ = server.request("POST farms", #"{"name":"Mill"}"#)
    server.set(["name": "Rosa"], id: 7, in: "animals")
    _ = server.request("PATCH animals/7", #"{"legs":4}"#)
    server.remove(1, from: "farms")
    _ = server.request("DELETE animals/7")
    #expect(
      server.changeLines == [
        #"POST farms/3 {"name":"Mill"}"#, #"PATCH animals/7 {"legs":4}"#, "DELETE animals/7",
      ])
    #expect(server.resources == ["animals": [:], "farms": [3: ["id": 3, "name": "Mill"]]])
  }

  @Test func `an edit of an unknown collection stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      ResourceServer(ResourceCollection("farms")).set([:], id: 1, in: "animals")
    }
    result.says("The server has no collection 'animals'")
  }

  @Test func `simultaneous requests have different ids and one change each`() async {
    let server = ResourceServer(ResourceCollection("farms"))
    await withTaskGroup { group in
      for _ in 1...4 {
        group.addTask { for _ in 1...50 { _ = server.request("POST farms", "{}") } }
      }
    }
    #expect(server.resources["farms"]?.keys.sorted() == (1...200).map { .number($0) })
    #expect(Set(server.changes.map(\.id)).count == 200)
  }
}
