import ObjectStore
import TestSupport
import Testing

@Suite struct `Suggested names` {
  @Test(
    arguments: [
      ("nmae", "name"), ("NAME", "name"), ("nam", "name"), ("names", "name"), ("i", "id"),
      ("di", "id"), ("ledgs", "legs"), ("born_on", "bornOn"), ("fristNmae", "firstName"),
      ("lengthInMetres", "lengthInMeters"),
      ("nix", nil), ("x", nil), ("no", nil), ("nemo", nil), ("legends", nil), ("", nil),
      ("nothing of the kind", nil),
    ] as [(String, String?)])
  func `only a sufficiently similar name is suggested`(_ name: String, _ meant: String?) {
    let names = ["id", "name", "legs", "bornOn", "firstName", "lengthInMeters"]
    #expect(Suggestion.nearest(to: name, among: names) == meant)
  }

  @Test(arguments: [("x", "y"), ("", "a"), ("a", ""), ("x", "é")])
  func `a name without a letter in common is never suggested`(
    _ name: String, _ other: String
  ) {
    #expect(Suggestion.nearest(to: name, among: [other]) == nil)
  }

  @Test(
    arguments: [
      ("nix", "Animal: 'nix' is not an attribute"),
      ("lges", "Animal: 'lges' is not an attribute; did you mean 'legs'?"),
    ])
  func `an update with an unknown attribute suggests a similar name, if there is one`(
    _ name: String, _ text: String
  ) throws {
    let store = try Store()
    let error = #expect(throws: StoreError.self) {
      try store.write { try store.create(Animal.self, value: ["id": 1, name: 2]) }
    }
    #expect(error?.description == text)
  }
}
