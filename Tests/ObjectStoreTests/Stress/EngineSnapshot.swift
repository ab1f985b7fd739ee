import TestSupport

@testable import ObjectStore

/// All rows of the domain as shown by a handle, in the form of ``NaiveStore/snapshot()``.
struct EngineSnapshot {
  typealias Value = NaiveStore.Value
  typealias Pair = NaiveStore.Pair

  private let handle: StoreHandle
  private var places: [Int: [Int: Int]] = [:]

  static func of(_ handle: StoreHandle) -> [String: [[String: Value]]] {
    var snapshot = EngineSnapshot(handle)
    return snapshot.read()
  }

  private init(_ handle: StoreHandle) {
    self.handle = handle
  }

  private mutating func slots(_ type: ObjectBase.Type) -> [Int] {
    let table = handle.trustedEntry(type).table
    var slots: [Int] = []
    handle.tableVersion(table).forEachLive {
      slots.append($0)
      return true
    }
    places[table] = Dictionary(
      uniqueKeysWithValues: slots.enumerated().map { ($0.element, $0.offset) })
    return slots
  }

  private mutating func read() -> [String: [[String: Value]]] {
    let owners = slots(EngineOwner.self)
    let animals = slots(EngineAnimal.self)
    let farms = slots(EngineFarm.self)
    let notes = slots(EngineNote.self)
    let collars = slots(EngineCollar.self)
    let bells = slots(EngineBell.self)
    return [
      "Owner": owners.map { owner($0) }, "Animal": animals.map { animal($0) },
      "Farm": farms.map { farm($0) }, "Note": notes.map { note($0) },
      "Collar": collars.map { collar($0) }, "Bell": bells.map { bell($0) },
    ]
  }

  private func object<T: ObjectBase>(_ slot: Int) -> T {
    handle.object(handle.trustedEntry(T.self), slot)
  }

  private func link(_ target: ObjectBase?) -> Value {
    guard let target, let table = target.storage?.pointee.table else { return .null }
    return .int(places[table]?[target.slot] ?? -1)
  }

  private func links(_ targets: some Sequence<some ObjectBase>) -> Value {
    .list(targets.map { link($0) })
  }

  private func unknown(_ object: ObjectBase) -> Value {
    .list(object.unknownAttributes.map { .string($0) })
  }

  private func owner(_ slot: Int) -> [String: Value] {
    let owner: EngineOwner = object(slot)
    return [
      "unknown": unknown(owner),
      "id": .string(owner.id), "name": owner.name.map { .string($0) } ?? .null,
      "rank": .int(owner.rank), "friend": link(owner.friend),
    ]
  }

  private func animal(_ slot: Int) -> [String: Value] {
    let animal: EngineAnimal = object(slot)
    let colors = animal.colors.map { Value.string($0) }.sorted { "\($0)" < "\($1)" }
    return [
      "unknown": unknown(animal),
      "id": .int(animal.id), "name": .string(animal.name), "legs": .int(animal.legs),
      "weight": .number(animal.weight), "isWild": animal.isWild.map { .bool($0) } ?? .null,
      "isTame": .bool(animal.isTame), "owner": link(animal.owner),
      "tags": .list(animal.tags.map { .string($0) }),
      "doses": .list(animal.doses.map { $0.map { .number($0) } ?? .null }),
      "colors": .list(colors),
      "scores": .map(animal.scores.map { Pair($0.key, .int($0.value)) }),
      "friends": links(animal.friends), "note": link(animal.note), "notes": links(animal.notes),
      "collar": link(animal.collar),
    ]
  }

  private func farm(_ slot: Int) -> [String: Value] {
    let farm: EngineFarm = object(slot)
    return [
      "unknown": unknown(farm),
      "id": .int(farm.id), "name": .string(farm.name), "animals": links(farm.animals),
      "boss": link(farm.boss),
      "herd": .list(farm.herd.map(link).sorted { "\($0)" < "\($1)" }),
      "byName": .map(farm.byName.map { Pair($0.key, link($0.value)) }),
      "notesByDay": .map(farm.notesByDay.map { Pair($0.key, link($0.value)) }),
      "collars": links(farm.collars),
    ]
  }

  private func note(_ slot: Int) -> [String: Value] {
    let note: EngineNote = object(slot)
    return [
      "unknown": unknown(note),
      "text": .string(note.text), "stars": note.stars.map { .int($0) } ?? .null,
      "author": link(note.author), "replies": links(note.replies),
    ]
  }

  private func collar(_ slot: Int) -> [String: Value] {
    let collar: EngineCollar = object(slot)
    return [
      "unknown": unknown(collar),
      "color": .string(collar.color), "size": .int(collar.size), "maker": link(collar.maker),
      "bells": links(collar.bells), "label": link(collar.label),
    ]
  }

  private func bell(_ slot: Int) -> [String: Value] {
    let bell: EngineBell = object(slot)
    return [
      "unknown": unknown(bell), "tone": .int(bell.tone),
    ]
  }
}

extension NaiveStore {
  /// The domain of the engine's tests.
  static var domain: NaiveStore {
    NaiveStore([
      Model(
        "Owner", .keyed("id"),
        [
          ("id", .scalar(.string(""))), ("name", .scalar(.null)), ("rank", .scalar(.int(0))),
          ("friend", .link("Owner")),
        ]),
      Model(
        "Animal", .keyed("id"),
        [
          ("id", .scalar(.int(0))), ("name", .scalar(.string("unnamed"))),
          ("legs", .scalar(.int(4))), ("weight", .scalar(.number(0))), ("isWild", .scalar(.null)),
          ("isTame", .scalar(.bool(false))), ("owner", .link("Owner")), ("tags", .values),
          ("doses", .values), ("colors", .valueSet), ("scores", .valueMap),
          ("friends", .links("Animal")), ("note", .link("Note")), ("notes", .links("Note")),
          ("collar", .link("Collar")),
        ]),
      Model(
        "Farm", .keyed("id"),
        [
          ("id", .scalar(.int(0))), ("name", .scalar(.string(""))), ("animals", .links("Animal")),
          ("boss", .link("Animal")), ("herd", .linkSet("Animal")),
          ("byName", .linkMap("Animal", keepsKeys: true)),
          ("notesByDay", .linkMap("Note", keepsKeys: false)), ("collars", .links("Collar")),
        ]),
      Model(
        "Note", .keyless,
        [
          ("text", .scalar(.string(""))), ("stars", .scalar(.null)), ("author", .link("Owner")),
          ("replies", .links("Note")),
        ]),
      Model(
        "Collar", .embedded,
        [
          ("color", .scalar(.string("red"))), ("size", .scalar(.int(0))), ("maker", .link("Owner")),
          ("bells", .links("Bell")), ("label", .link("Note")),
        ]),
      Model("Bell", .embedded, [("tone", .scalar(.int(0)))]),
    ])
  }
}

extension UpdateValue {
  /// Creates the value as it appears in an update dictionary; rows are looked up by `reference`.
  init(_ value: NaiveStore.Value, reference: (NaiveStore.Row) -> ObjectBase) {
    self =
      switch value {
      case .null, .node: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(Int64(value))
      case .double(let bits): .double(Double(bitPattern: bits))
      case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
      case .list(let values): .array(values.map { UpdateValue($0, reference: reference) })
      case .map(let pairs), .content(_, let pairs):
        .object(
          UpdateDictionary(pairs.map { ($0.key, UpdateValue($0.value, reference: reference)) }))
      case .row(let row): UpdateValue(reference(row))
      }
  }
}
