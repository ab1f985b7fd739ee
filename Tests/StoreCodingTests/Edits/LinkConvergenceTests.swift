import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private final class Guest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  override class var tracksEdits: Bool { true }
}

private final class Desk: EmbeddedObject {
  @Persisted var user: Guest?
}

private final class Room: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note = ""
  @Persisted var owner: Guest?
  @Persisted var desk: Desk?
  @Persisted var guests: List<Guest>
  override class var tracksEdits: Bool { true }
}

/// The rooms and guests, as a server has them or as the user wants them.
private struct House: Equatable {
  struct Room: Equatable {
    var note = ""
    var owner: Int?
    var user: Int?
    var guests: Set<Int> = []
  }

  var rooms: [Int: Room] = [:]
  var guests: [Int: String] = [:]

  /// Deletes a guest and the links to it.
  mutating func delete(_ guest: Int) {
    guests[guest] = nil
    for id in rooms.keys {
      if rooms[id]?.owner == guest { rooms[id]?.owner = nil }
      if rooms[id]?.user == guest { rooms[id]?.user = nil }
      rooms[id]?.guests.remove(guest)
    }
  }

  var text: String { String(decoding: roomList + guestList, as: UTF8.self) }

  var roomList: Data {
    list(rooms.keys.sorted()) { id, room in
      func link(_ guest: Int?) -> String { guest.map { #"{"id":\#($0)}"# } ?? "null" }
      let guests = room.guests.sorted().map { link($0) }.joined(separator: ",")
      return #"{"id":\#(id),"note":"\#(room.note)","owner":\#(link(room.owner)),"#
        + #""desk":{"user":\#(link(room.user))},"guests":[\#(guests)]}"#
    }
  }

  var guestList: Data {
    Data(
      "[\(guests.keys.sorted().map { #"{"id":\#($0),"name":"\#(guests[$0]!)"}"# }.joined(separator: ","))]"
        .utf8)
  }

  private func list(_ ids: [Int], _ text: (Int, Room) -> String) -> Data {
    Data("[\(ids.map { text($0, rooms[$0]!) }.joined(separator: ","))]".utf8)
  }
}

/// One user, one server, and a network that loses and delays messages. Whatever happens, the user sees what the user wants,
/// and the server has it in the end.
private final class LinkRun {
  private let configuration: StoreConfiguration
  private var coder: StoreCoder
  private var store: Store { coder.store }
  private var random: SeededRandom
  private var server = House()
  private var wish = House()
  /// The links that return with a deleted guest, by room.
  private var lostOwners: [Int: Int] = [:]
  private var lostUsers: [Int: Int] = [:]
  private var lostGuests: [Int: Set<Int>] = [:]
  /// The edits under way; true if the server has applied the edit.
  private var inFlight: [(edit: Edit, isApplied: Bool)] = []
  /// A response that has not arrived.
  private var late: (house: House, version: StoreVersion)?
  /// The guests that have their former names until the next refresh, because the server's name was unknown.
  private var reverted: Set<Int> = []
  private(set) var log: [String] = []
  private let isFile: Bool

  init(seed: UInt64, _ configuration: StoreConfiguration, isFile: Bool) throws {
    random = SeededRandom(seed: seed)
    self.configuration = configuration
    self.isFile = isFile
    coder = StoreCoder(store: try Store(configuration: configuration, isolation: nil))
    for id in 1...2 { server.rooms[id] = House.Room() }
    for id in 1...3 { server.guests[id] = "g" }
    wish = server
    try read(server, nil)
  }

  private func guest(_ id: Int) -> Guest? { store.object(ofType: Guest.self, forPrimaryKey: id) }

  private func room(_ id: Int) throws -> Room {
    try #require(store.object(ofType: Room.self, forPrimaryKey: id))
  }

  private func read(_ house: House, _ version: StoreVersion?) throws {
    if let version {
      _ = try coder.read([Guest].self, from: house.guestList, asOf: version)
      _ = try coder.read([Room].self, from: house.roomList, asOf: version)
    } else {
      _ = try coder.read([Guest].self, from: house.guestList)
      _ = try coder.read([Room].self, from: house.roomList)
    }
  }

  private func hasDeletion(_ id: Int) throws -> Bool {
    try store.pendingEdits().contains {
      $0.kind == .deleted && $0.type == Guest.self && $0.key == .int(Int64(id))
    }
  }

  // MARK: - Steps

  func step() throws {
    let id = 1 + random.below(4)
    let roomID = 1 + random.below(2)
    switch random.below(20) {
    case 0, 1: try setLink(roomID, \.owner, &lostOwners, "owner") { $0.owner = $1 }
    case 2:
      try setLink(roomID, \.user, &lostUsers, "user") { room, guest in
        if room.desk == nil { room.desk = Desk() }
        room.desk?.user = guest
      }
    case 3, 4: try toggleGuest(roomID, id)
    case 5:
      let note = "n\(random.below(1_000))"
      log.append("note \(roomID) \(note)")
      try store.write { try room(roomID).note = note }
      wish.rooms[roomID]?.note = note
    case 6:
      guard wish.guests[id] != nil else { return }
      let name = "m\(random.below(1_000))"
      log.append("name \(id) \(name)")
      try store.write { guest(id)?.name = name }
      wish.guests[id] = name
      reverted.remove(id)
    case 7, 8: try deleteGuest(id)
    case 9: try createGuest(id)
    case 10, 11: try revertDeletion(id)
    case 12, 13, 14: try take()
    case 15, 16: try settle()
    case 17:
      log.append("request")
      late = (server, store.holdVersion())
    case 18:
      guard let (house, version) = late else { return }
      log.append("response")
      try read(house, version)
      late = nil
    default:
      guard isFile, random.once(in: 3) else { return }
      log.append("restart")
      (inFlight, late) = ([], nil)
      coder = StoreCoder(store: try Store(isolation: nil))
      coder = StoreCoder(store: try Store(configuration: configuration, isolation: nil))
    }
  }

  private func setLink(
    _ id: Int, _ wished: WritableKeyPath<House.Room, Int?>, _ lost: inout [Int: Int],
    _ name: String,
    _ assign: (Room, Guest?) -> Void
  ) throws {
    // Which link the user wants is unclear while another one may return.
    guard lost[id] == nil else { return }
    let target = random.once(in: 3) ? nil : wish.guests.keys.sorted().randomElement(using: &random)
    log.append("\(name) \(id) \(target.map(String.init) ?? "nil")")
    try store.write { assign(try room(id), target.flatMap { guest($0) }) }
    wish.rooms[id]?[keyPath: wished] = target
  }

  private func toggleGuest(_ id: Int, _ target: Int) throws {
    guard wish.guests[target] != nil, let list = wish.rooms[id]?.guests else { return }
    log.append("guests \(id) \(list.contains(target) ? "-" : "+")\(target)")
    try store.write {
      let guests = try room(id).guests
      if let index = guests.firstIndex(where: { $0.id == target }) {
        guests.remove(at: index)
        wish.rooms[id]?.guests.remove(target)
      } else {
        guests.insert(try #require(guest(target)), at: random.below(guests.count + 1))
        wish.rooms[id]?.guests.insert(target)
      }
    }
  }

  private func deleteGuest(_ id: Int) throws {
    guard let object = guest(id) else { return }
    log.append("delete \(id)")
    for (number, room) in wish.rooms {
      if room.owner == id { lostOwners[number] = id }
      if room.user == id { lostUsers[number] = id }
      if room.guests.contains(id) { lostGuests[id, default: []].insert(number) }
    }
    try store.write { store.delete(object) }
    wish.delete(id)
    reverted.remove(id)
    if try !hasDeletion(id) { forgetLinks(id) }
  }

  private func createGuest(_ id: Int) throws {
    guard wish.guests[id] == nil else { return }
    log.append("create \(id)")
    let name = "c\(random.below(1_000))"
    let returns = try hasDeletion(id)
    try store.write { try store.create(Guest.self, value: ["id": .init(id), "name": .init(name)]) }
    wish.guests[id] = name
    if returns { returnLinks(id) }
    forgetLinks(id)
  }

  private func revertDeletion(_ id: Int) throws {
    guard let object = try store.revertDeletion(of: Guest.self, key: id) else { return }
    log.append("revert \(id)")
    // It has the values that the server has, as far as they are known.
    wish.guests[id] = object.name
    reverted.insert(id)
    returnLinks(id)
    forgetLinks(id)
  }

  private func returnLinks(_ id: Int) {
    for number in wish.rooms.keys {
      if lostOwners[number] == id { wish.rooms[number]?.owner = id }
      if lostUsers[number] == id { wish.rooms[number]?.user = id }
      if lostGuests[id]?.contains(number) ?? false { wish.rooms[number]?.guests.insert(id) }
    }
  }

  private func forgetLinks(_ id: Int) {
    for number in wish.rooms.keys {
      if lostOwners[number] == id { lostOwners[number] = nil }
      if lostUsers[number] == id { lostUsers[number] = nil }
    }
    lostGuests[id] = nil
  }

  // MARK: - Sending

  private func take() throws {
    guard inFlight.count < 3, let edit = try store.takeEdit() else { return }
    let isApplied = !random.once(in: 3)
    log.append("take \(edit)\(isApplied ? "" : ", lost")")
    if isApplied { try apply(edit) }
    inFlight.append((edit, isApplied))
  }

  private func apply(_ edit: Edit) throws {
    guard case .int(let key) = edit.key else { return }
    let id = Int(key)
    func link(_ value: UpdateValue?) throws -> Int? {
      guard case .int(let target)? = value else { return nil }
      #expect(server.guests[Int(target)] != nil, "the server gets a link to a guest that it lacks")
      return Int(target)
    }
    if edit.type == Guest.self {
      if edit.kind == .deleted {
        // A response from before the deletion names an object that the server does not have: a limit.
        late = nil
        return server.delete(id)
      }
      #expect(edit.kind == .created || server.guests[id] != nil, "the server lacks an edited guest")
      if case .string(let name)? = edit.value(of: "name") { server.guests[id] = name }
      return
    }
    for attribute in edit.attributes {
      let value = edit.value(of: attribute)
      switch (attribute, value) {
      case ("note", .string(let note)?): server.rooms[id]?.note = note
      case ("owner", _):
        let owner = try link(value)
        server.rooms[id]?.owner = owner
      case ("desk", .object(let desk)?):
        let user = try link(desk["user"])
        server.rooms[id]?.user = user
      case ("guests", .array(let guests)?):
        let guests = Set(try guests.compactMap { try link($0) })
        server.rooms[id]?.guests = guests
      default: Issue.record("unexpected \(attribute): \(String(describing: value))")
      }
    }
  }

  private func settle() throws {
    guard !inFlight.isEmpty else { return }
    let (edit, isApplied) = inFlight.remove(at: random.below(inFlight.count))
    let outcome: Edit.Outcome =
      isApplied
      ? random.once(in: 3) ? .later : .confirmed : random.once(in: 2) ? .later : .unapplied
    log.append("\(edit) is \(outcome)")
    try store.settle(edit, outcome)
    if case .confirmed = outcome, edit.kind == .deleted, case .int(let id) = edit.key,
      wish.guests[Int(id)] == nil, try !hasDeletion(Int(id))
    {
      forgetLinks(Int(id))
    }
  }

  // MARK: - Checks

  /// The difference between what the user sees and wants; nil if there is none.
  func difference() -> String? {
    var seen = House()
    for room in store.objects(Room.self) {
      seen.rooms[room.id] = House.Room(
        note: room.note, owner: room.owner?.id, user: room.desk?.user?.id,
        guests: Set(room.guests.map(\.id)))
    }
    for guest in store.objects(Guest.self) {
      seen.guests[guest.id] = guest.name
      if reverted.contains(guest.id), guest.editState == .clean {
        wish.guests[guest.id] = guest.name
      }
    }
    return seen == wish ? nil : "seen \(seen.text)\nwish \(wish.text)"
  }

  /// Sends everything, and refreshes.
  func finish() throws -> String? {
    while !inFlight.isEmpty { try settle() }
    late = nil
    for _ in 0..<10 {
      while let edit = try store.takeEdit() {
        log.append("finish \(edit)")
        try apply(edit)
        try store.settle(edit, .confirmed)
      }
      try read(server, nil)
      if let difference = difference() { return difference }
    }
    let pending = try store.pendingEdits()
    if !pending.isEmpty { return "pending \(pending)" }
    return server == wish ? nil : "server \(server.text)\nwish \(wish.text)"
  }
}

@Suite struct `Random edits of links` {
  static var steps: Int { SeededRandom.steps(200) }

  @Test(arguments: SeededRandom.seeds(1...40), [false, true])
  func `the user sees what the user wants, and the server has it in the end`(
    seed: UInt64, isFile: Bool
  ) throws {
    if isFile, seed > 8, !SeededRandom.isThorough { return }
    let folder = try TemporaryFolder()
    let configuration: StoreConfiguration =
      isFile
      ? .file(folder.file("links.store"), classes: [Guest.self, Room.self]) : .inMemory()
    let run = try LinkRun(seed: seed, configuration, isFile: isFile)
    for step in 0..<Self.steps {
      try run.step()
      if let difference = run.difference() {
        Issue.record(
          "seed \(seed), step \(step): \(difference)\n\(run.log.suffix(40).joined(separator: "\n"))"
        )
        return
      }
    }
    if let difference = try run.finish() {
      Issue.record(
        "seed \(seed), at the end: \(difference)\n\(run.log.suffix(60).joined(separator: "\n"))")
    }
  }
}
