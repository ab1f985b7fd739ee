public import Foundation
public import ObjectStore

// Plans: the changes that decoding a payload would make.

extension StoreCoder {
  /// Returns the changes that decoding one object would make, without making them. For the parameters see
  /// ``decode(_:dynamic:from:at:key:absent:)``.
  ///
  /// The store is unchanged. The plan retains the payload; `apply()` decodes it again and returns the object and its
  /// outcome. See `Store.plan` for other writes.
  /// - Throws: The errors of ``read(_:dynamic:from:at:key:absent:asOf:)``.
  /// - Complexity: That of ``read(_:dynamic:from:at:key:absent:asOf:)``, and O(changes).
  public func plan<T: Object>(
    _ type: T.Type = DynamicObject.self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, key: (any ObjectKey)? = nil, absent: AbsentAttributes = .keep
  ) throws -> StorePlan<ReadResult<T>> {
    try store.plan {
      try self.read(type, dynamic: className, from: data, at: path, key: key, absent: absent)
    }
  }

  /// Returns the changes that decoding a list of objects would make, without making them.
  ///
  ///     let plan = try coder.plan([Order].self, from: data)
  ///     print(plan)               // ~ Order 7: note "a" → null
  ///     let result = try plan.apply()
  ///
  /// - Throws: The errors of ``read(_:dynamic:from:at:absent:asOf:)``.
  /// - Complexity: That of ``read(_:dynamic:from:at:absent:asOf:)``, and O(changes).
  public func plan<T: Object>(
    _ type: [T].Type, dynamic className: String? = nil, from data: Data, at path: String? = nil,
    absent: AbsentAttributes = .keep
  ) throws -> StorePlan<ReadResult<T>> {
    try store.plan {
      try self.read(type, dynamic: className, from: data, at: path, absent: absent)
    }
  }

  /// Returns the changes that a complete list would make, with the objects that it would remove, without making them.
  ///
  /// - Throws: The errors of ``read(_:dynamic:from:at:complete:missing:guard:absent:asOf:)``, such as `incompleteList`.
  /// - Complexity: That of ``read(_:dynamic:from:at:complete:missing:guard:absent:asOf:)``, and O(changes).
  public func plan<T: Object>(
    _ type: [T].Type, dynamic className: String? = nil, from data: Data, at path: String? = nil,
    complete scope: ListScope<T>, missing: ListScope<T>.Missing = .delete,
    guard limits: ListGuard = ListGuard(), absent: AbsentAttributes = .keep
  ) throws -> StorePlan<ReadResult<T>> {
    try store.plan {
      try self.read(
        type, dynamic: className, from: data, at: path, complete: scope, missing: missing,
        guard: limits, absent: absent)
    }
  }

  /// Returns the changes that decoding a payload with several sections would make, without making them. For the
  /// parameters see ``read(_:from:absent:asOf:)``.
  ///
  /// - Throws: The errors of ``read(_:from:absent:asOf:)``.
  /// - Complexity: That of ``read(_:from:absent:asOf:)``, and O(changes).
  public func plan(
    _ sections: [String: DocumentSection], from data: Data, absent: AbsentAttributes = .keep
  ) throws -> StorePlan<DecodedDocument> {
    try store.plan { try self.read(sections, from: data, absent: absent) }
  }
}
