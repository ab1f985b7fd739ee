import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@testable import storecoder

private enum Shop {
  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted var total = 0.0
    @Persisted var buyer: Person?
    override class var tracksEdits: Bool { true }
  }
  final class Person: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var home: Home?
    @Persisted var friends: List<Person>
  }
  final class Home: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var neighbors: List<Person>
  }
  final class Visit: Object {
    @Persisted var text = ""
  }
}

private enum Odd {
  final class Log: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var ratio = 0.0
    @Persisted var text = ""
  }
  final class Favorite: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var user: Int
    @Persisted var place: String
    override class var compoundKey: [String] { ["user", "place"] }
  }
}

@Suite struct `The inspector` {
  private let command: StorecoderTool
  private let url: URL

  init() throws {
    command = try StorecoderTool()
    url = command.folder.file("cache.store")
    try decode(
      #"""
      [{"id": 1, "note": "a", "total": 9, "buyer": {"name": "Jo", "friends": [{"name": "Ann"}],
        "home": {"street": "Elm 1", "neighbors": [{"name": "Ann"}]}}},
       {"id": 2, "note": null, "total": 1e21}, {"id": 3}]
      """#
    ) { store, orders in
      orders[0].note = "b"
      try store.add(Shop.Visit())
      store.delete(orders[2])
    }
  }

  private func decode(
    _ json: String, _ change: (Store, [Shop.Order]) throws -> Void = { _, _ in }
  ) throws {
    let store = try Store(configuration: .file(url), isolation: nil)
    let orders = try StoreCoder(store: store).decodeArray(
      Shop.Order.self, from: Data(json.utf8))
    try store.write { try change(store, orders) }
  }

  private func site(isWritable: Bool = false) throws -> BrowseSite {
    let cache = try CacheFile(
      url.path, mustExist: true, readOnly: !isWritable, acceptsEdits: false)
    return BrowseSite(
      BrowsedStore(cache, name: "cache.store", isWritable: isWritable), token: "secret")
  }

  private func response(
    _ path: String, _ method: NetworkRequest.Method = .get, of site: BrowseSite,
    _ headers: [String: String] = [:], body: String? = nil
  ) throws -> NetworkResponse {
    var fields = NetworkResponse.Headers(headers)
    if fields["Host"] == nil { fields["Host"] = "127.0.0.1:8080" }
    return site.response(
      to: NetworkRequest(
        method, try #require(URL(string: path)), headers: fields, body: body.map { Data($0.utf8) }))
  }

  private func text(_ path: String, of site: BrowseSite) throws -> String {
    String(decoding: try response("/secret/api/\(path)", of: site).body, as: UTF8.self)
  }

  // MARK: - Access

  private static let link = [
    "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
  ]

  @Test(
    arguments: [
      ("/", [:], 404), ("/wrong/", [:], 404), ("/secre/api/store", [:], 404), ("/secret", [:], 308),
      ("/secret/", [:], 200), ("/secret/api/store", [:], 200), ("/secret/api/nothing", [:], 404),
      ("/secret/../secret/api/store", [:], 404), ("/secret/%2e%2e/", [:], 404),
      ("/secret/", ["Host": "evil.example:8080"], 403), ("/secret/", ["Host": ""], 403),
      ("/secret/", ["Host": "127.0.0.1.evil.example"], 403),
      ("/secret/", ["Host": "localhost:8080"], 200),
      ("/secret/api/store", ["Origin": "http://evil.example"], 403),
      ("/secret/api/store", ["Origin": "null"], 403),
      ("/secret/api/store", ["Origin": "http://127.0.0.1:9999"], 403),
      ("/secret/api/store", ["Origin": "http://127.0.0.1:8080"], 200),
      ("/secret/", ["Sec-Fetch-Site": "cross-site"], 403),
      ("/secret/", ["Sec-Fetch-Site": "same-site"], 403),
      ("/secret/", ["Sec-Fetch-Site": "same-origin"], 200),
      // A link in another site opens the page, but no data.
      ("/secret/", link, 200), ("/secret", link, 308), ("/secret/api/store", link, 403),
      ("/wrong/", link, 403),
    ] as [(String, [String: String], Int)])
  func `a request needs the token and must not come from another site`(
    path: String, headers: [String: String], status: Int
  ) throws {
    let response = try response(path, of: site(), headers)
    #expect(response.status == status)
    let policy = try #require(response.headers["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
    #expect(response.headers["Access-Control-Allow-Origin"] == nil)
    if status != 200 {
      #expect(!String(decoding: response.body, as: UTF8.self).contains("Order"))
    }
  }

  // MARK: - Data

  @Test func `the overview has the classes, their attributes and the number of edits`() throws {
    let text = try text("store", of: site())
    #expect(text.contains(#""count":2,"isEmbedded":false,"key":["id"],"name":"Order""#))
    #expect(text.contains(#""count":0,"isEmbedded":true,"key":[],"name":"Home""#))
    #expect(text.contains(#""name":"friends","target":"Person","type":"List<Person>""#))
    #expect(text.contains(#""editCount":2,"isWritable":false,"name":"cache.store""#))
  }

  @Test func `objects are filtered, sorted and paged`() throws {
    let site = try site()
    #expect(
      try text("objects?class=Order&sort=id&descending=1&limit=1", of: site)
        == #"""
        {"count":2,"objects":[{"class":"Order","edited":[],"key":[2],"state":"clean","unknown":["buyer"],"values":\#
        {"buyer":null,"id":2,"note":null,"total":1e21}}],"offset":0}
        """#.replacing("1e21", with: "1e+21"))
    let filtered = try text("objects?class=Order&filter=note%20==%20%22b%22", of: site)
    #expect(filtered.contains(#""count":1"#) && filtered.contains(#""edited":["note"]"#))
    #expect(
      try text("objects?class=Order&offset=99&limit=1", of: site).contains(
        #"{"count":2,"objects":[{"class":"Order","edited":[],"key":[2]"#))
    let failure = try response("/secret/api/objects?class=Order&filter=id%20%3E", of: site)
    #expect(failure.status == 400)
    #expect(
      String(decoding: failure.body, as: UTF8.self)
        == #"{"error":"the query \"id >\": expected a value or an attribute at column 5"}"#)
    #expect(try text("objects?class=Nothing", of: site).contains("there is no class 'Nothing'"))
  }

  @Test func `an object has its links in both directions`() throws {
    let site = try site()
    let jo = try text("object?class=Person&key=%5B%22Jo%22%5D", of: site)
    #expect(jo.contains(#""friends":{"count":1,"list":[{"key":["Ann"],"link":"Person"}]}"#))
    #expect(
      jo.contains(
        #""inverse":[{"class":"Order","count":1,"objects":[{"key":[1],"link":"Order"}],"path":"buyer"}]"#
      ))
    let ann = try text("object?class=Person&key=%5B%22Ann%22%5D", of: site)
    #expect(ann.contains(#""path":"home.neighbors""#) && ann.contains(#""path":"friends""#))
    #expect(
      try text("object?class=Visit&index=0", of: site).contains(#""values":{"text":""}"#))
    #expect(
      try text("object?class=Person&key=%5B%22Zoe%22%5D", of: site)
        == #"{"error":"Person: there is no object with the key [\"Zoe\"]"}"#)
  }

  @Test func `names with any characters are found`() throws {
    let file = try command.file(
      "rows.json",
      #"""
      [{"a": 1, "best friend": {"id": 7}, "in": {"x.y": {"id": 7}}}, {"a": 2, "best friend": null, "in": null}]
      """#)
    let source = try QuerySource(
      file: file, Arguments([file, "--key", "a"], of: Browse.command), [], by: "browse")
    let site = BrowseSite(
      BrowsedStore(source.cache, name: "rows", isWritable: false), token: "secret")
    let friend = try text("object?class=BestFriend&key=%5B7%5D", of: site)
    #expect(friend.contains(#""path":"best friend""#), "\(friend)")
    withExtendedLifetime(source) {}
  }

  @Test(arguments: [
    ("object?class=Order&key=x", "expected a JSON value"),
    ("object?class=Order&key=%5B%5D", "Order: '[]' is not a key"),
    ("object?class=Visit&index=9", "Visit: there is no object 9"),
    ("objects?class=Order&sort=nothing", "Order: 'nothing' is not an attribute"),
  ]) func `a request for something that does not exist has an error`(
    path: String, message: String
  ) throws {
    #expect(try text(path, of: site()) == "{\"error\":\(JSONValue.string(message).jsonText)}")
  }

  @Test func `edits have the values of the server and the local ones`() throws {
    #expect(
      try text("edits", of: site()) == #"""
        {"count":2,"edits":[{"edit":{"attributes":[{"isKnown":true,"local":"b","name":"note","server":"a"}],"kind":"edited"},\#
        "isInFlight":false,"object":{"key":[1],"link":"Order"},"rejection":null},\#
        {"edit":{"attributes":[],"kind":"deleted"},"isInFlight":false,"object":{"key":[3],"link":"Order"},\#
        "rejection":null}],"offset":0}
        """#)
    let second = try text("edits?offset=1&limit=1", of: site())
    #expect(second.hasPrefix(#"{"count":2,"edits":[{"edit":{"attributes":[],"kind":"deleted"}"#))
    #expect(second.hasSuffix(#""offset":1}"#))
  }

  @Test func `values that JSON does not have are shown as in tables`() throws {
    let url = command.folder.file("odd.store")
    do {
      let store = try Store(configuration: .file(url), isolation: nil)
      try store.write {
        let log = try store.create(Odd.Log.self, value: ["id": 1])
        log.ratio = -.infinity
        log.text = "a" + String(repeating: "\u{301}", count: 5_000)
        try store.create(Odd.Favorite.self, value: ["user": 7, "place": "x/y"])
      }
    }
    let cache = try CacheFile(url.path, mustExist: true, readOnly: true, acceptsEdits: false)
    let site = BrowseSite(
      BrowsedStore(cache, name: "odd.store", isWritable: false), token: "secret")
    let log = try text("objects?class=Log", of: site)
    #expect(log.contains(#""id":1,"ratio":{"number":"-inf"}"#), "\(log.prefix(300))")
    #expect(log.contains(#""count":5001"#) && log.utf8.count < 2_000)
    let favorite = try text("object?class=Favorite&key=%5B7,%22x/y%22%5D", of: site)
    #expect(favorite.contains(#""place":"x/y","user":7"#), "\(favorite)")
  }

  @Test func `the page says that the classes have changed`() throws {
    let site = try site()
    #expect(try text("version", of: site) == #"{"notice":null,"version":0}"#)
    let file = try command.file("more.json", #"[{"id": 1, "extra": true}]"#)
    #expect(try command.run("import", file, "--class", "Order", "--store", url.path).status == 0)
    let notice = "The classes have changed. Start the command again to see them."
    #expect(try text("version", of: site).contains("\"notice\":\"\(notice)\""))
  }

  @Test func `a file that was replaced is reported to a page that only waits for commits`() throws {
    let cache = try CacheFile(url.path, mustExist: true, readOnly: true, acceptsEdits: false)
    let store = try cache.open()
    let site = BrowseSite(
      BrowsedStore(cache, name: "cache.store", isWritable: false), token: "secret")
    _ = try text("version", of: site)
    try FileManager.default.removeItem(at: url)
    try Data().write(to: url)
    #expect(
      try text("version", of: site).contains(
        "the file was removed, renamed or replaced; open the store again"))
    withExtendedLifetime(store) {}
  }

  @Test func `long strings and large numbers are not lost`() throws {
    let long = String(repeating: "é", count: 300)
    let file = try command.file(
      "rows.json", #"[{"id": 9007199254740993, "text": "\#(long)", "list": [1, 2]}]"#)
    let source = try QuerySource(
      file: file, Arguments([file], of: Browse.command), [], by: "browse")
    let site = BrowseSite(
      BrowsedStore(source.cache, name: "rows", isWritable: false), token: "secret")
    let rows = try text("objects?class=Row", of: site)
    #expect(rows.contains(#""key":["9007199254740993"]"#))
    #expect(rows.contains(#""id":{"number":"9007199254740993"}"#))
    #expect(rows.contains(#""text":{"count":300,"text":"éé"#))
    #expect(
      try text("object?class=Row&key=%5B%229007199254740993%22%5D", of: site).contains(long))
    withExtendedLifetime(source) {}
  }

  @Test func `a commit of another process is shown`() async throws {
    let site = try site()
    let before = try text("version", of: site)
    // Another process, because this one has the file open for reading.
    let later = try command.file("later.json", #"[{"id": 2, "note": "later"}]"#)
    let cache = try CacheFile(url.path, mustExist: true, readOnly: true, acceptsEdits: false)
    let store = try cache.open()
    let outcome = try command.run("import", later, "--class", "Order", "--store", url.path)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try text("version", of: site) != before)
    #expect(try text("objects?class=Order", of: site).contains("later"))
    withExtendedLifetime(store) {}
  }

  // MARK: - Changes

  @Test func `a store that is only read refuses changes`() throws {
    let refused = try response(
      "/secret/api/delete?class=Order&key=%5B1%5D", .post, of: site(),
      ["Content-Type": "application/json"], body: "{}")
    #expect(refused.status == 400)
    #expect(
      String(decoding: refused.body, as: UTF8.self)
        == #"{"error":"the store is only read; start the command with --write"}"#)
  }

  @Test func `values are changed and objects deleted as the user`() throws {
    let site = try site(isWritable: true)
    func post(_ path: String, _ body: String, type: String = "application/json") throws -> String {
      let response = try response(
        "/secret/api/\(path)&class=Order&key=%5B2%5D", .post, of: site, ["Content-Type": type],
        body: body)
      return String(decoding: response.body, as: UTF8.self)
    }
    #expect(
      try post("update?attribute=note", #""x""#, type: "text/plain")
        == #"{"error":"expected JSON"}"#)
    let first = try post("update?attribute=note", #""mine""#)
    #expect(first == "{}")
    #expect(try text("edits", of: site).contains(#""local":"mine","name":"note","server":null"#))
    #expect(
      try post("update?attribute=total", #""much""#).contains("expected Double, found string"))
    #expect(
      try post("update?attribute=id", "5")
        == #"{"error":"Order.id: the key cannot be changed here"}"#
    )
    #expect(
      try post("update?attribute=total", "abc")
        == #"{"error":"the value is not valid JSON: expected a JSON value"}"#)
    #expect(
      try post("update?attribute=total", #"5,"note":"x""#)
        == #"{"error":"the value is not valid JSON: unexpected text after the JSON value"}"#)
    #expect(
      try post("update?attribute=totl", "5")
        == #"{"error":"Order: 'totl' is not an attribute; did you mean 'total'?"}"#)
    #expect(try post("delete?", "{}") == "{}")
    #expect(try text("edits", of: site).contains(#"{"key":[2],"link":"Order"}"#))
    #expect(try post("delete?", "{}") == #"{"error":"Order: there is no object with the key [2]"}"#)
  }

  @Test func `the first change of a class that tracks edits is an edit`() throws {
    let url = command.folder.file("clean.store")
    do {
      let store = try Store(configuration: .file(url), isolation: nil)
      _ = try StoreCoder(store: store).decode(
        Shop.Order.self, from: Data(#"{"id": 2, "note": "a"}"#.utf8))
    }
    let cache = try CacheFile(url.path, mustExist: true, acceptsEdits: false)
    let site = BrowseSite(
      BrowsedStore(cache, name: "clean.store", isWritable: true), token: "secret")
    _ = try response(
      "/secret/api/update?class=Order&key=%5B2%5D&attribute=note", .post, of: site,
      ["Content-Type": "application/json"], body: #""mine""#)
    #expect(try text("edits", of: site).contains(#""local":"mine","name":"note","server":"a""#))
  }

  // MARK: - The command

  @Test func `the command serves the page until it is interrupted`() throws {
    var page: String?
    let outcome = try command.run(["browse", url.path]) {
      let output = try? String(contentsOf: command.folder.file("output"), encoding: .utf8)
      guard let address = output?.firstMatch(of: /http:\S+/).map({ String($0.0) }),
        let url = URL(string: address)
      else { return false }
      page = try? String(contentsOf: url, encoding: .utf8)
      return true
    }
    #expect(page?.contains("<title>StoreCoder</title>") ?? false)
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output.contains("/cache.store: http://127.0.0.1:"))
  }

  @Test func `invalid options of the command are refused`() throws {
    let file = try command.file("rows.json", "[{}]")
    func errors(_ arguments: String...) throws -> String {
      try command.run(["browse"] + arguments).errors.components(separatedBy: "\n")[0]
    }
    #expect(try errors(url.path, "--port", "65536") == "storecoder: --port is at most 65535")
    #expect(
      try errors(file, "--write")
        == "storecoder: --write needs a store: changes of a file that is read into memory are lost")
    #expect(
      try errors(url.path, "--key", "id")
        == "storecoder: --key is an option for files that are not stores")
    let server = try LoopbackServer { _ in nil }
    #expect(
      try errors(url.path, "--port", "\(server.port)")
        == "storecoder: the port \(server.port) is in use")
  }

  // MARK: - The page in Chromium

  /// Returns the content of the page as a browser shows it, after its scripts have run.
  private func content(_ store: String, _ view: String) throws -> String {
    var content = ""
    _ = try command.run(["browse", store]) {
      let output = try? String(contentsOf: command.folder.file("output"), encoding: .utf8)
      guard let address = output?.firstMatch(of: /http:\S+/).map({ String($0.0) }) else {
        return false
      }
      content = Chromium.content(
        of: address + view, milliseconds: 3_000, profile: command.folder.file("profile"))
      return true
    }
    return content
  }

  @Test(.enabled(if: Chromium.path != nil, "Chromium is not installed"))
  func `the page shows classes, objects, links and edits`() throws {
    let home = try content(url.path, "")
    #expect(home.contains(#"<a href="\#("#/class/Order")">Order</a>"#))
    #expect(home.contains(#"aria-label="Links between classes""#))
    #expect(home.contains("Edits (2)"))
    let rows = try content(url.path, "#/class/Order?sort=id&descending=1")
    #expect(rows.contains(#"<button type="button">id ↓</button>"#))
    #expect(rows.contains(">1 – 2 of 2<"))
    #expect(rows.contains(#"<span class="unknown">unknown</span>"#))
    let person = try content(url.path, "#/object/Person?key=%5B%22Ann%22%5D")
    #expect(person.contains("Person.home.neighbors"))
    let edits = try content(url.path, "#/edits")
    #expect(edits.contains("<bdi>a</bdi>") && edits.contains("<bdi>b</bdi>"))
    #expect(try content(url.path, "#/class/Nothing").contains("There is no class 'Nothing'."))
  }

  @Test(.enabled(if: Chromium.path != nil, "Chromium is not installed"))
  func `hostile names and values are shown as text`() throws {
    let script = "<script>document.title='owned'</script>"
    let image = "<img src=x onerror=document.title='owned'>"
    let file = try command.file(
      "rows.json",
      #"""
      [{"id": "\#(image)", "\#(script)": "\#(script)", "a'\"b": "'\"><b>", "nul": "x\u0000y\u202Ez\u001b",
        "javascript:alert(1)": "javascript:alert(1)", "nested": {"\#(image)": ["\#(image)"]}}]
      """#)
    for view in ["#/", "#/class/Row", "#/object/Row?key=%5B%22x", "#/class/\(image)"] {
      let content = try content(file, view)
      #expect(content.contains("<title>rows.json – StoreCoder</title>"), "\(view)")
      #expect(!content.contains("<img") && !content.contains("<script>"), "\(view)")
    }
    let rows = try content(file, "#/class/Row")
    #expect(rows.contains("&lt;script&gt;document.title='owned'&lt;/script&gt;"))
    #expect(rows.contains("x\u{2400}y\u{202E}z\u{241B}"))
  }
}
