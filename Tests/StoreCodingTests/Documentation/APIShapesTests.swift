import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

// The code in the article Shapes of public APIs: lists and envelopes.

@Suite struct `The shape of GitHub` {
  final class Account: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var login = ""
    @Persisted(json: "avatar_url", .emptyAsNil) var avatar: URL?
  }

  final class Repository: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "full_name") var name = ""
    @Persisted(json: "private") var isPrivate = false
    @Persisted var owner: Account?
    @Persisted(json: "license.spdx_id") var license: String?
    @Persisted var topics: List<String>
    @Persisted(json: "pushed_at") var pushed: Date?
  }

  @Test func `a bare list and a search with a count are read by one class`() throws {
    let coder = try makeCoder()
    let (list, search) = (try apiFixture("github-list"), try apiFixture("github-search"))

    let repositories = try coder.decodeArray(Repository.self, from: list)
    let found = try coder.read([Repository].self, from: search, at: "items")
    let total = try found.metadata("total_count")?.intValue

    #expect(repositories.map(\.name) == ["acme/anvil", "jo/notes"])
    #expect(repositories.map(\.license) == ["MIT", nil])
    #expect(repositories[0].owner?.avatar?.path == "/1.png")
    #expect(repositories[1].owner?.avatar == nil && repositories[1].isPrivate)
    #expect(Array(repositories[0].topics) == ["iron", "tools"])
    #expect(repositories[0].pushed == Date(timeIntervalSince1970: 1_714_721_400))
    #expect(found.objects == [repositories[0]] && found.unchanged == 1 && total == 41)
    try coder.check(Repository.self)
    try expectNoVersion(in: coder.store) {
      try coder.decodeArray(Repository.self, from: list)
      try coder.decodeArray(Repository.self, from: search, at: "items")
    }
    try expectOwnBodiesChangeNothing(repositories, coder)
  }
}

@Suite struct `The shape of Stripe` {
  struct Cents: ValueCoding {
    func decode(_ json: JSONValue) throws -> Decimal { try json.decode(Decimal.self) / 100 }
    func encode(_ price: Decimal) throws -> JSONValue { try JSONValue(encoding: price * 100) }
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var email: String?
  }

  final class Refund: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(.coding(Cents())) var amount: Decimal
    @Persisted(.byKey) var charge: Charge?
  }

  final class Charge: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(.coding(Cents())) var amount: Decimal
    @Persisted(.date(.unixSeconds)) var created: Date?
    @Persisted(.byKey) var customer: Customer?
    @Persisted var metadata: Map<String, String>
    @Persisted(json: "refunds.data") var refunds: List<Refund>

    override class var listEnvelope: String? { "data" }
  }

  @Test func `a page of charges has expanded and unexpanded customers`() throws {
    let coder = try makeCoder()
    let charges = try apiFixture("stripe-charges")

    let page = try coder.read([Charge].self, from: charges)
    let hasMore = try page.metadata("has_more") == true

    let (first, second) = (page.objects[0], page.objects[1])
    #expect(hasMore)
    #expect(first.amount == Decimal(string: "19.99"))
    #expect(first.created == Date(timeIntervalSince1970: 1_679_090_539))
    #expect(first.customer == second.customer && first.customer?.email == "ann@mail.example")
    #expect(first.metadata["order_id"] == "6735" && second.metadata.isEmpty)
    #expect(first.refunds[0].amount == 5 && first.refunds[0].charge == first)
    try coder.check(Charge.self)
    try expectNoVersion(in: coder.store) { try coder.decodeArray(Charge.self, from: charges) }
    try expectOwnBodiesChangeNothing(page.objects, coder)
    #expect(
      try coder.text(second)
        == #"{"id":"ch_2","amount":100,"created":1679090540,"customer":"cus_9","metadata":{},"#
        + #""refunds":{"data":[]}}"#)
  }
}

