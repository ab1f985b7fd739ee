/// A policy for objects of an update that already exist.
public enum UpdatePolicy: Sendable, Hashable {
  /// An existing object is an error.
  case error
  /// Only attributes whose values differ are written.
  case modified
  /// Every attribute of the update is written and reported as changed, even if it is equal.
  case all
}
