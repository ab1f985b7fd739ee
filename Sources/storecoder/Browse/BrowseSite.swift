import DataSources
import Foundation
import JSONText
import LoopbackServer
import ObjectStore

/// The page of the inspector and its data, below a path that consists of a secret token.
///
///     /TOKEN/               the page
///     /TOKEN/page.js …      its script and style
///     /TOKEN/api/objects    data, as JSON
///     /TOKEN/api/version    a number that is greater after each commit
///
/// Other sites that the browser has open can send requests to the server, too. They do not know the token, cannot read
/// responses, and are refused if the browser names them. A host name other than that of the loopback interface is refused,
/// because a site could let its own name resolve to it.
struct BrowseSite: Sendable {
  let token: String
  private let store: BrowsedStore

  init(_ store: BrowsedStore, token: String) {
    self.store = store
    self.token = token
  }

  private static let securityHeaders: [String: String] = [
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
  ]

  // MARK: - Requests

  func response(to request: NetworkRequest) -> NetworkResponse {
    if let refusal = refusal(of: request) { return refusal }
    if request.url.path(percentEncoded: true) == "/\(token)" {
      var response = Self.response(308, "text/plain", "")
      response.headers["Location"] = "/\(token)/"
      return response
    }
    guard let path = path(of: request) else {
      return Self.response(
        404, "text/plain", "The address needs the token that the command has printed.")
    }
    return response(to: request, path)
  }

  /// Returns the path below the token; nil without the token.
  private func path(of request: NetworkRequest) -> String? {
    let path = request.url.path(percentEncoded: true)
    let prefix = "/\(token)/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }

  /// Returns the response to a request from another site; nil for other requests.
  private func refusal(of request: NetworkRequest) -> NetworkResponse? {
    let host = request.headers["Host"] ?? ""
    let name = host.split(separator: ":").first ?? ""
    let isLocal = name == "127.0.0.1" || name == "localhost"
    let origin = request.headers["Origin"]
    let site = request.headers["Sec-Fetch-Site"] ?? "none"
    // The address of the page may be a link in another site, such as a terminal. A site that can build the link knows the token
    // already, and cannot read the page.
    let opensPage =
      request.method == .get && ["/\(token)", "/\(token)/"].contains(request.url.path())
      && request.headers["Sec-Fetch-Mode"] == "navigate"
      && request.headers["Sec-Fetch-Dest"] == "document"
    if isLocal, origin == nil || origin == "http://\(host)",
      site == "none" || site == "same-origin" || opensPage
    {
      return nil
    }
    return Self.response(403, "text/plain", "Other sites are refused.")
  }

  private func response(to request: NetworkRequest, _ path: String) -> NetworkResponse {
    switch (request.method, path) {
    case (.get, ""): return Self.page("text/html", PackageResources.index_html)
    case (.get, "page.js"): return Self.page("text/javascript", PackageResources.page_js)
    case (.get, "diagram.js"): return Self.page("text/javascript", PackageResources.diagram_js)
    case (.get, "style.css"): return Self.page("text/css", PackageResources.style_css)
    default: break
    }
    guard path.hasPrefix("api/") else { return Self.response(404, "text/plain", "not found") }
    do {
      let json = try data(request, String(path.dropFirst("api/".count)))
      guard let json else { return Self.response(404, "text/plain", "not found") }
      return Self.response(200, "application/json", json.jsonText)
    } catch {
      let message = (error as? JSONError)?.message ?? "\(error)"
      let json: JSONValue = ["error": .string(message)]
      return Self.response(400, "application/json", json.jsonText)
    }
  }

  /// Returns the data at a path; nil if there is none.
  private func data(_ request: NetworkRequest, _ name: String) throws -> JSONValue? {
    let query = BrowseQuery(request.url)
    switch (request.method, name) {
    case (.get, "version"): return try store.version()
    case (.get, "store"): return try store.overview()
    case (.get, "objects"): return try store.objects(query)
    case (.get, "object"): return try store.object(query)
    case (.get, "edits"): return try store.edits(query)
    case (.post, "update"), (.post, "delete"):
      guard store.isWritable else {
        throw CommandError(text: "the store is only read; start the command with --write")
      }
      guard request.headers["Content-Type"] == "application/json" else {
        throw CommandError(text: "expected JSON")
      }
      if name == "delete" {
        try store.delete(query)
      } else {
        try store.update(query, request.body ?? Data())
      }
      return [:]
    default: return nil
    }
  }

  // MARK: - Responses

  private static func page(_ type: String, _ bytes: [UInt8]) -> NetworkResponse {
    response(200, type, String(decoding: bytes, as: UTF8.self))
  }

  private static func response(_ status: Int, _ type: String, _ text: String) -> NetworkResponse {
    var headers = NetworkResponse.Headers(securityHeaders)
    headers["Content-Type"] = "\(type); charset=utf-8"
    return NetworkResponse(status: status, headers: headers, body: Data(text.utf8))
  }
}

/// The parameters of a request.
struct BrowseQuery {
  private let items: [String: String]

  init(_ url: URL) {
    let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let pairs = (components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    items = Dictionary(pairs) { $1 }
  }

  /// Returns a parameter; nil if it is missing or empty.
  subscript(name: String) -> String? { items[name].flatMap { $0.isEmpty ? nil : $0 } }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }
}
