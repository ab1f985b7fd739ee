import Foundation
import ObjectStore
import StoreCoding

/// `storecoder demo`: shows how a cache changes when it receives a list, the detail of one object, and the list again.
struct Demo {
  static let command = Command(
    name: "demo", summary: "Run a demo: a list, a detail, the list again, an edit, an upload.",
    arguments: [
      Command.Argument(
        name: "FILE", isOptional: true,
        help: "keep the store in this file, for any tool that reads SQLite")
    ],
    details: "The demo also shows a refused payload, and closes and reopens the store.",
    example: "storecoder demo"
  ) { try demonstrate($0[0]) }

  /// Runs the demo on a store in a new file: at `path`, where it remains, or in a temporary folder.
  private static func demonstrate(_ path: String?) throws {
    if let path {
      guard !FileManager.default.fileExists(atPath: path) else {
        throw UsageError(
          text: "\(path) already exists; the demo needs a new file", command: "demo")
      }
      var demo = try Demo(URL(filePath: path))
      return try demo.run()
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var demo = try Demo(folder.appending(path: "demo.store"))
    try demo.run()
  }

  private let configuration: StoreConfiguration
  private var store: Store
  private var coder: StoreCoder
  private var chapter = 0
  /// The observation of the live query.
  private var token: ObservationToken?

  /// - Parameter url: The file of the store; it must not exist.
  init(_ url: URL) throws {
    configuration = .file(url)
    store = try Store(configuration: configuration)
    coder = StoreCoder(store: store)
  }

  mutating func run() throws {
    Terminal.print("StoreCoder decodes server JSON straight into a local object store.")
    begin("The mapping of Restaurant, derived from its declarations")
    Terminal.print(indented(coder.explain(Restaurant.self)))

    begin("A live query: restaurants rated 4.1 and better, the best first")
    observeTheBest()

    begin("GET /restaurants: a list of summaries")
    try receiveList(DemoResponses.list)

    begin("GET /restaurants/42: the detail of one")
    try receiveDetail(DemoResponses.detail)
    let leonie = try restaurant(42)
    show("phone", leonie.phone)
    show("menu", leonie.menu.map { "\($0.name) \($0.price)" }.joined(separator: ", "))
    show("served by", leonie.menu.first?.servedBy.map(\.name).joined(separator: ", "))

    begin("The user marks it as a favourite")
    let outcome = try store.update(Restaurant.self, key: 42, \.isFavourite <- true)
    show("update", "\(outcome)")

    begin("GET /restaurants again: the list was refreshed, and has no phone numbers")
    try receiveList(DemoResponses.refreshedList)
    show("phone", leonie.phone, note: "the detail survived")
    show("favourite", "\(leonie.isFavourite)", note: "so did the user's mark")

    begin("The same list once more")
    let version = store.version
    try receiveList(DemoResponses.refreshedList)
    show("version", "\(version) → \(store.version)", note: "nothing was written")

    begin("PUT /restaurants/42: the body to upload")
    Terminal.print(indented(String(decoding: try encoded(leonie), as: UTF8.self)))

    begin("A payload that is refused as a whole")
    try refuse()

    begin("The app is closed and opened again: everything is in its file")
    try reopen()
  }

  // MARK: - Chapters

  private mutating func begin(_ title: String) {
    chapter += 1
    Terminal.print("\n\(chapter). \(title)")
  }

  /// Prints the best restaurants, now and after each change.
  private mutating func observeTheBest() {
    let best = store.objects(Restaurant.self).where { $0.rating >= 4.1 }
      .sorted(by: \.rating, ascending: false)
    token = best.observe { change in
      let names = best.map { "\($0.name) \($0.rating ?? 0)" }.joined(separator: ", ")
      switch change {
      case .initial: print("   ◆ the best: \(names.isEmpty ? "none yet" : names)")
      case .update(_, let deletions, let insertions, let modifications):
        Terminal.print(
          "   ◆ the best: \(names)   ← deletions \(deletions), insertions \(insertions), "
            + "modifications \(modifications)")
      case .error(let error): Terminal.print("   ◆ \(error)")
      }
    }
    store.refresh()
  }

  private func receiveList(_ response: String) throws {
    let before = Snapshot(store)
    let result = try coder.read([Restaurant].self, from: Data(response.utf8))
    report(result, before)
  }

  private func receiveDetail(_ response: String) throws {
    let before = Snapshot(store)
    let result = try coder.read(Restaurant.self, from: Data(response.utf8))
    report(result, before)
  }

  private func report(_ result: ReadResult<Restaurant>, _ before: Snapshot) {
    for (restaurant, outcome) in zip(result.objects, result.outcomes) {
      switch outcome {
      case .inserted: line("+", restaurant.name, "inserted")
      case .updated: line("~", restaurant.name, before.changes(restaurant).joined(separator: "; "))
      case .unchanged: line("=", restaurant.name, "unchanged")
      }
    }
    Terminal.print(
      "   \(result.inserted) inserted, \(result.updated) updated, \(result.unchanged) unchanged; "
        + "\(store.objects(Restaurant.self).count) restaurants and "
        + "\(store.objects(Dish.self).count) dishes in version \(store.version)")
    store.refresh()
  }

  private func encoded(_ restaurant: Restaurant) throws -> Data {
    var configuration = StoreCoder.Configuration.default
    configuration.outputFormatting.insert(.prettyPrinted)
    return try StoreCoder(store: store, configuration: configuration).encode(restaurant)
  }

  private func refuse() throws {
    let version = store.version
    let payload = """
      [
        { "id": 43, "name": "Sakura" },
        { "id": 42, "menu": [ { "id": 4201, "price": 9 }, { "id": 4202, "price": "fourteen" } ] }
      ]
      """
    Terminal.print(indented(payload))
    do {
      try coder.decodeArray(Restaurant.self, from: Data(payload.utf8))
    } catch let error as StoreCodingError {
      Terminal.print("   \(error)")
    }
    show("version", "\(version) → \(store.version)", note: "not even Sakura's name was written")
    show("43", try restaurant(43).name)
  }

  private mutating func reopen() throws {
    token = nil
    // Releases the last handle, which closes the file.
    store = try Store()
    coder = StoreCoder(store: store)
    store = try Store(configuration: configuration)
    coder = StoreCoder(store: store)
    let leonie = try restaurant(42)
    show("name", leonie.name)
    show("phone", leonie.phone)
    show("favourite", "\(leonie.isFavourite)")
    show(
      "in all",
      "\(store.objects(Restaurant.self).count) restaurants and "
        + "\(store.objects(Dish.self).count) dishes")
  }

  // MARK: - Printing

  private func restaurant(_ id: Int) throws -> Restaurant {
    guard let restaurant = store.object(ofType: Restaurant.self, forPrimaryKey: id) else {
      throw DemoError(text: "restaurant \(id) does not exist")
    }
    return restaurant
  }

  private func line(_ mark: String, _ name: String, _ text: String) {
    // East Asian characters occupy two columns.
    let width = name.unicodeScalars.reduce(0) { $0 + (0x1100..<0x10000 ~= $1.value ? 2 : 1) }
    let padding = String(repeating: " ", count: max(1, 16 - width))
    Terminal.print("   \(mark) \(name)\(padding)\(text)")
  }

  private func show(_ name: String, _ value: String?, note: String? = nil) {
    Terminal.print("   \(name): \(value ?? "nil")\(note.map { "   ← \($0)" } ?? "")")
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "   \($0)" }
      .joined(separator: "\n")
  }
}

/// A snapshot of the restaurants, to show the changes made by a response.
private struct Snapshot {
  private let byID: [Int: Frozen<Restaurant>]

  init(_ store: Store) {
    byID = Dictionary(
      uniqueKeysWithValues: store.objects(Restaurant.self).frozen().map { ($0.id, $0) })
  }

  /// Returns an entry such as `rating 4.6 → 4.7` for each attribute that differs.
  func changes(_ restaurant: Restaurant) -> [String] {
    guard let before = byID[restaurant.id] else { return [] }
    return restaurant.objectSchema.properties.compactMap { property in
      let old = before.withObject { Self.text($0[property.name]) }
      let new = Self.text(restaurant[property.name])
      return old == new ? nil : "\(property.name) \(old) → \(new)"
    }
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let objects as List<Dish>: objects.isEmpty ? "none" : "\(objects.count) dishes"
    case let objects as List<OpeningHours>: objects.isEmpty ? "none" : "\(objects.count) entries"
    case let address as Address: "\(address.street), \(address.city)"
    case let value?: "\(value)"
    }
  }
}

struct DemoError: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
