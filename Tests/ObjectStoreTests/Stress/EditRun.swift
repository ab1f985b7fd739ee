import TestSupport
import Testing

@testable import ObjectStore

/// Collections with elements of every kind.
final class EditedBarn: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var weights: List<Double?>
  @Persisted var names: List<String>
  @Persisted var notes: List<String?>
  @Persisted var animals: List<Animal>
  @Persisted var places: List<Address>
  @Persisted var numberSet: MutableSet<Int>
  @Persisted var weightSet: MutableSet<Double?>
  @Persisted var nameSet: MutableSet<String>
  @Persisted var noteSet: MutableSet<String?>
  @Persisted var animalSet: MutableSet<Animal>
  @Persisted var counts: Map<String, Int>
  @Persisted var words: Map<String, String?>
  @Persisted var herd: Map<String, Animal?>
  @Persisted var homes: Map<String, Address?>
}

/// Elements compared by their strings, because the model contains no objects of the store.
struct ElementKind<Element> {
  var make: (inout SeededRandom) -> Element
  var text: (Element) -> String
  var isEmbedded = false
}

/// A collection and its model.
protocol Edited: AnyObject {
  func edit(_ random: inout SeededRandom)
  func difference(_ barn: EditedBarn, _ model: [String]) -> String?
  /// Returns an observer; nil for embedded objects, which may have equal strings.
  func watch() -> ElementWatch?
  var model: [String] { get set }
}

final class EditedList<Element: CollectionElement>: Edited {
  let read: (EditedBarn) -> List<Element>
  let barn: EditedBarn
  let kind: ElementKind<Element>
  var model: [String] = []

  init(
    _ barn: EditedBarn, _ kind: ElementKind<Element>,
    _ read: @escaping (EditedBarn) -> List<Element>
  ) {
    (self.barn, self.kind, self.read) = (barn, kind, read)
  }

  func difference(_ barn: EditedBarn, _ model: [String]) -> String? {
    let found = read(barn).map(kind.text)
    return found == model ? nil : "\(Self.self): \(found), not \(model)"
  }

  private func make(_ random: inout SeededRandom, _ count: Int) -> [Element] {
    (0..<count).map { _ in kind.make(&random) }
  }

  func watch() -> ElementWatch? {
    if kind.isEmbedded { return nil }
    let (collection, kind) = (read(barn), kind)
    return ElementWatch("\(Self.self)", collection, isList: true) {
      collection.map { (kind.text($0), "") }
    }
  }

  func edit(_ random: inout SeededRandom) {
    var list = read(barn)
    let count = list.count
    let (i, j) = (random.below(max(1, count)), random.below(max(1, count)))
    let new = make(&random, random.below(5))
    let texts = new.map(kind.text)
    switch random.below(count == 0 ? 4 : 18) {
    case 0:
      list.append(contentsOf: new)
      model += texts
    case 1:
      let more = make(&random, 40)
      list.insert(contentsOf: more, at: 0)
      model.insert(contentsOf: more.map(kind.text), at: 0)
    case 2:
      let element = kind.make(&random)
      list.append(element)
      model.append(kind.text(element))
    case 3:
      for element in new.reversed() { list.insert(element, at: 0) }
      model.insert(contentsOf: texts, at: 0)
    case 4, 5:
      let element = kind.make(&random)
      list.insert(element, at: i)
      model.insert(kind.text(element), at: i)
    case 6, 7:
      #expect(kind.text(list.remove(at: i)) == model.remove(at: i))
    case 8:
      #expect(kind.text(list.removeLast()) == model.removeLast())
    case 9:
      #expect(kind.text(list.removeFirst()) == model.removeFirst())
    case 10, 11:
      list.move(from: i, to: j)
      model.insert(model.remove(at: i), at: j)
    case 12:
      list.swapAt(i, j)
      model.swapAt(i, j)
    case 13:
      let element = kind.make(&random)
      list[i] = element
      model[i] = kind.text(element)
    case 14:
      list.replaceSubrange(min(i, j)..<max(i, j), with: new)
      model.replaceSubrange(min(i, j)..<max(i, j), with: texts)
    case 15:
      // A copy of another element of the list.
      list[i] = list[j]
      model[i] = model[j]
    case 16:
      list.reverse()
      model.reverse()
      let first = Character("\(random.below(10))")
      list.removeAll { kind.text($0).contains(first) }
      model.removeAll { $0.contains(first) }
    default:
      list.sort { kind.text($0) < kind.text($1) }
      model.sort()
      list.append(contentsOf: list.prefix(3))
      model += model.prefix(3)
    }
  }
}

