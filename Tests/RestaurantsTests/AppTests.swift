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
  private let restaurants = ResourceServer.restaurants()
  private let server: LoopbackServer
  private let app: App

  init() throws {
    server = try restaurants.listen()
    app = try App(.inMemory(), server: server.url) { _ in }
  }

  private func restaurant(_ id: Int, in app: App? = nil) throws -> Restaurant {
    try #require((app ?? self.app).store.object(ofType: Restaurant.self, forPrimaryKey: id))
  }

  private func createBruna(stars: Int? = nil) throws -> Restaurant {
    try app.create(Restaurant.self) {
      $0.name = "Osteria Bruna"
      $0.stars = stars
    }
  }

  /// Another app with a store of its own, which has loaded the lists.
  private func otherDevice() async throws -> App {
    let other = try App(.inMemory(), server: server.url) { _ in }
    await other.synchronize()
    return other
  }

  /// The methods and paths of the requests that can change something on the server.
  private func uploads(_ server: LoopbackServer? = nil) -> [String] {
    (server ?? self.server).requests.filter { $0.method != .get }.map {
      "\($0.method.rawValue) \($0.url.path)"
    }
  }

  /// The last body that the server received.
  private func sent() throws -> String {
    String(decoding: try #require(server.requests.last { $0.body != nil }?.body), as: UTF8.self)
  }

  // MARK: - Downloads

  @Test func `a list changes only the attributes that it contains`() async throws {
    await app.synchronize()
    #expect(try restaurant(42).menu.isEmpty)
    try await app.client.refreshDetail(of: restaurant(42))
    restaurants.change(42, ["rating": 4.7])
    await app.synchronize()
    let leonie = try restaurant(42)
    #expect(leonie.rating == 4.7)
    #expect(leonie.menu.map(\.name) == ["Soupe à l'oignon", "Ratatouille", "Coq au vin"])
    #expect(leonie.openingHours.map(\.day) == ["Tue", "Fri"])
  }

  @Test func `unchanged responses write nothing`() async throws {
    await app.synchronize()
    let version = app.store.version
    await app.synchronize()
    #expect(app.store.version == version)
    #expect(
      server.requests.map { $0.headers["If-None-Match"] } == [nil, nil, #""4""#, #""0""#])
  }

  @Test func `a refresh deletes what the server deleted, except objects with edits`() async throws {
    await app.synchronize()
    let taco = try restaurant(57)
    let fork = try restaurant(61)
    try app.store.update(taco, \.stars <- 5)
    restaurants.remove(57, from: "restaurants")
    restaurants.remove(61, from: "restaurants")
    try await app.client.refreshLists()
    #expect(fork.isInvalidated)
    #expect(taco.stars == 5)
    // The object is deleted once it has no edits, although the list has not changed since.
    try app.store.revertEdits(of: taco)
    try await app.client.refreshLists()
    #expect(taco.isInvalidated)
  }

  @Test func `a refresh deletes the last review if it was deleted on another device`() async throws
  {
    let review = try app.create(Review.self) { $0.text = "good" }
    await app.synchronize()
    restaurants.remove(1, from: "reviews")
    await app.synchronize()
    #expect(app.problem == nil)
    #expect(review.isInvalidated)
  }

  @Test func `a detail that the server does not have is shown as the problem`() async throws {
    await app.synchronize()
    let taco = try restaurant(57)
    restaurants.remove(57, from: "restaurants")
    await app.perform { try await $0.refreshDetail(of: taco) }
    #expect(app.problem == "the server responded with status 410")
  }

  // MARK: - Edits

  @Test func `an upload sends only the edited attributes`() async throws {
    await app.synchronize()
    let leonie = try restaurant(42)
    // The second assignment changes nothing, so it is not an edit.
    try app.store.update(leonie, \.stars <- 5, \.name <- "Chez Léonie")
    try await app.client.upload()
    #expect(
      try sent()
        == #"[{"op":"test","path":"/my_stars","value":null},{"op":"add","path":"/my_stars","value":5}]"#
    )
    #expect(leonie.editState == .clean)
  }

  @Test func `an edit that is undone before the upload is not sent`() async throws {
    await app.synchronize()
    try app.store.update(restaurant(42), \.stars <- 5)
    try app.store.update(restaurant(42), \.stars <- nil)
    await app.synchronize()
    #expect(uploads().isEmpty)
  }

  @Test(arguments: ["list", "detail"])
  func `a response does not undo an edit that is not uploaded yet`(response: String) async throws {
    await app.synchronize()
    let leonie = try restaurant(42)
    try app.store.update(leonie, \.cuisine <- "Breton", \.note <- "by the window")
    restaurants.change(42, ["rating": 1.5])
    await app.perform {
      response == "list" ? try await $0.refreshLists() : try await $0.refreshDetail(of: leonie)
    }
    #expect(leonie.cuisine == "Breton" && leonie.note == "by the window" && leonie.rating == 1.5)
    #expect(leonie.editedAttributes == ["cuisine", "note"])
    await app.synchronize()
    #expect(leonie.cuisine == "Breton" && leonie.note == "by the window")
    #expect(leonie.editState == .clean)
  }

  @Test func `offline edits are shown as pending and uploaded later`() async throws {
    await app.synchronize()
    server.stop()
    try app.store.update(restaurant(61), \.note <- "closed in May")
    await app.synchronize()
    #expect(app.problem == "offline")
    #expect(
      app.list() == [
        "★ 4.6  Chez Léonie       French", "★ 4.8  Sakura            Japanese",
        "★ 3.9  Taco Norte        Mexican",
        "★ 4.2  The Green Fork    Vegan  ↑ to upload", "4 restaurants, offline",
      ])
    let next = try restaurants.listen(port: server.port)
    await app.synchronize()
    #expect(app.problem == nil)
    #expect(try restaurant(61).editState == .clean)
    #expect(try restaurant(61).note == "closed in May")
    #expect(uploads(next) == ["PATCH /api/restaurants/61"])
  }

  @Test func `edits of all kinds survive a restart of the app`() async throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.restaurants(in: folder.file("restaurants"))
    func change() async throws {
      let app = try App(configuration, server: server.url) { _ in }
      await app.synchronize()
      try app.store.update(restaurant(42, in: app), \.stars <- 5)
      try app.store.update(restaurant(57, in: app), \.stars <- 9)
      await app.synchronize()
      server.stop()
      try app.store.update(restaurant(42, in: app), \.stars <- nil)
      let ramen = try app.create(Restaurant.self) { $0.name = "Ramen Ya" }
      _ = try app.create(Review.self) { $0.restaurant = ramen }
      try app.store.write { try app.store.delete(restaurant(61, in: app)) }
    }
    try await change()
    let next = try restaurants.listen(port: server.port)
    let app = try App(configuration, server: next.url) { _ in }
    #expect(
      try app.store.pendingEdits().map { "\($0.kind) \($0.className) \($0.key)" } == [
        "edited Restaurant 57", "edited Restaurant 42", "created Restaurant -1",
        "created Review -2", "deleted Restaurant 61",
      ])
    #expect(try restaurant(57, in: app).rejection?.description == "stars: one to five, not 9")
    await app.synchronize()
    #expect(
      uploads(next) == [
        "PATCH /api/restaurants/42", "POST /api/restaurants", "POST /api/reviews",
        "DELETE /api/restaurants/61",
      ])
    #expect(app.store.objects(Restaurant.self).map(\.id).sorted() == [42, 57, 70, 71])
  }

  /// The server accepts a first value of 3 and rejects one of 9.
  @Test(arguments: [3, 9])
  func `an edit made during an upload is sent, even if the former one was rejected`(first: Int)
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
    let leonie = try restaurant(42, in: app)
    try app.store.update(leonie, \.stars <- first)
    async let upload: Void = app.client.upload()
    await waitUntil { slow.requests.last?.method == .patch }
    try app.store.update(leonie, \.stars <- 5)
    isEdited.signal()
    isEdited.signal()
    try await upload
    #expect(leonie.stars == 5)
    // An upload sends an object that was rejected only once.
    if first == 9 { try await app.client.upload() }
    #expect(leonie.editState == .clean)
    #expect(restaurants.resources["restaurants"]?[42]?["my_stars"] == 5)
  }

  @Test func `two uploads at the same time send an edit once`() async throws {
    await app.synchronize()
    try app.store.update(restaurant(42), \.stars <- 5)
    async let first: Void = app.client.upload()
    async let second: Void = app.client.upload()
    _ = try await (first, second)
    #expect(uploads() == ["PATCH /api/restaurants/42"])
    #expect(try restaurant(42).editState == .clean)
  }

  // MARK: - Rejections

  @Test func `a rejected edit is kept but is sent again only after a further edit`() async throws {
    await app.synchronize()
    let taco = try restaurant(57)
    try app.store.update(taco, \.stars <- 9)
    for _ in 1...2 { try await app.client.upload() }
    #expect(uploads().count == 1)
    #expect(taco.rejection?[\Restaurant.stars] == ["one to five, not 9"])
    // A refresh keeps the rejected edit, and updates the other attributes.
    try await app.client.refreshDetail(of: taco)
    #expect(taco.stars == 9 && taco.editState == .rejected)
    #expect(taco.menu.map(\.name) == ["Tacos al pastor"])
    try app.store.update(taco, \.stars <- 4)
    try await app.client.upload()
    #expect(taco.editState == .clean && taco.rejection == nil && taco.stars == 4)
  }

  @Test func `reverting a rejected edit restores the server's value`() async throws {
    restaurants.change(57, ["my_stars": 3])
    await app.synchronize()
    let taco = try restaurant(57)
    try app.store.update(taco, \.stars <- 9)
    await app.synchronize()
    try app.store.revertEdits(of: taco)
    #expect(taco.stars == 3 && taco.editState == .clean)
  }

  @Test func `a rejection without messages has the status as its reason`() async throws {
    let strict = try LoopbackServer { _ in NetworkResponse(status: 403) }
    let app = try App(.inMemory(), server: strict.url) { _ in }
    let new = try app.create(Restaurant.self) { _ in }
    try await app.client.upload()
    #expect(new.rejection?.description == "the server responded with status 403")
  }

  @Test(arguments: [401, 408, 429, 503])
  func `a status that concerns all objects stops the upload without rejecting an edit`(
    status: Int
  ) async throws {
    let busy = try LoopbackServer { _ in NetworkResponse(status: status) }
    let app = try App(.inMemory(), server: busy.url) { _ in }
    let new = try app.create(Restaurant.self) { $0.name = "Osteria Bruna" }
    _ = try app.create(Restaurant.self) { $0.name = "Ramen Ya" }
    await app.synchronize()
    #expect(app.problem == "the server responded with status \(status)")
    #expect(busy.requests.count == 1)
    #expect(new.editState == .created)
  }

  @Test func `an unexpected status is shown as the problem`() async throws {
    let broken = try LoopbackServer { _ in NetworkResponse(status: 500) }
    let app = try App(.inMemory(), server: broken.url) { _ in }
    await app.synchronize()
    #expect(app.problem == "the server responded with status 500")
    #expect(app.list() == ["0 restaurants, the server responded with status 500"])
  }

  // MARK: - New objects

  @Test func `links follow an object from its temporary id to the server's id`() async throws {
    let bruna = try createBruna()
    let other = try app.create(Restaurant.self) { $0.name = "Ramen Ya" }
    let review = try app.create(Review.self) { $0.restaurant = other }
    #expect(bruna.id == -1 && other.id == -2 && review.id == -3)
    await app.synchronize()
    #expect(bruna.id == 71 && other.id == 72 && review.id == 1)
    #expect(review.restaurant?.name == "Ramen Ya" && other.reviews.map(\.id) == [1])
    #expect(restaurants.resources["reviews"]?[1]?["restaurant"] == 72)
    #expect(
      uploads() == ["POST /api/restaurants", "POST /api/restaurants", "POST /api/reviews"])
    #expect(app.problem == nil)
  }

  @Test func `a review waits until its restaurant has an id`() async throws {
    let bruna = try createBruna(stars: 9)
    let review = try app.create(Review.self) { $0.restaurant = bruna }
    await app.synchronize()
    #expect(uploads() == ["POST /api/restaurants"])
    #expect(bruna.editState == .rejected && review.editState == .created)
    try app.store.update(bruna, \.stars <- 4)
    await app.synchronize()
    #expect(bruna.id == 71 && review.id == 1 && review.editState == .clean)
  }

  @Test func `a new object is sent completely even if it has only default values`() async throws {
    _ = try app.create(Restaurant.self) { _ in }
    try await app.client.upload()
    #expect(try sent() == #"{"name":"","cuisine":"","my_stars":null,"my_note":null}"#)
  }

  @Test func `an uploaded review can be edited`() async throws {
    await app.synchronize()
    let leonie = try restaurant(42)
    let review = try app.create(Review.self) { $0.restaurant = leonie }
    await app.synchronize()
    try app.store.update(review, \.text <- "very good")
    await app.synchronize()
    #expect(review.text == "very good" && review.editState == .clean)
    #expect(review.restaurant?.id == 42)
    let other = try await otherDevice()
    #expect(try restaurant(42, in: other).reviews.map(\.text) == ["very good"])
  }

  @Test func `a PUT of a review of which the list had a summary erases nothing`() async throws {
    restaurants.set(
      ["text": "good", "restaurant": 42, "visited": "2026-11-21", "photos": [1, 2.50]], id: 5,
      in: "reviews")
    await app.synchronize()
    let review = try #require(try restaurant(42).reviews.first)
    #expect(review.unknownAttributes == ["visited"])
    try app.store.update(review, \.text <- "very good")
    await app.synchronize()
    #expect(
      restaurants.resources["reviews"]?[5]
        == [
          "id": 5, "text": "very good", "restaurant": 42, "visited": "2026-11-21",
          "photos": [1, 2.50],
        ])
    #expect(review.isWhole && review.visited == "2026-11-21" && review.editState == .clean)
    try app.store.update(review, \.text <- "excellent")
    await app.synchronize()
    #expect(uploads() == ["PUT /api/reviews/5", "PUT /api/reviews/5"])
    let puts = server.requests.filter { $0.method == .put }
    #expect(puts.allSatisfy { $0.headers["If-Match"] != nil })
  }

  @Test func `a review that changes before its PUT is loaded again by the next upload`()
    async throws
  {
    let restaurants = restaurants
    func review(_ visited: JSONValue) -> JSONObject {
      ["text": "good", "restaurant": 42, "visited": visited]
    }
    restaurants.set(review("Mon"), id: 5, in: "reviews")
    let later = review("Tue")
    let server = try LoopbackServer { request in
      let isFirst = restaurants.resources["reviews"]?[5]?["visited"] == "Mon"
      if request.method == .put, isFirst { restaurants.set(later, id: 5, in: "reviews") }
      return restaurants.respond(to: request)
    }
    let app = try App(.inMemory(), server: server.url) { _ in }
    await app.synchronize()
    let stored = try #require(try restaurant(42, in: app).reviews.first)
    try app.store.update(stored, \.text <- "very good")
    try await app.client.upload()
    #expect(stored.editState == .edited && stored.visited == "Mon")
    try await app.client.upload()
    #expect(stored.editState == .clean && stored.visited == "Tue")
    #expect(restaurants.resources["reviews"]?[5]?["text"] == "very good")
  }

  @Test func `a review that another device changed is a conflict before its PUT`() async throws {
    restaurants.set(["text": "good", "restaurant": 42], id: 5, in: "reviews")
    await app.synchronize()
    let review = try #require(try restaurant(42).reviews.first)
    try app.store.update(review, \.text <- "very good")
    restaurants.set(["text": "bad", "restaurant": 42], id: 5, in: "reviews")
    try await app.client.upload()
    #expect(uploads().isEmpty && review.text == "very good")
    #expect(review.rejection?.description == #"changed on another device: text "bad""#)
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
    _ = try app.create(Restaurant.self) { $0.name = "Osteria Bruna" }
    async let upload: Void = app.client.upload()
    await waitUntil { slow.requests.last?.method == .post }
    try await app.client.refreshLists()
    let both = app.store.objects(Restaurant.self).where { $0.name == "Osteria Bruna" }
    #expect(both.count == 2)
    isLoaded.signal()
    try await upload
    #expect(both.map(\.id) == [71])
    #expect(try app.store.pendingEdits().isEmpty)
  }

  @Test func `a new object that is deleted during its upload is deleted on the server`()
    async throws
  {
    let isDeleted = DispatchSemaphore(value: 0)
    let restaurants = restaurants
    let slow = try LoopbackServer { request in
      let response = restaurants.respond(to: request)
      if request.method == .post, response?.status == 201 { isDeleted.wait() }
      return response
    }
    let app = try App(.inMemory(), server: slow.url) { _ in }
    let new = try app.create(Restaurant.self) { $0.name = "Osteria Bruna" }
    async let upload: Void = app.client.upload()
    await waitUntil { slow.requests.last?.method == .post }
    try app.store.write { app.store.delete(new) }
    let next = try app.create(Restaurant.self) { $0.name = "Ramen Ya" }
    #expect(next.id == -2)
    isDeleted.signal()
    isDeleted.signal()
    try await upload
    #expect(app.store.objects(Restaurant.self).map(\.name) == ["Ramen Ya"])
    #expect(restaurants.resources["restaurants"]?[71] == nil)
    #expect(try app.store.pendingEdits().isEmpty)
  }

  // MARK: - Deletions

  @Test func `an object that is deleted offline is not restored by a refresh`() async throws {
    await app.synchronize()
    let fork = try restaurant(61)
    try app.store.write { app.store.delete(fork) }
    restaurants.change(61, ["rating": 4.9])
    try await app.client.refreshLists()
    #expect(app.store.objects(Restaurant.self).count == 3)
    await app.synchronize()
    #expect(restaurants.resources["restaurants"]?[61] == nil)
    #expect(try app.store.pendingEdits().isEmpty)
  }

  @Test func `a deletion of an object that the server deleted is complete`() async throws {
    await app.synchronize()
    try app.store.write { try app.store.delete(restaurant(61)) }
    restaurants.remove(61, from: "restaurants")
    await app.synchronize()
    #expect(app.problem == nil)
    #expect(try app.store.pendingEdits().isEmpty)
  }

  @Test(arguments: [403, 409])
  func `a deletion that the server rejects is undone`(status: Int) async throws {
    let restaurants = restaurants
    let strict = try LoopbackServer { request in
      request.method == .delete
        ? NetworkResponse(status: status) : restaurants.respond(to: request)
    }
    let app = try App(.inMemory(), server: strict.url) { _ in }
    await app.synchronize()
    try app.store.write { try app.store.delete(restaurant(61, in: app)) }
    await app.synchronize()
    #expect(try restaurant(61, in: app).editState == .clean)
    #expect(app.problem == nil)
  }

  @Test func `an edit of an object that the server deleted stays, and others are sent`()
    async throws
  {
    await app.synchronize()
    let taco = try restaurant(57)
    try app.store.update(taco, \.stars <- 5)
    let bruna = try createBruna()
    restaurants.remove(57, from: "restaurants")
    await app.synchronize()
    #expect(bruna.id == 71 && app.problem == nil)
    #expect(taco.stars == 5 && taco.rejection?.isGone == true)
    try app.store.revertEdits(of: taco)
    #expect(try taco.isInvalidated && app.store.pendingEdits().isEmpty)
  }

  // MARK: - Two devices

  /// Tests the upload after a refresh and without one.
  @Test(arguments: [true, false])
  func `edits of different attributes on two devices both survive`(isRefreshedFirst: Bool)
    async throws
  {
    let other = try await otherDevice()
    await app.synchronize()
    let taco = try restaurant(57)
    try app.store.update(taco, \.stars <- 5)
    try other.store.update(restaurant(57, in: other), \.name <- "Taco Sur")
    await other.synchronize()
    if isRefreshedFirst {
      try await app.client.refreshLists()
      #expect(taco.name == "Taco Sur" && taco.stars == 5)
    }
    await app.synchronize()
    await other.synchronize()
    for device in [app, other] {
      let taco = try restaurant(57, in: device)
      #expect(taco.name == "Taco Sur" && taco.stars == 5 && taco.editState == .clean)
    }
  }

  /// The conflict is detected by the server, or by a refresh before the upload.
  @Test(arguments: [true, false])
  func `edits of the same attribute on two devices are a conflict that the user sees`(
    isRefreshedFirst: Bool
  ) async throws {
    let other = try await otherDevice()
    await app.synchronize()
    let taco = try restaurant(57)
    try app.store.update(taco, \.note <- "mine")
    try other.store.update(restaurant(57, in: other), \.note <- "theirs")
    await other.synchronize()
    if isRefreshedFirst { try await app.client.refreshLists() }
    await app.synchronize()
    #expect(taco.note == "mine")
    #expect(taco.rejection?.description == #"changed on another device: note "theirs""#)
    #expect(uploads().count == (isRefreshedFirst ? 1 : 2))
    #expect(restaurants.resources["restaurants"]?[57]?["my_note"] == "theirs")
  }

  @Test(arguments: ["mine", nil])
  func `a cleared attribute conflicts with an edit on another device`(note: String?) async throws {
    restaurants.change(57, ["my_note": "before"])
    let other = try await otherDevice()
    await app.synchronize()
    let taco = try restaurant(57)
    try app.store.update(taco, \.note <- note)
    try other.store.update(
      restaurant(57, in: other), \.note <- (note == nil ? "theirs" : nil))
    await other.synchronize()
    await app.synchronize()
    #expect(taco.note == note && taco.editState == .rejected)
    try app.store.revertEdits(of: taco)
    #expect(taco.note == (note == nil ? "theirs" : nil) && taco.editState == .clean)
  }

  @Test func `a conflict ends if the user reverts the edit or edits the attribute again`()
    async throws
  {
    let other = try await otherDevice()
    await app.synchronize()
    for id in [57, 61] {
      try app.store.update(restaurant(id), \.note <- "mine")
      try other.store.update(restaurant(id, in: other), \.note <- "theirs")
    }
    await other.synchronize()
    await app.synchronize()
    try app.store.revertEdits(of: restaurant(57))
    try app.store.update(restaurant(61), \.note <- "both")
    await app.synchronize()
    await other.synchronize()
    for device in [app, other] {
      #expect(try restaurant(57, in: device).note == "theirs")
      #expect(try restaurant(61, in: device).note == "both")
      #expect(try device.store.pendingEdits().isEmpty)
    }
  }
}

/// The decoding of the server's JSON by the declarations of the classes.
@Suite struct `The mapping of the restaurants app` {
  private let mapping = MappingTest(Restaurant.self)

  private func response(_ path: String) throws -> Data {
    let url = try #require(URL(string: "/api/\(path)"))
    return try #require(ResourceServer.restaurants().respond(to: NetworkRequest(.get, url))).body
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
        "about": "Three tables and a grill.", "stars": nil, "note": nil,
        "menu": [["id": 5701, "name": "Tacos al pastor", "price": .decimal(9.5)]],
      ])
  }
}
