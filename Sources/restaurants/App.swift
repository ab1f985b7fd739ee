import Foundation
import ObjectStore
import Observation

/// User actions, and two screens that are rendered from live objects.
@MainActor @Observable final class App {
  @ObservationIgnored let store: Store
  @ObservationIgnored let client: Client
  /// The restaurant whose detail is shown.
  var opened: Restaurant?
  /// The error of the last request; nil if it succeeded.
  private(set) var problem: String?

  init(
    _ configuration: StoreConfiguration, server: URL, log: @escaping @MainActor (String) -> Void
  ) throws {
    store = try Store(configuration: configuration)
    client = Client(store, server, log: log)
  }

  // MARK: - Actions

  /// Sends a request to the server. The screens keep showing the stored objects meanwhile.
  func perform(_ request: (Client) async throws -> Void) async {
    do {
      try await request(client)
      problem = nil
    } catch {
      problem = "\(error)"
    }
  }

  /// Uploads the edits and then refreshes the lists.
  func synchronize() async {
    await perform { client in
      try await client.upload()
      try await client.refreshLists()
    }
  }

  func open(_ id: Int) {
    opened = store.object(ofType: Restaurant.self, forPrimaryKey: id)
  }

  /// Creates an object with a temporary id.
  func create<T: Editable>(_ type: T.Type, _ assign: (T) -> Void) throws -> T {
    let object = T()
    // Edits include objects that were deleted while they were uploaded.
    let ids = try store.pendingEdits().map { if case .int(let id) = $0.key { Int(id) } else { 0 } }
    object.id = min(0, ids.min() ?? 0) - 1
    assign(object)
    try store.write { try store.add(object) }
    return object
  }

  // MARK: - Screens

  /// The screen with all restaurants.
  func list() -> [String] {
    let restaurants = store.objects(Restaurant.self).sorted(by: \.name)
    let lines = restaurants.map {
      "\($0.rating.text)  \($0.name.filled(18))\($0.cuisine)\($0.mark)"
    }
    return lines + ["\(restaurants.count) restaurants" + (problem.map { ", \($0)" } ?? "")]
  }

  /// The screen with one restaurant.
  func detail() -> [String] {
    guard let opened, !opened.isInvalidated else { return [] }
    var lines = ["\(opened.rating.text)  \(opened.name) (\(opened.id)), \(opened.cuisine)"]
    lines[0] += opened.mark
    if !opened.isKnown(\.menu) { lines.append("…") }
    if let about = opened.about { lines.append(about) }
    lines += opened.openingHours.map { "\($0.day)  \($0.opens) to \($0.closes)" }
    lines += opened.menu.map { $0.name.filled(18) + "\($0.price)" }
    if let stars = opened.stars { lines.append("my stars: \(stars)") }
    if let note = opened.note { lines.append("my note: \(note)") }
    return lines
      + opened.reviews.map { review in
        let visit = review.visited.map { ", visited on \($0)" } ?? ""
        return "my review (\(review.id)): \(review.text)\(visit)\(review.mark)"
      }
  }
}

extension Editable {
  /// The state of the upload; empty if the server has the current version.
  fileprivate var mark: String {
    switch editState {
    case .clean: ""
    case .created, .edited: "  ↑ to upload"
    case .rejected: "  ✗ \(rejection?.description ?? "")"
    }
  }
}

extension Double? {
  /// A rating in five columns.
  fileprivate var text: String { map { "★ \($0)" } ?? "  –  " }
}

extension String {
  fileprivate func filled(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