final class EditedSet<Element: CollectionElement & Hashable>: Edited {
  let read: (EditedBarn) -> MutableSet<Element>
  let barn: EditedBarn
  let kind: ElementKind<Element>
  var model: [String] = []

  init(
    _ barn: EditedBarn, _ kind: ElementKind<Element>,
    _ read: @escaping (EditedBarn) -> MutableSet<Element>
  ) {
    (self.barn, self.kind, self.read) = (barn, kind, read)
  }

  func difference(_ barn: EditedBarn, _ model: [String]) -> String? {
    let found = read(barn).map(kind.text).sorted()
    return found == model ? nil : "\(Self.self): \(found), not \(model)"
  }

  func watch() -> ElementWatch? {
    if kind.isEmbedded { return nil }
    let (collection, kind) = (read(barn), kind)
    return ElementWatch("\(Self.self)", collection) { collection.map { (kind.text($0), "") } }
  }

  func edit(_ random: inout SeededRandom) {
    let set = read(barn)
    let element = kind.make(&random)
    var all = Set(model)
    switch random.below(4) {
    case 0, 1:
      #expect(set.contains(element) == all.contains(kind.text(element)))
      set.insert(element)
      all.insert(kind.text(element))
      #expect(set.contains(element))
    case 2:
      set.remove(element)
      all.remove(kind.text(element))
      #expect(!set.contains(element))
    default:
      let new = (0..<random.below(8)).map { _ in kind.make(&random) }
      set.insert(contentsOf: new)
      all.formUnion(new.map(kind.text))
    }
    model = all.sorted()
  }
}

final class EditedMap<Value: CollectionElement>: Edited {
  let read: (EditedBarn) -> Map<String, Value>
  let barn: EditedBarn
  let kind: ElementKind<Value>
  var model: [String] {
    get { texts() }
    set { pairs = Self.pairs(newValue) }
  }
  private var pairs: [String: String] = [:]

  init(
    _ barn: EditedBarn, _ kind: ElementKind<Value>,
    _ read: @escaping (EditedBarn) -> Map<String, Value>
  ) {
    (self.barn, self.kind, self.read) = (barn, kind, read)
  }

  private func texts() -> [String] { pairs.map { "\($0)=\($1)" }.sorted() }

  private static func pairs(_ texts: [String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: texts.map { text in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts[1]))
      })
  }

  func difference(_ barn: EditedBarn, _ model: [String]) -> String? {
    let found = read(barn).map { "\($0)=\(kind.text($1))" }.sorted()
    return found == model ? nil : "\(Self.self): \(found), not \(model)"
  }

  func watch() -> ElementWatch? {
    if kind.isEmbedded { return nil }
    let (collection, kind) = (read(barn), kind)
    return ElementWatch("\(Self.self)", collection) {
      collection.map { pair in ("\(pair.key)", kind.text(pair.value)) }
    }
  }

  func edit(_ random: inout SeededRandom) {
    let map = read(barn)
    let key = "key \(random.below(60))"
    if random.once(in: 4) {
      map[key] = nil
      pairs[key] = nil
    } else {
      let value = kind.make(&random)
      map[key] = .some(value)
      pairs[key] = kind.text(value)
    }
    #expect(map[key].map(kind.text) == pairs[key])
  }
}

final class EditRun {
  let store: Store
  let barn = EditedBarn()
  private var random: SeededRandom
  private var edited: [any Edited] = []
  private var watches: [ElementWatch] = []
  private var views: [(barn: EditedBarn, handle: StoreHandle, models: [[String]])] = []