@Suite struct `The shape of Slack` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
    @Persisted(json: "profile.real_name", .emptyAsNil) var fullName: String?
    @Persisted(json: "is_bot") var isBot = false
  }

  final class Message: Object {
    @Persisted(primaryKey: true) var ts: String
    @Persisted(.byKey) var user: User?
    @Persisted var text = ""
    @Persisted(json: "edited.ts", .date(.unixSeconds), .flexible) var edited: Date?
    @Persisted(json: "/reactions/*/name", .omitsEmpty) var reactions: List<String>

    var sent: Date? { Double(ts).map { Date(timeIntervalSince1970: $0) } }
  }

  @Test func `users and messages are linked by key`() throws {
    let coder = try makeCoder()
    let (users, history) = (try apiFixture("slack-users"), try apiFixture("slack-history"))

    let messages = try coder.read([Message].self, from: history, at: "messages")
    let members = try coder.read([User].self, from: users, at: "members")
    let next = try messages.metadata("response_metadata.next_cursor")?.stringValue

    #expect(messages.objects.map { $0.user?.fullName } == ["Ann Berg", nil])
    #expect(messages.objects[1].edited == Date(timeIntervalSince1970: 1_512_085_965.5))
    #expect(messages.objects[0].sent == Date(timeIntervalSince1970: 1_512_085_950.000216))
    #expect(Array(messages.objects[0].reactions) == ["+1", "soup"])
    #expect(members.objects.map(\.isBot) == [false, true] && next == "bmV4dA==")
    try coder.check(Message.self, User.self)
    try expectNoVersion(in: coder.store) {
      try coder.decodeArray(Message.self, from: history, at: "messages")
      try coder.decodeArray(User.self, from: users, at: "members")
    }
    try expectOwnBodiesChangeNothing(messages.objects, coder)
  }

  final class TwoReaders: Object {
    @Persisted(primaryKey: true) var ts: String
    @Persisted(json: "/ts", .date(.unixSeconds), .flexible) var sent: Date?
  }

  @Test func `two attributes cannot read one key`() throws {
    #expect(
      message { try makeCoder().check(TwoReaders.self) }
        == "TwoReaders: the attributes 'ts' ('ts') and 'sent' ('/ts') have equivalent paths")
  }
}

extension `The shape of Slack` {
  final class ChannelMessage: EmbeddedObject {
    @Persisted var ts = ""
    @Persisted var text = ""
  }

  final class Channel: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var messages: List<ChannelMessage>
  }

  @Test func `a channel with its messages takes its key from the call`() throws {
    let coder = try makeCoder()
    let history = try apiFixture("slack-history")
    let channel = try coder.decode(Channel.self, from: history, key: "C01")
    #expect(channel.id == "C01" && channel.messages.map(\.text).first == "Lunch?")
    try coder.check(Channel.self)
    try expectNoVersion(in: coder.store) {
      try coder.decode(Channel.self, from: history, key: "C01")
    }
  }
}

@Suite struct `The shape of OData` {
  final class Person: Object {
    @Persisted(primaryKey: true) var userName: String
    @Persisted var firstName: String?
    @Persisted var emails: List<String>
    @Persisted(json: "HomeAddress.City.Name") var city: String?
    @Persisted var bestFriend: Person?
    @Persisted(json: "/@odata.etag") var etag: String?

    override class var listEnvelope: String? { "value" }
  }

  @Test func `Pascal case and annotations are read`() throws {
    let store = try Store()
    let people = try apiFixture("odata-people")

    var configuration = StoreCoder.Configuration.default
    configuration.keys = .pascalCase
    let coder = StoreCoder(store: store, configuration: configuration)
    let page = try coder.read([Person].self, from: people)
    let next = try page.metadata("/@odata.nextLink")?.stringValue

    #expect(page.objects.map(\.firstName) == ["Ann", "Jo"])
    #expect(page.objects.map(\.city) == ["Ulm", nil])
    #expect(page.objects[0].bestFriend == page.objects[1])
    #expect(page.objects[0].etag == #"W/"08D1""#)
    #expect(next == "https://odata.example/People?$skiptoken=2")
    try coder.check(Person.self)
    try expectNoVersion(in: store) { try coder.decodeArray(Person.self, from: people) }
    try expectOwnBodiesChangeNothing(page.objects, coder)
  }
}

@Suite struct `The shape of Spotify` {
  final class Artist: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
  }

  final class Track: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
    @Persisted(json: "duration_ms") var milliseconds = 0
    @Persisted var artists: List<Artist>
  }

  @Test func `tracks are read through their wrappers`() throws {
    let store = try Store()
    let playlist = try apiFixture("spotify-playlist")

    var configuration = StoreCoder.Configuration.default
    configuration.mismatches = .skipElement
    let coder = StoreCoder(store: store, configuration: configuration)
    let page = try coder.read([Track].self, from: playlist, at: "/items/*/track")
    let total = try page.metadata("total")?.intValue

    #expect(page.objects.map(\.name) == ["Rain", "Snow"])
    #expect(page.objects[0].artists[0] == page.objects[1].artists[0])
    #expect(page.objects[1].milliseconds == 187_500)
    #expect(page.issueCount == 1 && total == 12)
    #expect(try page.metadata("items") == nil)
    try coder.check(Track.self)
    try expectNoVersion(in: store) {
      try coder.decodeArray(Track.self, from: playlist, at: "/items/*/track")
    }
    try expectOwnBodiesChangeNothing(page.objects, coder)
  }
}

