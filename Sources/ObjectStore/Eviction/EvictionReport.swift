/// What an eviction let go, and what stayed although a limit asked for it; of a dry run, what would be so.
public struct EvictionReport: Sendable, Hashable {
  /// The classes that a limit asked of, in the order in which the store met them.
  public let classes: [ClassReport]

  /// Of one class.
  public struct ClassReport: Sendable, Hashable {
    /// Its name.
    public let className: String
    /// Tells a declared class from others of its name.
    let type: ObjectIdentifier?
    /// The keys of the objects that went, in order of insertion; null for each of a class without a key.
    public internal(set) var evicted: [UpdateValue] = []
    /// How many stayed since a rule of the policy keeps them.
    public internal(set) var keptCount = 0
    /// How many others stayed since they are observed.
    public internal(set) var observedCount = 0
    /// How many others stayed since something that stays links to them.
    public internal(set) var linkedCount = 0
  }

  /// How many objects went, embedded ones not counted.
  public var evictedCount: Int { classes.reduce(0) { $0 + $1.evicted.count } }

  /// What happened to a class; nil if no limit asked for an object of it.
  public subscript(type: (some Object).Type) -> ClassReport? {
    classes.first { $0.type == ObjectIdentifier(type) }
  }

  /// What happened to the class with this name; nil if no limit asked for an object of it.
  public subscript(className: String) -> ClassReport? {
    classes.first { $0.className == className }
  }
}

extension EvictionReport: CustomStringConvertible {
  /// A line for each class: `Photo: 12 evicted, 1 kept, 0 observed, 3 linked`.
  public var description: String {
    classes.map {
      "\($0.className): \($0.evicted.count) evicted, \($0.keptCount) kept, "
        + "\($0.observedCount) observed, \($0.linkedCount) linked"
    }.joined(separator: "\n")
  }
}
