import Foundation
import Synchronization

/// A cache of response bodies that the server can revalidate. The least recently used one is evicted first.
final class ResponseCache: Sendable {
  struct Entry {
    let tag: String
    let body: Data
  }

  /// The approximate memory of an entry without its strings and body: its slot, object headers and dictionary
  /// entries.
  static let overhead = 512

  private let entries: Mutex<LeastRecentlyUsed<URL, Entry>>

  init(byteLimit: Int) {
    entries = Mutex(LeastRecentlyUsed(limit: byteLimit))
  }

  func entry(for url: URL) -> Entry? {
    entries.withLock { $0[url] }
  }

  /// Stores a response with status 200 and an `ETag`, unless it is marked `no-store`. Any other response removes
  /// the entry.
  func keep(_ response: NetworkResponse, for url: URL) {
    let isUncacheable =
      response.headers["Cache-Control"]?.lowercased().contains("no-store") ?? false
    let tag = isUncacheable || response.status != 200 ? nil : response.headers["ETag"]
    entries.withLock {
      $0.remove(url)
      guard let tag else { return }
      let cost =
        Self.overhead + response.body.count + tag.utf8.count + url.absoluteString.utf8.count
      $0.insert(Entry(tag: tag, body: response.body), for: url, cost: cost)
    }
  }
}