  init(seed: UInt64, _ store: Store) throws {
    random = SeededRandom(seed: seed)
    self.store = store
    let barn = barn
    let animals = (0..<30).map { Animal(id: $0, name: "animal \($0)") }
    try store.write {
      try store.add(barn)
      for animal in animals { try store.add(animal) }
    }
    let number = ElementKind<Int>(make: { $0.below(200) }, text: { "\($0)" })
    let name = ElementKind<String>(
      make: { String(repeating: "n", count: $0.below(9)) + "\($0.below(40))" }, text: { $0 })
    let animal = ElementKind<Animal>(make: { animals[$0.below(30)] }, text: { $0.name })
    let place = ElementKind<Address>(
      make: { Address(street: "street \($0.below(50))") }, text: { $0.street }, isEmbedded: true)
    func optional<E>(_ kind: ElementKind<E>) -> ElementKind<E?> {
      ElementKind<E?>(
        make: { $0.once(in: 4) ? nil : kind.make(&$0) }, text: { $0.map(kind.text) ?? "nil" },
        isEmbedded: kind.isEmbedded)
    }
    let weight = optional(
      ElementKind<Double>(make: { Double($0.below(90)) / 2 }, text: { "\($0)" }))
    edited = [
      EditedList(barn, number, \.numbers), EditedList(barn, weight, \.weights),
      EditedList(barn, name, \.names), EditedList(barn, optional(name), \.notes),
      EditedList(barn, animal, \.animals), EditedList(barn, place, \.places),
      EditedSet(barn, number, \.numberSet), EditedSet(barn, weight, \.weightSet),
      EditedSet(barn, name, \.nameSet), EditedSet(barn, optional(name), \.noteSet),
      EditedSet(barn, animal, \.animalSet),
      EditedMap(barn, number, \.counts), EditedMap(barn, optional(name), \.words),
      EditedMap(barn, optional(animal), \.herd), EditedMap(barn, optional(place), \.homes),
    ]
  }

  /// Observes the collections whose elements have distinct strings.
  func observe() {
    watches = edited.compactMap { $0.watch() }
    store.refresh()
  }

  /// Returns the first collection whose reported changes differ from a comparison of all elements.
  func observedDifference() -> String? {
    store.refresh()
    for watch in watches {
      if let text = watch.difference() { return text }
    }
    return nil
  }

  /// Returns the first collection that differs in another store.
  func difference(in other: Store) throws -> String? {
    guard let barn = other.object(ofType: EditedBarn.self, forPrimaryKey: barn.id) else {
      return "there is no barn: \(other.damage)"
    }
    for collection in edited {
      if let text = collection.difference(barn, collection.model) { return text }
    }
    return other.damage.first.map { "\($0)" }
  }

  func write() throws {
    try undoable {
      for _ in 0..<3 {
        edits()
        if random.once(in: 3) { freeze() }
        if random.once(in: 3) { try undoable { edits() } }
      }
      edits()
    }
    if random.once(in: 2) { freeze() }
    if views.count > 6 { views.remove(at: random.below(views.count)) }
  }

  private func undoable(_ body: () throws -> Void) throws {
    let models = edited.map(\.model)
    do {
      try store.write {
        try body()
        if random.once(in: 3) { throw Undo() }
      }
    } catch is Undo {
      for (collection, model) in zip(edited, models) { collection.model = model }
    }
  }

  /// Makes many edits to some collections and a few to all. Loops must visit the elements that existed at their start.
  private func edits() {
    for collection in edited {
      for _ in 0..<(random.once(in: 6) ? 12 : random.below(3)) { collection.edit(&random) }
    }
    let (numbers, names) = (Array(barn.numbers), Array(barn.names))
    var seen: [Int] = []
    for number in barn.numbers {
      if seen.count < 3 { edited[0].edit(&random) }
      seen.append(number)
    }
    #expect(seen == numbers)
    var seenNames: [String] = []
    for name in barn.names {
      if seenNames.count < 3 { edited[2].edit(&random) }
      seenNames.append(name)
    }
    #expect(seenNames == names)
  }

  private func freeze() {
    let handle = store.handle.freeze()
    let view = handle.object(handle.trustedEntry(EditedBarn.self), barn.slot) as EditedBarn
    views.append((view, handle, edited.map(\.model)))
  }

  func difference() -> String? {
    for collection in edited {
      if let text = collection.difference(barn, collection.model) { return text }
    }
    for (place, view) in views.enumerated() {
      for (collection, model) in zip(edited, view.models) {
        if let text = collection.difference(view.barn, model) { return "view \(place): \(text)" }
      }
    }
    return nil
  }
}
