public import Foundation
public import ObjectStore

// Unavailable declarations that produce helpful compiler messages.

@available(*, unavailable, message: "use ReadResult<T>.Counts")
public typealias ReadSummary = Never

@available(*, unavailable, renamed: "ListScope.Missing")
public typealias MissingObjects<T: Object> = ListScope<T>.Missing

@available(*, unavailable, renamed: "Audit.Sampling")
public typealias AuditSampling = Audit.Sampling

@available(*, unavailable, renamed: "StoreCoder.BodyFormat")
public typealias BodyFormat = CodingConfiguration.BodyFormat

@available(*, unavailable, renamed: "CodingConfiguration.LinkedObjects")
public typealias LinkedObjectForm = CodingConfiguration.LinkedObjects

extension StoreCoder {
  /// Unavailable: name the type of a list.
  @available(*, unavailable, message: "use readAll([Element].self, from:)")
  public func readAll<T: Object, Source>(
    _ type: T.Type, from source: Source, at path: String? = nil, size: Int = 1_000
  ) throws -> ReadResult<T>.Counts {
    throw StoreCodingError(.syntax)
  }

  /// Unavailable: name the type of a list.
  @available(*, unavailable, message: "use readAll([Element].self, contentsOf:)")
  public func readAll<T: Object>(
    _ type: T.Type, contentsOf file: URL, at path: String? = nil, size: Int = 1_000
  ) throws -> ReadResult<T>.Counts {
    throw StoreCodingError(.syntax)
  }

  /// Unavailable: list key paths without brackets.
  @available(
    *, unavailable, message: "list the key paths without brackets: only: \\.title, \\.price"
  )
  @_disfavoredOverload
  public func encode<T: Object>(_ object: T, only attributes: [PartialKeyPath<T>]) throws -> Data {
    throw StoreCodingError(.syntax)
  }

  /// Unavailable: name the objects that a complete list contains.
  @available(
    *, unavailable,
    message: "name the objects that the list contains: complete: .all, .where { … } or .of(…)"
  )
  @_disfavoredOverload
  public func read<T: Object>(
    _ type: [T].Type, from data: Data, at path: String? = nil, complete: Bool
  ) throws -> ReadResult<T> {
    throw StoreCodingError(.syntax)
  }

  /// Unavailable: name the type of a list.
  @available(*, unavailable, message: "use read([DynamicObject].self, dynamic: …)")
  public func readArray(
    dynamic className: String, from data: Data, at path: String? = nil
  ) throws -> ReadResult<DynamicObject> {
    throw StoreCodingError(.syntax)
  }

  /// Unavailable: name the type of a list.
  @available(*, unavailable, message: "use pages(of: DynamicObject.self, dynamic: …)")
  public func pages(
    dynamic className: String, at path: String? = nil, complete scope: ListScope<DynamicObject>,
    guard limits: ListGuard = ListGuard()
  ) throws -> ListPages<DynamicObject> {
    throw StoreCodingError(.syntax)
  }

  /// Unavailable: use `encodeArray(_:useEnvelope:)` for a list.
  @available(*, unavailable, message: "use encodeArray(_:useEnvelope:) for a list")
  public func encode<T: Object>(_ objects: [T], useEnvelope: Bool = false) throws -> Data {
    throw StoreCodingError(.syntax)
  }
}
