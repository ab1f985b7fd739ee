/// The treatment of objects in an update that already exist.
public enum UpdatePolicy: Sendable, Hashable {
  /// The update throws an error if an object already exists.
  case error
  /// Only attributes whose values differ are written.
  case modified
  /// Every attribute of the update is written and reported as changed, even if its value is equal.
  case all
}
