import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import StoreCoding
import StoreTesting
import TestSupport
import Testing

@testable import restaurants

/// The contents of the store after actions of users and servers.
@MainActor @Suite struct `The restaurants app` {
  private let restaurants: RestaurantsServer
  private let server: LoopbackServer
  private let app: App

  init() throws {
    let restaurants = try RestaurantsServer()
    self.restaurants = restaurants
    server = try LoopbackServer(handler: restaurants.respond)
    app = try App(.inMemory(), server: server.url) { _ in }
  }

  private func restaurant(_ id: Int) throws -> Restaurant {
    try #require(app.store.object(ofType: Restaurant.self, forPrimaryKey: id))
  }

  /// The last body that the server received.
  private func sent() throws -> String {
    String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
  }

  @Test func `a list changes only the attributes that it contains`() async throws {
    await app.perform { try await $0.refreshList() }
    #expect(try restaurant(42).menu.isEmpty)
    try await app.client.refreshDetail(of: restaurant(42))
    restaurants.rate(42, 4.7)
    await app.synchronize()
    let leonie = try restaurant(42)
    #expect(leonie.rating == 4.7)
    #expect(leonie.menu.map(\.name) == ["Soupe à l'oignon", "Ratatouille", "Coq au vin"])
    #expect(leonie.openingHours.map(\.day) == ["Tue", "Fri"])
    #expect(app.client.counts.description == "4 new, 2 changed, 3 unchanged")
  }

  @Test func `an unchanged response writes nothing`() async throws {
    await app.synchronize()
    let version = app.store.version
    await app.synchronize()
    #expect(app.store.version == version)
    #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, #""0""#])
  }

  @Test func `an upload sends only the edited attributes`() async throws {
    await app.synchronize()
    let leonie = try restaurant(42)
    try await app.client.refreshDetail(of: leonie)
    // The second assignment changes nothing, so it is not an edit.
    try app.edit(leonie, [\.stars <- 5, \.name <- "Chez Léonie"])
    try await app.client.upload()
    #expect(try sent() == #"{"restaurant":{"id":42,"my_stars":5}}"#)
    #expect(leonie.edits.isEmpty)
  }

