import Foundation
import Synchronization

/// Answers that a server need not send again if it says that they are still right. The one unused for longest
/// makes room.
final class ResponseCache: Sendable {
  struct Entry {
    let tag: String
    let body: Data
  }

  /// What an entry takes beside its texts, about: its slot, the objects of the texts, its places in dictionaries.
  static let overhead = 512

  private let entries: Mutex<LeastRecentlyUsed<URL, Entry>>

  init(byteLimit: Int) {
    entries = Mutex(LeastRecentlyUsed(limit: byteLimit))
  }

  func entry(for url: URL) -> Entry? {
    entries.withLock { $0[url] }
  }

  /// Keeps an answer that the server has given a tag.
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
