/// The byte offset in a file of the first value of each kind.
struct FirstOffsets {
  enum Kind: Int, CaseIterable { case bool, number, string, array, object }

  private var offsets = [Int](repeating: .max, count: Kind.allCases.count)

  mutating func note(_ kind: Kind, at offset: Int) {
    offsets[kind.rawValue] = min(offsets[kind.rawValue], offset)
  }

  mutating func merge(_ other: FirstOffsets) {
    for kind in Kind.allCases { note(kind, at: other.offsets[kind.rawValue]) }
  }

  /// The offset of the first value of any kind except `kind`; nil if there is none.
  func first(but kind: Kind? = nil) -> Int? {
    Kind.allCases.filter { $0 != kind }.map { offsets[$0.rawValue] }.min()
      .flatMap { $0 == .max ? nil : $0 }
  }
}
