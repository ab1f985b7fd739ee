import ObjectStoreShims

/// Assigns tags to the wrappers created on this thread while it runs.
final class WrapperProbe {
  private var flagsByTag: [UInt32: AttributeFlags] = [:]
  // Tags start at a random number so that stale memory is unlikely to contain one.
  private var nextTag = UInt32.random(in: 0x4000_0000...0x7FFF_FFFF) | 1

  /// The number of wrappers created while the probe ran.
  var count: Int { flagsByTag.count }

  func run<R>(_ body: () -> R) -> R {
    let outer = store_wrapper_mode_get()
    store_wrapper_mode_set(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    defer { store_wrapper_mode_set(outer) }
    return withExtendedLifetime(self) { body() }
  }

  func flags(_ tag: UInt32) -> AttributeFlags? { flagsByTag[tag] }

  fileprivate func register(_ flags: AttributeFlags) -> UInt32 {
    // The step is twice an odd number: tags stay odd, so never 0, and repeat only after 2³¹.
    nextTag &+= 0x9E37_79B2
    flagsByTag[nextTag] = flags
    return nextTag
  }
}

// Models call one of these with the arguments of a wrapper's initializer. None has default arguments, each of which
// would be a call in each initializer of a model.

@usableFromInline @inline(never)
func takeProbeTag() -> UInt32 { takeProbeTag(AttributeFlags()) }

@usableFromInline @inline(never)
func takeProbeTag(primaryKey: Bool, indexed: Bool, json: String?) -> UInt32 {
  takeProbeTag(primaryKey: primaryKey, indexed: indexed, json: json, [])
}

@usableFromInline @inline(never)
func takeProbeTag(indexed: Bool, searchable: Bool, json: String?) -> UInt32 {
  takeProbeTag(indexed: indexed, searchable: searchable, json: json, [])
}

@usableFromInline @inline(never)
func takeProbeTag(indexed: Bool, json: String?, _ option: Property.Option) -> UInt32 {
  takeProbeTag(indexed: indexed, json: json, [option])
}

func takeProbeTag(
  primaryKey: Bool = false, indexed: Bool, searchable: Bool = false, json: String?,
  _ options: [Property.Option]
) -> UInt32 {
  takeProbeTag(
    AttributeFlags(
      isPrimaryKey: primaryKey, isIndexed: indexed, isSearchable: searchable, json: json,
      options: options))
}

/// Registers the flags of a wrapper with the running probe and returns the wrapper's tag; 0 if no probe is running.
func takeProbeTag(_ flags: AttributeFlags) -> UInt32 {
  guard let address = UnsafeRawPointer(bitPattern: store_wrapper_mode_get()) else { return 0 }
  // The probe stays alive while its address is the mode; see `WrapperProbe.run`.
  return Unmanaged<WrapperProbe>.fromOpaque(address).takeUnretainedValue().register(flags)
}

/// The declared properties of an attribute, except for its type.
struct AttributeFlags {
  var isPrimaryKey = false
  var isIndexed = false
  var isSearchable = false
  var json: String?
  var options: [Property.Option] = []
  var originProperty: String?
}
