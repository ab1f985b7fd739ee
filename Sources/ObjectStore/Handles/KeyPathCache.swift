/// The attributes of recently used key paths, by the addresses of the key paths.
struct KeyPathCache: ~Copyable {
  private let known: UnsafeMutablePointer<KnownKeyPath>
  private static let count = 64
  /// Retains the key paths and entries that are identified by address.
  private var kept: [(AnyKeyPath, ClassEntry)] = []
  private static let keptLimit = 1024

  private struct KnownKeyPath {
    var keyPath: UnsafeRawPointer?
    var entry: UnsafeRawPointer?
    var attribute = 0
  }

  init() {
    known = .allocate(capacity: Self.count)
    known.initialize(repeating: KnownKeyPath(), count: Self.count)
  }

  deinit {
    known.deallocate()
  }

  /// The index of the attribute that a key path refers to.
  /// - Throws: `invalidKeyPath` if the key path does not refer to a stored attribute of the class itself.
  @inline(__always)
  mutating func attribute(_ keyPath: AnyKeyPath, _ entry: ClassEntry) throws -> Int {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque())
    let candidate = known + (Int(bitPattern: address) >> 4 & (Self.count - 1))
    if candidate.pointee.keyPath == address,
      candidate.pointee.entry == UnsafeRawPointer(Unmanaged.passUnretained(entry).toOpaque())
    {
      return candidate.pointee.attribute
    }
    return try learn(keyPath, entry, candidate)
  }

  @inline(never)
  private mutating func learn(
    _ keyPath: AnyKeyPath, _ entry: ClassEntry, _ target: UnsafeMutablePointer<KnownKeyPath>
  ) throws -> Int {
    let names = try _KeyPathRecorder.names(keyPath)
    guard names.count == 1, let attribute = entry.attribute(names[0]) else {
      throw StoreError(
        .invalidKeyPath(
          "\(entry.schema.className): '\(names.joined(separator: "."))' "
            + "cannot be assigned here; name one attribute of the class itself"))
    }
    if kept.count >= Self.keptLimit {
      // Entries of released key paths must be removed, because their addresses may be reused.
      known.update(repeating: KnownKeyPath(), count: Self.count)
      kept.removeAll()
    }
    kept.append((keyPath, entry))
    target.pointee = KnownKeyPath(
      keyPath: UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque()),
      entry: UnsafeRawPointer(Unmanaged.passUnretained(entry).toOpaque()),
      attribute: attribute.index)
    return attribute.index
  }
}
