import Foundation
import ObjectStore

/// The kind of an error with which a main source failed to confirm an edit.
enum EditFailure: Sendable {
  /// The main source refused the edit. Sending it again would have the same result.
  case refused(DataSourceError)
  /// The main source does not have the value.
  case gone
  /// The main source has another state than the edit expects.
  case conflicting
  /// The main source cannot be reached, or accepts no request now.
  case unreachable
  /// The edit may have been applied, or another attempt may succeed.
  case uncertain
  /// The edit cannot be sent: a mistake of the program.
  case misuse

  init(_ error: any Error) {
    guard let error = error as? DataSourceError else {
      self = error is EncodingError || error is StoreError ? .misuse : .unreachable
      return
    }
    switch error {
    case .notFound: self = .gone
    case .badStatus(let status, _, _):
      switch status {
      case 409, 412, 428: self = .conflicting
      case 401, 407, 408, 425, 429, 502, 503, 504: self = .unreachable
      case 410: self = .gone
      case 421, 423, 424: self = .uncertain
      case 400..<500: self = .refused(error)
      default: self = .uncertain
      }
    default: self = error.isMisuse ? .misuse : .uncertain
    }
  }

  /// Returns true if sending a request again, after a delay, may succeed, and cannot repeat its effect, because the main
  /// source has certainly not executed it.
  static func isWorthRepeating(_ error: any Error) -> Bool {
    switch error {
    case DataSourceError.badStatus(429, _, _), DataSourceError.badStatus(503, _, _): true
    case let error as URLError:
      [.cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet]
        .contains(error.code)
    default: false
    }
  }

  /// True if sending the edit again, after a delay, may succeed.
  var isWorthRetrying: Bool {
    switch self {
    case .unreachable, .uncertain: true
    case .refused, .gone, .conflicting, .misuse: false
    }
  }
}
