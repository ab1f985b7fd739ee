extension CachePolicy {
  /// The objects that an eviction deleted, and those that stayed although a limit selected them. A dry run reports the
  /// same without deleting anything.
  public struct Report: Sendable, Hashable {
    /// The classes with objects that a limit selected, in the order in which the store first used the classes.
    public let classes: [ClassReport]

    /// The result for one class.
    public struct ClassReport: Sendable, Hashable {
      /// The class's name.
      public let className: String
      /// Distinguishes a declared class from others with the same name.
      let type: ObjectIdentifier?
      /// The keys of the deleted objects, in order of insertion; null for each object of a class without a key.
      public internal(set) var evicted: [UpdateValue] = []
      /// The number of objects that stayed because a rule of the policy keeps them, or because they have unconfirmed edits.
      public internal(set) var keptCount = 0
      /// The number of other objects that stayed because they are observed.
      public internal(set) var observedCount = 0
      /// The number of other objects that stayed because a remaining object links to them.
      public internal(set) var linkedCount = 0
    }

    /// The number of deleted objects, excluding embedded ones.
    public var evictedCount: Int { classes.reduce(0) { $0 + $1.evicted.count } }

    /// The result for a class; nil if no limit selected any of its objects.
    public subscript(type: (some Object).Type) -> ClassReport? {
      classes.first { $0.type == ObjectIdentifier(type) }
    }

    /// The result for the class with this name; nil if no limit selected any of its objects.
    public subscript(className: String) -> ClassReport? {
      classes.first { $0.className == className }
    }
  }
}

extension CachePolicy.Report: CustomStringConvertible {
  /// A line for each class: `Photo: 12 evicted, 1 kept, 0 observed, 3 linked`.
  public var description: String {
    classes.map {
      "\($0.className): \($0.evicted.count) evicted, \($0.keptCount) kept, "
        + "\($0.observedCount) observed, \($0.linkedCount) linked"
    }.joined(separator: "\n")
  }
}
