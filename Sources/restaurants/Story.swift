import Foundation
import LoopbackServer
import ObjectStore

/// A demonstration: the app is started twice, and the server is unavailable in between.
@MainActor struct Story {
  let terminal: Terminal
  /// The configuration of the app's store.
  let configuration: StoreConfiguration

  func run() async throws {
    let restaurants = try RestaurantsServer()
    var server = try LoopbackServer(handler: restaurants.respond)
    var counts = try await firstStart(server, restaurants)
    server.stop()
    counts += try await secondStart(server) {
      server = try LoopbackServer(port: server.port, handler: restaurants.respond)
      restaurants.rename(42, "Bistro Léonie")
    }
    try await terminal.step("The effect of all responses: \(counts).") {}
  }

  func firstStart(_ server: LoopbackServer, _ restaurants: RestaurantsServer) async throws -> Counts
  {
    let app = try App(configuration, server: server.url, log: terminal.log)
    terminal.show(app.list, app.detail)
    // Removes the screens at the end, which releases the app and closes its file.
    defer { terminal.show() }

    try await terminal.step("The app is started for the first time.") {}
    try await terminal.step("The app loads the list: a summary of each restaurant.") {
      await app.perform { try await $0.refreshList() }
    }
    try await terminal.step("The user opens a restaurant. Its summary is shown immediately.") {
      app.open(42)
    }
    try await terminal.step("The app loads the detail, which completes the same object.") {
      guard let opened = app.opened else { return }
      await app.perform { try await $0.refreshDetail(of: opened) }
    }
    try await terminal.step(
      "Other users rate it, and the app loads the list again. The detail stays."
    ) {
      restaurants.rate(42, 4.7)
      await app.perform { try await $0.refreshList() }
    }
    return app.client.counts
  }

  func secondStart(_ server: LoopbackServer, restart: () throws -> Void) async throws -> Counts {
    let app = try App(configuration, server: server.url, log: terminal.log)
    terminal.show(app.list, app.detail)
    defer { terminal.show() }

    try await terminal.step("The app is started again: all data is there before the first request.")
    {
      app.open(42)
    }
    try await terminal.step("The server does not respond. The screens stay.") {
      await app.synchronize()
    }
    try await terminal.step("The user rates the restaurant offline. The edit is uploaded later.") {
      guard let leonie = app.opened else { return }
      try app.edit(leonie, [\.stars <- 5, \.note <- "ask for the table by the window"])
    }
    try await terminal.step(
      "The user adds a restaurant and reviews it. Both get temporary ids."
    ) {
      let bruna = try app.create(
        Restaurant.self, [\.name <- "Osteria Bruna", \.cuisine <- "italian"])
      _ = try app.create(Review.self, [\.restaurant <- bruna, \.text <- "go for the ravioli"])
      app.opened = bruna
    }
    try await terminal.step(
      "The server is back; another user renamed a restaurant. Both changes stay, and ids are assigned."
    ) {
      try restart()
      await app.synchronize()
    }
    try await terminal.step("The server refuses nine stars. The edit stays, with the reason.") {
      app.open(57)
      guard let taco = app.opened else { return }
      try app.edit(taco, [\.stars <- 9])
      await app.synchronize()
    }
    try await terminal.step("The user corrects the edit.") {
      guard let taco = app.opened else { return }
      try app.edit(taco, [\.stars <- 4])
      await app.synchronize()
    }
    try await terminal.step("The app synchronizes again: nothing is new, written or drawn.") {
      await app.synchronize()
    }
    return app.client.counts
  }
}
