extension HandleObservers {
  /// The differences between the version shown and earlier versions. The last one is cached for the next observer.
  struct Differences {
    let shown: Version
    private let engine: StoreEngine
    private let known = Known()

    private final class Known {
      var last: VersionDifference?
    }

    init(_ handle: StoreHandle) {
      shown = handle.version
      engine = handle.engine
    }

    func since(_ earlier: Version) -> VersionDifference {
      assert(earlier.number <= shown.number, "An observer has seen a later version")
      if let last = known.last, last.earlier === earlier { return last }
      let difference = VersionDifference(earlier, shown, engine)
      known.last = difference
      return difference
    }
  }
}
