import Foundation

/// The status and the header fields of a response, which determine if its request is retried.
protocol ResponseHead: Sendable {
  var status: Int { get }
  var headers: NetworkResponse.Headers { get }
}

extension NetworkResponse: ResponseHead {}
extension NetworkResponse.Stream: ResponseHead {}

extension ResponseHead {
  /// True if a retry may succeed and cannot repeat the effect of the request.
  func isWorthRetrying(_ method: NetworkRequest.Method) -> Bool {
    switch status {
    case 429, 503: true
    case 408, 500, 502, 504: method.isIdempotent
    default: false
    }
  }

  /// The delay of the `Retry-After` field (RFC 9110 §10.2.3): seconds, or a date by the server's clock.
  var retryAfter: Duration? {
    guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    let seconds: Double
    if let number = Double(text), text.allSatisfy({ $0.isNumber || $0 == "-" }) {
      seconds = number
    } else if let date = HTTPDate.date(text) {
      let now = headers["Date"].flatMap(HTTPDate.date) ?? Date()
      seconds = date.timeIntervalSince(now)
    } else {
      return nil
    }
    return .seconds(min(max(seconds, 0), Double(Int32.max)))
  }
}
