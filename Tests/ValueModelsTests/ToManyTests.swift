import ObjectStore
import TestSupport
import Testing
import ValueModels

/// App code that uses only the protocols.
private func summary(_ place: any PlaceInfo) -> String {
  let comments = place.comments
  return "\(place.name): \(comments.count), \(comments.first?.text ?? "–"), "
    + comments.map(\.text).joined(separator: "/")
}

@Suite struct `To-many collections` {
  private func cafe() throws -> (Store, PlaceObject) {
    let store = try Store()
    let place = try store.write {
      try store.create(
        PlaceObject.self,
        value: ["name": "Café", "storedComments": [["text": "nice"], ["text": "loud"]]])
    }
    return (store, place)
  }

  @Test func `the same code runs on two implementations of its protocols`() throws {
    let (_, place) = try cafe()
    #expect(summary(place) == "Café: 2, nice, nice/loud")
    #expect(summary(PlainPlace(name: "Bar", texts: ["a"])) == "Bar: 1, a, a")
    #expect(summary(PlainPlace(name: "Nowhere", texts: [])) == "Nowhere: 0, –, ")
    #expect(place.comments[1].place?.name == "Café")
  }

  @Test func `a to-many collection shows the current contents of its source`() throws {
    let (store, place) = try cafe()
    let comments = place.comments
    let snapshot = comments.snapshot()
    try store.write {
      place.storedComments.removeLast()
      place.storedComments[0].text = "very nice"
    }
    #expect(comments.map(\.text) == ["very nice"])
    #expect(snapshot.count == 2)
    try store.write { place.storedComments.removeAll() }
    #expect(comments.first == nil)
    #expect(comments.last == nil)
    #expect(comments.isEmpty)
  }

  @Test func `a to-many collection wraps lists, results, inverse links and arrays`() throws {
    let (store, place) = try cafe()
    let results = store.objects(CommentObject.self).where { $0.text == "loud" }
    #expect(ToMany(results, as: \.text).snapshot() == ["loud"])
    #expect(ToMany(place.storedComments, as: \.text).snapshot() == ["nice", "loud"])
    #expect(ToMany(place.storedComments[0].places, as: \.name).snapshot() == ["Café"])
    #expect(ToMany([1, 2]).reversed() == [2, 1])
    #expect(ToMany([1, 2, 3][1...]).snapshot() == [2, 3])
    #expect(ToMany([1, 2, 3])[1...].map { $0 * 2 } == [4, 6])
  }

  @Test func `a loop ends early if the source becomes shorter`() throws {
    let (store, place) = try cafe()
    var seen: [String] = []
    for comment in place.comments {
      seen.append(comment.text)
      try store.write { place.storedComments.removeAll() }
    }
    #expect(seen == ["nice"])
  }

  @Test func `map ends early if the source becomes shorter`() throws {
    let (store, place) = try cafe()
    let seen = place.comments.map { comment in
      defer { try? store.write { place.storedComments.removeAll() } }
      return comment.text
    }
    #expect(seen == ["nice"])
    #expect(throws: CancellationError.self) {
      try ToMany([1, 2]).map { _ in throw CancellationError() }
    }
  }

  @Test func `an index out of bounds of a to-many collection stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = ToMany([1, 2])[2]
    }
    result.says("ToMany<Int> index must be in 0..<2 (was 2)")
  }
}
