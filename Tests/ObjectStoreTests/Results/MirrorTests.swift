import ObjectStore
import TestSupport
import Testing

@Suite struct `Output of dump` {
  private func dumped(_ value: Any, depth: Int = .max) -> String {
    var text = ""
    dump(value, to: &text, maxDepth: depth)
    return text
  }

  @Test(arguments: [false, true])
  func `dump prints collections like standard collections`(isManaged: Bool) throws {
    let farm = Farm(name: "A")
    farm.colours = ["red"]
    farm.prices = ["milk": 0.5]
    let animal = Animal(id: 1)
    animal.tags = ["shy", "tall"]
    let store = try Store()
    if isManaged {
      try store.write {
        try store.add(farm)
        try store.add(animal)
      }
    }
    #expect(
      dumped(animal.tags) == """
        ▿ 2 elements
          - "shy"
          - "tall"

        """)
    #expect(
      dumped(farm.colours) == """
        ▿ 1 member
          - "red"

        """)
    #expect(
      dumped(farm.prices) == """
        ▿ 1 key/value pair
          ▿ (2 elements)
            - key: "milk"
            - value: 0.5

        """)
    #expect(dumped(farm.animals) == "- 0 elements\n")
  }

  @Test func `dump prints results as their objects`() throws {
    let store = try Store()
    try store.write {
      for id in 1...2 { try store.create(Note.self, value: ["text": .string("note \(id)")]) }
    }
    let notes = store.objects(Note.self)
    // The number after each object depends on reuse of memory: objects are created while `dump` prints.
    #expect(
      dumped(notes, depth: 1).replacing(#/ #\d/#, with: "") == """
        ▿ 2 elements
          ▹ Note(text: "note 1")
          ▹ Note(text: "note 2")

        """)
    #expect(dumped(notes.where { $0.text == "none" }) == "- 0 elements\n")
    // Only the version of the store is printed.
    let whole = dumped(notes)
    #expect(whole.contains("version: 1"))
    #expect(!whole.contains("core") && !whole.contains("engine"), "\(whole)")
  }
}
