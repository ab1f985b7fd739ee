extension EncodingError {
  /// The description without the path and the value.
  package var reason: String {
    switch self {
    case .invalidValue(_, let context): context.debugDescription
    @unknown default: "\(self)"
    }
  }
}
