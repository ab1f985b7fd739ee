import Foundation
import LoopbackServer
import ObjectStore

/// A demonstration: the app is used on a phone, online and offline, and then on a phone and a tablet at the same time.
@MainActor struct Story {
  let terminal: Terminal
  /// The configuration of the phone's store.
  let configuration: StoreConfiguration

  func run() async throws {
    let restaurants = ResourceServer.restaurants()
    var server = try restaurants.listen()
    try await firstStart(server, restaurants)
    try await secondStart(server.url) {
      restaurants.change(42, ["name": "Bistro Léonie"])
      server = try restaurants.listen(port: server.port)
    }
    try await twoDevices(server.url, restaurants)
  }

  func firstStart(_ server: LoopbackServer, _ restaurants: ResourceServer) async throws {
    let app = try App(configuration, server: server.url, log: terminal.log)
    terminal.show(app.list, app.detail)
    // Removes the screens at the end, which releases the app and closes its file.
    defer { terminal.show() }

    try await terminal.step("The app is started for the first time.") {}
    try await terminal.step("The app loads the lists: a summary of each restaurant.") {
      await app.synchronize()
    }
    try await terminal.step("The user opens a restaurant. Its summary is shown immediately.") {
      app.open(42)
    }
    try await terminal.step("The app loads the detail, which completes the same object.") {
      guard let opened = app.opened else { return }
      await app.perform { try await $0.refreshDetail(of: opened) }
    }
    try await terminal.step("The user rates it. The edit is uploaded later.") {
      guard let leonie = app.opened else { return }
      try app.store.update(leonie, \.stars <- 5)
    }
    try await terminal.step(
      "Others rate it, too, and the app loads the lists. The edit and the detail stay."
    ) {
      restaurants.change(42, ["rating": 4.7])
      await app.perform { try await $0.refreshLists() }
    }
    try await terminal.step("The server does not respond. The screens stay.") {
      server.stop()
      await app.synchronize()
    }
    try await terminal.step(
      "The user adds a restaurant and reviews it, offline. Both get temporary ids."
    ) {
      let bruna = try app.create(Restaurant.self) {
        $0.name = "Osteria Bruna"
        $0.cuisine = "Italian"
        $0.stars = 9
      }
      _ = try app.create(Review.self) {
        $0.restaurant = bruna
        $0.text = "go for the ravioli"
      }
      app.opened = bruna
    }
    try await terminal.step("The user deletes a restaurant, which is not shown any more.") {
      let fork = app.store.object(ofType: Restaurant.self, forPrimaryKey: 61)
      try app.store.write { if let fork { app.store.delete(fork) } }
    }
  }

  private func secondStart(_ url: URL, restart: () throws -> Void) async throws {
    let app = try App(configuration, server: url, log: terminal.log)
    terminal.show(app.list, app.detail)
    defer { terminal.show() }

    try await terminal.step("The app is started again, still offline: all edits are there.") {
      app.opened = app.store.objects(Restaurant.self).first { $0.id < 0 }
    }
    try await terminal.step(
      "The server is back; another user renamed a restaurant. Both changes stay. Nine stars are refused."
    ) {
      try restart()
      await app.synchronize()
    }
    try await terminal.step(
      "The user corrects the stars. The review, which waited, is sent with the restaurant's id."
    ) {
      guard let bruna = app.opened else { return }
      try app.store.update(bruna, \.stars <- 4)
      await app.synchronize()
    }
  }

  private func twoDevices(_ url: URL, _ restaurants: ResourceServer) async throws {
    let phone = try App(configuration, server: url) { terminal.log("phone: \($0)") }
    let tablet = try App(.inMemory(), server: url) { terminal.log("tablet: \($0)") }
    terminal.show({ ["phone"] + phone.detail() }, { ["tablet"] + tablet.detail() })
    defer { terminal.show() }

    try await terminal.step("The user opens a restaurant on the phone and on a tablet.") {
      await tablet.synchronize()
      for device in [phone, tablet] { device.open(70) }
    }
    guard let onPhone = phone.opened, let onTablet = tablet.opened else { return }
    try await terminal.step("The phone changes the stars, the tablet the note. Both changes stay.")
    {
      try phone.store.update(onPhone, \.stars <- 5)
      try tablet.store.update(onTablet, \.note <- "closed on Mondays")
      for device in [phone, tablet, phone] { await device.synchronize() }
    }
    try await terminal.step("Both change the note, the phone later: a conflict.") {
      try phone.store.update(onPhone, \.note <- "ask for the counter")
      try tablet.store.update(onTablet, \.note <- "bring cash")
      for device in [tablet, phone] { await device.synchronize() }
    }
    try await terminal.step("The user reverts the edit on the phone, which takes the other note.") {
      try phone.store.revertEdits(of: onPhone)
    }
    try await terminal.step("Both synchronize again: nothing is uploaded, written or drawn.") {
      for device in [phone, tablet] { await device.synchronize() }
    }
    try await terminal.step(
      "The user reviews it on the website, with a photo. The phone loads the lists: a summary of the review."
    ) {
      restaurants.set(
        [
          "text": "fresh fsh", "restaurant": 70, "visited": "2026-11-21", "photo": "counter.jpg",
        ], id: 2, in: "reviews")
      await phone.synchronize()
    }
    try await terminal.step(
      "The user corrects the text. The app loads the review before the PUT, which erases nothing."
    ) {
      guard let review = onPhone.reviews.first else { return }
      try phone.store.update(review, \.text <- "fresh fish")
      await phone.synchronize()
    }
  }
}
