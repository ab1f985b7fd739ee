/// Where the first value of each kind stands, as bytes from the beginning of a file.
struct FirstPlaces {
  enum Kind: Int, CaseIterable { case bool, number, string, array, object }

  private var places = [Int](repeating: .max, count: Kind.allCases.count)

  mutating func note(_ kind: Kind, at place: Int) {
    places[kind.rawValue] = min(places[kind.rawValue], place)
  }

  mutating func merge(_ other: FirstPlaces) {
    for kind in Kind.allCases { note(kind, at: other.places[kind.rawValue]) }
  }

  /// The first value of any kind but one; nil if there is none.
  func first(but kind: Kind? = nil) -> Int? {
    Kind.allCases.filter { $0 != kind }.map { places[$0.rawValue] }.min()
      .flatMap { $0 == .max ? nil : $0 }
  }
}
