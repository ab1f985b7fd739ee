/// One state of the whole store: immutable, shared by every handle that shows it.
// Sendable: immutable.
final class Version: @unchecked Sendable {
  /// Counts commits that changed something, from 0.
  let number: UInt64
  let tables: ContiguousArray<TableVersion>
  /// Where it is entered while it lives; nil for a view into a write.
  private let pins: VersionPins?

  init(number: UInt64, tables: ContiguousArray<TableVersion>, pins: VersionPins?) {
    self.number = number
    self.tables = tables
    self.pins = pins
    pins?.pin(number)
  }

  deinit {
    pins?.unpin(number)
  }

  /// Whether a commit made it.
  var isPublished: Bool { pins != nil }
}
