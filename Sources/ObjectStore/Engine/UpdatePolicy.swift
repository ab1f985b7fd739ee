/// How an update treats an object that exists.
public enum UpdatePolicy: Sendable, Hashable {
  /// It is an error.
  case error
  /// Only attributes whose values differ are written.
  case modified
  /// Every attribute the update has is written and reported as changed, equal or not.
  case all
}