  @Test func `links follow an object from its temporary id to the server's id`() async throws {
    let bruna = try app.create(
      Restaurant.self, [\.name <- "Osteria Bruna", \.cuisine <- "italian"])
    let other = try app.create(Restaurant.self, [\.name <- "Ramen Ya"])
    let review = try app.create(Review.self, [\.restaurant <- other])
    #expect(bruna.id == -1 && other.id == -2 && review.id == -1)
    await app.synchronize()
    #expect(bruna.id == 71 && other.id == 72 && review.id == 73)
    #expect(review.restaurant?.name == "Ramen Ya" && other.reviews.map(\.id) == [73])
    #expect(bruna.cuisine == "Italian")
    #expect(
      server.requests.map { "\($0.method.rawValue) \($0.url.path)" } == [
        "POST /api/restaurants", "POST /api/restaurants", "POST /api/restaurants/72/reviews",
        "GET /api/restaurants",
      ])
    #expect(app.problem == nil)
  }

  @Test func `offline edits are shown as pending and uploaded later`() async throws {
    await app.synchronize()
    server.stop()
    try app.edit(restaurant(61), [\.note <- "closed in May"])
    await app.synchronize()
    #expect(app.problem == "offline")
    #expect(
      app.list() == [
        "★ 4.6  Chez Léonie       French", "★ 4.8  Sakura            Japanese",
        "★ 3.9  Taco Norte        Mexican",
        "★ 4.2  The Green Fork    Vegan  ↑ to upload", "4 restaurants, offline",
      ])
    let next = try LoopbackServer(port: server.port, handler: restaurants.respond)
    await app.synchronize()
    #expect(app.problem == nil)
    #expect(try restaurant(61).edits.isEmpty)
    #expect(try restaurant(61).note == "closed in May")
    #expect(next.requests.map(\.method) == [.patch, .get])
  }

  @Test func `a refused edit is kept but is sent again only after a further edit`() async throws {
    await app.synchronize()
    let taco = try restaurant(57)
    try app.edit(taco, [\.stars <- 3])
    try await app.client.upload()
    try app.edit(taco, [\.stars <- 9])
    for _ in 1...2 { try await app.client.upload() }
    #expect(server.requests.count { $0.method == .patch } == 2)
    #expect(taco.refusal == "one to five stars, not 9")
    #expect(taco.stars == 9 && taco.edits.dictionary == ["stars": 1])
    // A refresh keeps the refused edit, and updates the other attributes.
    try await app.client.refreshDetail(of: taco)
    #expect(taco.stars == 9 && taco.edits.dictionary == ["stars": 1])
    #expect(taco.menu.map(\.name) == ["Tacos al pastor"])
    try app.edit(taco, [\.stars <- 4])
    try await app.client.upload()
    #expect(taco.refusal == nil && taco.edits.isEmpty && taco.stars == 4)
  }

  @Test(arguments: ["list", "detail"])
  func `a response does not undo an edit that is not uploaded yet`(response: String) async throws {
    await app.synchronize()
    let leonie = try restaurant(42)
    try app.edit(leonie, [\.stars <- 5])
    try await app.client.upload()
    try app.edit(leonie, [\.cuisine <- "Breton", \.stars <- nil])
    restaurants.rate(42, 1.5)
    await app.perform {
      response == "list" ? try await $0.refreshList() : try await $0.refreshDetail(of: leonie)
    }
    #expect(leonie.cuisine == "Breton" && leonie.stars == nil && leonie.edits.count == 2)
    #expect(leonie.rating == 1.5)
    try await app.client.upload()
    #expect(try sent() == #"{"restaurant":{"id":42,"cuisine":"Breton","my_stars":null}}"#)
    try await app.client.refreshDetail(of: leonie)
    #expect(leonie.cuisine == "Breton" && leonie.stars == nil && leonie.edits.isEmpty)
  }

  /// The server accepts a first value of 3 and refuses one of 9.
  @Test(arguments: [3, 9])
  func `an edit made during an upload is kept and sent with the next upload`(first: Int)
    async throws
  {
    let isEdited = DispatchSemaphore(value: 0)
    let restaurants = restaurants
    let slow = try LoopbackServer { request in
      if request.method == .patch { isEdited.wait() }
      return restaurants.respond(to: request)
    }
    let app = try App(.inMemory(), server: slow.url) { _ in }
    await app.synchronize()
    app.open(42)
    let leonie = try #require(app.opened)
    try app.edit(leonie, [\.stars <- first])
    async let upload: Void = app.client.upload()
    await waitUntil { slow.requests.last?.method == .patch }
    try app.edit(leonie, [\.stars <- 5])
    isEdited.signal()
    try await upload
    #expect(leonie.stars == 5 && leonie.edits.dictionary == ["stars": 2])
    #expect(leonie.refusal == nil)
    isEdited.signal()
    try await app.client.upload()
    #expect(leonie.stars == 5 && leonie.edits.isEmpty)
  }

  @Test func `a list that is loaded during the upload of a new object leaves no duplicate`()
    async throws
  {
    let isLoaded = DispatchSemaphore(value: 0)
    let restaurants = restaurants
    let slow = try LoopbackServer { request in
      let response = restaurants.respond(to: request)
      if request.method == .post { isLoaded.wait() }
      return response
    }
    let app = try App(.inMemory(), server: slow.url) { _ in }
    await app.synchronize()
    let new = try app.create(Restaurant.self, [\.name <- "Osteria Bruna"])
    async let upload: Void = app.client.upload()
    await waitUntil { slow.requests.last?.method == .post }
    let list = restaurants.respond(
      to:
        NetworkRequest(.get, server.url.appending(path: "restaurants")))
    try StoreCoder(store: app.store).decodeArray(Restaurant.self, from: list.body)
    #expect(app.store.objects(Restaurant.self).where { $0.name == "Osteria Bruna" }.count == 2)
    isLoaded.signal()
    try await upload
    #expect(new.id == 71 && new.edits.isEmpty)
    #expect(app.store.objects(Restaurant.self).where { $0.name == "Osteria Bruna" }.count == 1)
  }

  @Test func `an uploaded review can be edited`() async throws {
    await app.synchronize()
    let leonie = try restaurant(42)
    let review = try app.create(Review.self, [\.restaurant <- leonie, \.text <- "good"])
    await app.synchronize()
    try app.edit(review, [\.text <- "very good"])
    await app.synchronize()
    #expect(review.text == "very good" && review.edits.isEmpty && review.refusal == nil)
    #expect(review.restaurant?.id == 42)
  }

  /// Tests the upload after a refresh and without one.
  @Test(arguments: [true, false])
  func `an offline edit and another user's edit of the same object both survive`(
    isRefreshedFirst: Bool
  ) async throws {
    await app.synchronize()
    let taco = try restaurant(57)
    try app.edit(taco, [\.stars <- 5])
    restaurants.rename(57, "Taco Sur")
    if isRefreshedFirst {
      try await app.client.refreshList()
      #expect(taco.name == "Taco Sur" && taco.stars == 5)
    }
    try await app.client.upload()
    #expect(try sent() == #"{"restaurant":{"id":57,"my_stars":5}}"#)
    #expect(taco.name == "Taco Sur" && taco.stars == 5 && taco.edits.isEmpty)
    // The server has both, too.
    let other = try App(.inMemory(), server: server.url) { _ in }
    await other.synchronize()
    other.open(57)
    try await other.client.refreshDetail(of: #require(other.opened))
    #expect(other.opened?.name == "Taco Sur" && other.opened?.stars == 5)
  }

  @Test func `an edit of an object that the server deleted does not block other edits`()
    async throws
  {
    await app.synchronize()
    let taco = try restaurant(57)
    try app.edit(taco, [\.stars <- 5])
    let review = try app.create(Review.self, [\.restaurant <- taco, \.text <- "closed?"])
    let bruna = try app.create(Restaurant.self, [\.name <- "Osteria Bruna"])
    restaurants.close(57)
    await app.synchronize()
    #expect(bruna.id == 71 && app.problem == nil)
    #expect(taco.stars == 5 && taco.refusal == "the server responded with status 404")
    #expect(review.id == -1 && review.refusal == "the server responded with status 404")
    // Refused edits are not sent again.
    let requestCount = server.requests.count
    try await app.client.upload()
    #expect(server.requests.count == requestCount)
  }

  @Test(arguments: [401, 408, 429, 503])
  func `a status that concerns all objects stops the upload without refusing an edit`(status: Int)
    async throws
  {
    let busy = try LoopbackServer { _ in NetworkResponse(status: status) }
    let app = try App(.inMemory(), server: busy.url) { _ in }
    let new = try app.create(Restaurant.self, [\.name <- "Osteria Bruna"])
    _ = try app.create(Restaurant.self, [\.name <- "Ramen Ya"])
    await app.synchronize()
    #expect(app.problem == "the server responded with status \(status)")
    #expect(busy.requests.count == 1)
    #expect(new.refusal == nil && new.edits.dictionary == ["name": 1])
  }

  @Test func `a new object is sent completely even if it has only default values`() async throws {
    _ = try app.create(Restaurant.self, [])
    try await app.client.upload()
    #expect(
      try sent()
        == #"{"restaurant":{"id":-1,"name":"","cuisine":""}}"#)
  }

  @Test func `an unexpected status is shown as the problem`() async throws {
    let broken = try LoopbackServer { _ in NetworkResponse(status: 500) }
    let app = try App(.inMemory(), server: broken.url) { _ in }
    await app.synchronize()
    #expect(app.problem == "the server responded with status 500")
    #expect(app.list() == ["0 restaurants, the server responded with status 500"])
  }
}

/// The decoding of the server's JSON by the declarations of the classes.
@Suite struct `The mapping of the restaurants app` {
  private let mapping = MappingTest(Restaurant.self)

  private func response(_ path: String) throws -> Data {
    let url = try #require(URL(string: "/api/\(path)"))
    return try RestaurantsServer().respond(to: NetworkRequest(.get, url)).body
  }

  @Test func `the declarations of the restaurants app are valid`() throws {
    try mapping.check()
    try MappingTest(Review.self).check()
  }

  @Test func `the list of restaurants is decoded without issues`() throws {
    #expect(try mapping.expectSound(list: response("restaurants")) == 4)
  }

  @Test func `all attributes of a detail are decoded`() throws {
    try mapping.expectUpdate(
      from: response("restaurants/57"),
      is: [
        "id": 57, "name": "Taco Norte", "cuisine": "Mexican", "rating": 3.9,
        "about": "Three tables and a grill.",
        "menu": [["id": 5701, "name": "Tacos al pastor", "price": .decimal(9.5)]],
      ])
  }
}
