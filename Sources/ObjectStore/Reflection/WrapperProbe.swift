import ObjectStoreShims

/// Hands out tags to the wrappers made on this thread while it runs.
final class WrapperProbe {
  private var flagsByTag: [UInt32: AttributeFlags] = [:]
  // Tags begin at random, so that stale memory does not look like one.
  private var nextTag = UInt32.random(in: 0x4000_0000...0x7FFF_FFFF) | 1

  /// Wrappers made while it ran.
  var count: Int { flagsByTag.count }

  func run<R>(_ body: () -> R) -> R {
    let outer = store_wrapper_mode_get()
    store_wrapper_mode_set(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    defer { store_wrapper_mode_set(outer) }
    return withExtendedLifetime(self) { body() }
  }

  func flags(_ tag: UInt32) -> AttributeFlags? { flagsByTag[tag] }

  fileprivate func register(_ flags: AttributeFlags) -> UInt32 {
    // An odd step: all 2³² numbers come before one comes again.
    nextTag &+= 0x9E37_79B2
    flagsByTag[nextTag] = flags
    return nextTag
  }
}

/// The tag of a wrapper made while a probe runs, of an attribute of which nothing is said.
@usableFromInline @inline(never)
func takeProbeTag() -> UInt32 { takeProbeTag(AttributeFlags()) }

/// The tag of a wrapper made while a probe runs, with its role and its JSON key.
@usableFromInline @inline(never)
func takeProbeTag(isPrimaryKey: Bool, isIndexed: Bool, json: String?) -> UInt32 {
  takeProbeTag(AttributeFlags(isPrimaryKey: isPrimaryKey, isIndexed: isIndexed, json: json))
}

/// The tag of a wrapper made while a probe runs, of a text whose words may be searched.
@usableFromInline @inline(never)
func takeProbeTag(isIndexed: Bool, isSearchable: Bool, json: String?) -> UInt32 {
  takeProbeTag(AttributeFlags(isIndexed: isIndexed, isSearchable: isSearchable, json: json))
}

/// The tag of a wrapper made while a probe runs.
@usableFromInline @inline(never)
func takeProbeTag(_ flags: AttributeFlags) -> UInt32 {
  guard let address = UnsafeRawPointer(bitPattern: store_wrapper_mode_get()) else { return 0 }
  // The probe keeps itself alive while its address is the mode; see `WrapperProbe.run`.
  return Unmanaged<WrapperProbe>.fromOpaque(address).takeUnretainedValue().register(flags)
}

/// What a declaration says about an attribute besides its type.
@usableFromInline
struct AttributeFlags {
  var isPrimaryKey = false
  var isIndexed = false
  var isSearchable = false
  var json: String?
  var options: [Property.Option] = []
  var originProperty: String?

  @usableFromInline
  init(
    isPrimaryKey: Bool = false, isIndexed: Bool = false, isSearchable: Bool = false,
    json: String? = nil, options: [Property.Option] = [], originProperty: String? = nil
  ) {
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    self.isSearchable = isSearchable
    self.json = json
    self.options = options
    self.originProperty = originProperty
  }
}
