/// A value that identifies an object: a value of its primary key, a ``CompoundKey``, or the ``UpdateValue`` that changes,
/// edits and conflicts have as their key.
///
///     for key in changes[Order.self]?.inserted ?? [] {
///       index(store.object(ofType: Order.self, forPrimaryKey: key))
///     }
///
/// Do not conform your own types to this protocol. Its requirements are used by methods that take a key.
nonisolated public protocol ObjectKey: Hashable, Sendable {
  /// The kind of the key's column; nil for a value that no key can have.
  var _keyKind: AttributeShape.Kind? { get }
  /// Calls `body` with the key's column value; its bytes are valid only during the call.
  func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R
  /// The key as an ``UpdateValue``.
  var _updateValue: UpdateValue { get }
  /// The key itself if it has several parts; otherwise nil.
  var _compoundKey: CompoundKey? { get }
}

extension ObjectKey {
  @inlinable @inline(__always)
  public var _compoundKey: CompoundKey? { nil }

  /// The type, and the value if it may be of any type, for messages.
  var foundText: String {
    (self as? UpdateValue)?.found ?? "a key of type \(type(of: self))"
  }
}

/// An integer, a string or a UUID is a key. A string is also the key of a class with a compound key, as
/// ``CompoundKey/text``. Any other value has the wrong type for a key of any class.
extension UpdateValue: ObjectKey {
  public var _keyKind: AttributeShape.Kind? {
    switch self {
    case .int: .int64
    case .uint: .uint64
    case .string: .string
    case .uuid: .uuid
    default: nil
    }
  }

  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    switch self {
    case .int(let value): try value._encode(body)
    case .uint(let value): try value._encode(body)
    case .string(let value): try value._encode(body)
    case .uuid(let value): try value._encode(body)
    default: try UInt64(0)._encode(body)
    }
  }

  public var _updateValue: UpdateValue { self }
}