@Suite struct `The shape of TMDB` {
  final class Genre: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
  }

  final class Movie: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted(json: "release_date", .date(.date), .emptyAsNil) var released: Date?
    @Persisted(json: "genre_ids", .aliases("genres"), .byKey) var genres: List<Genre>
    @Persisted var runtime: Int?

    override class var listEnvelope: String? { "results" }
  }

  @Test func `a list and a detail have different keys for the genres`() throws {
    let coder = try makeCoder()
    let (list, detail) = (try apiFixture("tmdb-list"), try apiFixture("tmdb-detail"))

    let movies = try coder.decodeArray(Movie.self, from: list)
    let ferry = try coder.decode(Movie.self, from: detail)

    #expect(ferry == movies[0] && ferry.runtime == 139)
    #expect(ferry.genres.map(\.name) == ["Drama", "Thriller"])
    #expect(movies[1].released == nil && movies[1].genres.isEmpty)
    try coder.check(Movie.self)
    try expectNoVersion(in: coder.store) {
      try coder.decodeArray(Movie.self, from: list)
      try coder.decode(Movie.self, from: detail)
    }
    try expectOwnBodiesChangeNothing(movies, coder)
  }
}

@Suite struct `The shape of shops` {
  final class Variant: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.asString(fractionDigits: 2)) var price: Decimal
    @Persisted(json: "compare_at_price", .asString(fractionDigits: 2), .writesNil)
    var oldPrice: Decimal?
  }

  final class Boots: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted var tags = ""
    @Persisted(json: "image.src") var image: URL?
    @Persisted var variants: List<Variant>

    var tagList: [String] { tags.components(separatedBy: ", ").filter { !$0.isEmpty } }

    override class var objectEnvelope: String? { "product" }
    override class var listEnvelope: String? { "products" }
  }

  final class Image: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var src: URL?
  }

  final class Product: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "regular_price", .asString(fractionDigits: 2)) var price: Decimal
    @Persisted(json: "sale_price", .asString(fractionDigits: 2), .emptyAsNil)
    var salePrice: Decimal?
    @Persisted(.asString(fractionDigits: 2), .emptyAsNil) var weight: Decimal?
    @Persisted(.emptyAsNil) var image: Image?
    @Persisted(.emptyAsNil) var attributes: Map<String, String>
    @Persisted(json: "date_created_gmt", .date("yyyy-MM-dd'T'HH:mm:ss")) var created: Date?
  }

  @Test func `prices of Shopify are strings`() throws {
    let coder = try makeCoder()
    let list = try apiFixture("shopify-products")
    let products = try coder.decodeArray(Boots.self, from: list)
    #expect(products[0].variants.map(\.price) == [199, Decimal(string: "179.5")])
    #expect(products[0].tagList == ["outdoor", "rubber"] && products[1].tagList.isEmpty)
    #expect(products.map { $0.image?.path } == ["/boots.png", nil])
    let blue = products[0].variants[1]
    #expect(
      try coder.text(blue) == #"{"id":809,"price":"179.50","compare_at_price":"199.00"}"#)
    try coder.check(Boots.self)
    try expectNoVersion(in: coder.store) { try coder.decodeArray(Boots.self, from: list) }
    try expectOwnBodiesChangeNothing(products, coder)
  }

  @Test func `empty values of WooCommerce are nil`() throws {
    let coder = try makeCoder()
    let list = try apiFixture("woocommerce-products")

    let products = try coder.decodeArray(Product.self, from: list)
    let body = try coder.encode(products[1])

    #expect(products.map(\.salePrice) == [nil, 18] && products.map(\.weight) == [1.2, nil])
    #expect(products[0].image == nil && products[1].image?.id == 12)
    #expect(products[0].attributes.isEmpty && products[1].attributes["size"] == "M")
    #expect(products[0].created == Date(timeIntervalSince1970: 1_704_205_723))
    #expect(
      body.text
        == #"{"id":94,"regular_price":"20.50","sale_price":"18.00","#
        + #""image":{"id":12,"src":"https://img.example/umbrella.png"},"#
        + #""attributes":{"size":"M"},"date_created_gmt":"2024-01-03T15:00:00"}"#)
    try coder.check(Product.self)
    try expectNoVersion(in: coder.store) { try coder.decodeArray(Product.self, from: list) }
    try expectOwnBodiesChangeNothing(products, coder)
  }
}
