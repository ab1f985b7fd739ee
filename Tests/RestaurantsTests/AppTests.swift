import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import restaurants

/// What is in the store after what users and servers do.
@MainActor @Suite struct `The app of the restaurants` {
  private let restaurants: RestaurantsServer
  private let server: LoopbackServer
  private let app: App

  init() throws {
    let restaurants = try RestaurantsServer()
    self.restaurants = restaurants
    server = try LoopbackServer(answer: restaurants.answer)
    app = try App(.inMemory(), server: server.url) { _ in }
  }

  private func restaurant(_ id: Int) throws -> Restaurant {
    try #require(app.store.object(ofType: Restaurant.self, forPrimaryKey: id))
  }

  /// The last body that the server got.
  private func sent() throws -> String {
    String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
  }

  @Test func `a list changes what it names alone`() async throws {
    await app.ask { try await $0.refreshList() }
    #expect(try restaurant(42).menu.isEmpty)
    try await app.client.refreshDetail(of: restaurant(42))
    restaurants.rate(42, 4.7)
    await app.synchronize()
    let leonie = try restaurant(42)
    #expect(leonie.rating == 4.7)
    #expect(leonie.menu.map(\.name) == ["Soupe à l'oignon", "Ratatouille", "Coq au vin"])
    #expect(leonie.openingHours.map(\.day) == ["Tue", "Fri"])
    #expect(app.client.counts.description == "4 new, 2 changed, 3 as before")
  }

  @Test func `an answer that is still right writes nothing`() async throws {
    await app.synchronize()
    let version = app.store.version
    await app.synchronize()
    #expect(app.store.version == version)
    #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, #""0""#])
  }

  @Test func `the server gets what users say, and nothing else`() async throws {
    await app.synchronize()
    try await app.client.refreshDetail(of: restaurant(42))
    try app.edit(restaurant(42)) { $0.stars = 5 }
    try await app.client.upload()
    #expect(
      try sent()
        == #"{"restaurant":{"id":42,"name":"Chez Léonie","cuisine":"French","#
        + #""my_stars":5,"my_note":null}}"#)
    #expect(try restaurant(42).unsentEdits == 0)
  }

  @Test func `links follow from a temporary id to the server's`() async throws {
    let bruna = try app.make(Restaurant.self) {
      $0.name = "Osteria Bruna"
      $0.cuisine = "italian"
    }
    let other = try app.make(Restaurant.self) { $0.name = "Ramen Ya" }
    let review = try app.make(Review.self) { $0.restaurant = other }
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

  @Test func `what is offline is sent later, and shown as what it is`() async throws {
    await app.synchronize()
    server.stop()
    try app.edit(restaurant(61)) { $0.note = "closed in May" }
    await app.synchronize()
    #expect(app.problem == "offline")
    #expect(
      app.list() == [
        "★ 4.6  Chez Léonie       French", "★ 4.8  Sakura            Japanese",
        "★ 3.9  Taco Norte        Mexican",
        "★ 4.2  The Green Fork    Vegan  ↑ to upload", "4 restaurants, offline",
      ])
    let next = try LoopbackServer(port: server.port, answer: restaurants.answer)
    await app.synchronize()
    #expect(app.problem == nil)
    #expect(try restaurant(61).unsentEdits == 0)
    #expect(try restaurant(61).note == "closed in May")
    #expect(next.requests.map(\.method) == [.put, .get])
  }

  @Test func `what is refused is kept, and not sent before it is edited again`() async throws {
    await app.synchronize()
    let taco = try restaurant(57)
    try app.edit(taco) { $0.stars = 3 }
    try await app.client.upload()
    try app.edit(taco) { $0.stars = 9 }
    for _ in 1...2 { try await app.client.upload() }
    #expect(server.requests.count { $0.method == .put } == 2)
    #expect(taco.refusal == "one to five stars, not 9")
    #expect(taco.stars == 9 && taco.unsentEdits == 1)
    // Nor does the server's version take its place; what the user did not edit comes.
    try await app.client.refreshDetail(of: taco)
    #expect(taco.stars == 9 && taco.unsentEdits == 1)
    #expect(taco.menu.map(\.name) == ["Tacos al pastor"])
    try app.edit(taco) { $0.stars = 4 }
    try await app.client.upload()
    #expect(taco.refusal == nil && taco.unsentEdits == 0 && taco.stars == 4)
  }

