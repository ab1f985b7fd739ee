import Foundation
import LoopbackServer
import ObjectStore

/// A demonstration: the app is started twice, and the server is unavailable in between.
@MainActor struct Story {
  let terminal: Terminal
  /// The configuration of the app's store.
  let configuration: StoreConfiguration

  func tell() async throws {
    let restaurants = try RestaurantsServer()
    var server = try LoopbackServer(answer: restaurants.answer)
    var counts = try await firstStart(server, restaurants)
    server.stop()
    counts += try await secondStart(server) {
      server = try LoopbackServer(port: server.port, answer: restaurants.answer)
      restaurants.rename(42, "Bistro Léonie")
    }
    try await terminal.step("In all, the server's answers brought \(counts).") {}
  }

  func firstStart(_ server: LoopbackServer, _ restaurants: RestaurantsServer) async throws -> Counts
  {
    let app = try App(configuration, server: server.url, log: terminal.log)
    terminal.show(app.list, app.detail)
    // Release the app, which closes its file.
    defer { terminal.show() }

    try await terminal.step("The app is started for the first time.") {}
    try await terminal.step("The list comes: a summary of each.") {
      await app.ask { try await $0.refreshList() }
    }
    try await terminal.step("The user opens one. What the list knew is there at once.") {
      app.open(42)
    }
    try await terminal.step("Its detail comes, and completes the same object.") {
      guard let opened = app.opened else { return }
      await app.ask { try await $0.refreshDetail(of: opened) }
    }
    try await terminal.step("Others rate it, and the list comes again. The detail stays.") {
      restaurants.rate(42, 4.7)
      await app.ask { try await $0.refreshList() }
    }
    return app.client.counts
  }

  func secondStart(_ server: LoopbackServer, comeBack: () throws -> Void) async throws -> Counts {
    let app = try App(configuration, server: server.url, log: terminal.log)
    terminal.show(app.list, app.detail)
    defer { terminal.show() }

    try await terminal.step("The app is started again: all is there before anybody is asked.") {
      app.open(42)
    }
    try await terminal.step("The server is asked, and does not answer. The screens stay.") {
      await app.synchronize()
    }
    try await terminal.step("The user has an opinion, which the server will get later.") {
      guard let leonie = app.opened else { return }
      try app.edit(leonie, [\.stars <- 5, \.note <- "ask for the table by the window"])
    }
    try await terminal.step(
      "The user finds another place, and reviews it. Both get temporary ids."
    ) {
      let bruna = try app.make(
        Restaurant.self, [\.name <- "Osteria Bruna", \.cuisine <- "italian"])
      _ = try app.make(Review.self, [\.restaurant <- bruna, \.text <- "go for the ravioli"])
      app.opened = bruna
    }
    try await terminal.step(
      "The server is back; another user renamed a restaurant. Both changes stay, and ids are assigned."
    ) {
      try comeBack()
      await app.synchronize()
    }
    try await terminal.step("The server refuses nine stars. The edit stays, with the reason.") {
      app.open(57)
      guard let taco = app.opened else { return }
      try app.edit(taco, [\.stars <- 9])
      await app.synchronize()
    }
    try await terminal.step("The user thinks again.") {
      guard let taco = app.opened else { return }
      try app.edit(taco, [\.stars <- 4])
      await app.synchronize()
    }
    try await terminal.step("Once more: nothing is new, nothing is written, nothing is drawn.") {
      await app.synchronize()
    }
    return app.client.counts
  }
}