  @Test(arguments: ["list", "detail"])
  func `no answer undoes an edit that the server has not got`(answer: String) async throws {
    await app.synchronize()
    let leonie = try restaurant(42)
    try app.edit(leonie) { $0.stars = 5 }
    try await app.client.upload()
    try app.edit(leonie) {
      $0.cuisine = "Breton"
      $0.stars = nil
    }
    restaurants.rate(42, 1.5)
    await app.ask {
      answer == "list" ? try await $0.refreshList() : try await $0.refreshDetail(of: leonie)
    }
    #expect(leonie.cuisine == "Breton" && leonie.stars == nil && leonie.unsentEdits == 1)
    #expect(leonie.rating == 1.5)
    try await app.client.upload()
    #expect(
      try sent()
        == #"{"restaurant":{"id":42,"name":"Chez Léonie","cuisine":"Breton","#
        + #""my_stars":null,"my_note":null}}"#)
    try await app.client.refreshDetail(of: leonie)
    #expect(leonie.cuisine == "Breton" && leonie.stars == nil && leonie.unsentEdits == 0)
  }

  /// Whether the server takes the first of them or refuses it.
  @Test(arguments: [3, 9])
  func `what is edited while it is sent stays, and is sent again`(first: Int) async throws {
    let isEdited = DispatchSemaphore(value: 0)
    let restaurants = restaurants
    let slow = try LoopbackServer { request in
      if request.method == .put { isEdited.wait() }
      return restaurants.answer(request)
    }
    let app = try App(.inMemory(), server: slow.url) { _ in }
    await app.synchronize()
    app.open(42)
    let leonie = try #require(app.opened)
    try app.edit(leonie) { $0.stars = first }
    async let upload: Void = app.client.upload()
    await waitUntil { slow.requests.last?.method == .put }
    try app.edit(leonie) { $0.stars = 5 }
    isEdited.signal()
    try await upload
    #expect(leonie.stars == 5 && leonie.unsentEdits == (first == 3 ? 1 : 2))
    #expect(leonie.refusal == nil)
    isEdited.signal()
    try await app.client.upload()
    #expect(leonie.stars == 5 && leonie.unsentEdits == 0)
  }

  @Test func `an answer of an unknown kind is told`() async throws {
    let broken = try LoopbackServer { _ in NetworkResponse(status: 500) }
    let app = try App(.inMemory(), server: broken.url) { _ in }
    await app.synchronize()
    #expect(app.problem == "the server answers 500")
    #expect(app.list() == ["0 restaurants, the server answers 500"])
  }
}

/// How the classes' JSON fits the server's.
@Suite struct `The mapping of the restaurants` {
  private let mapping = MappingTest(Restaurant.self)

  private func answer(_ path: String) throws -> Data {
    let url = try #require(URL(string: "/api/\(path)"))
    return try RestaurantsServer().answer(NetworkRequest(.get, url)).body
  }

  @Test func `the declarations are sound`() throws {
    try mapping.check()
    try MappingTest(Review.self).check()
  }

  @Test func `the list is sound`() throws {
    #expect(try mapping.expectSound(list: answer("restaurants")) == 4)
  }

  @Test func `all of a detail is mapped`() throws {
    try mapping.expectUpdate(
      from: answer("restaurants/57"),
      is: [
        "id": 57, "name": "Taco Norte", "cuisine": "Mexican", "rating": 3.9,
        "about": "Three tables and a grill.",
        "menu": [["id": 5701, "name": "Tacos al pastor", "price": .decimal(9.5)]],
      ])
  }
}
