import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// A naive model of the edits of one object (R30, R31, R32): for each attribute the number of its value.
private struct ModelRow {
  struct Taken {
    let serial: Int
    let values: [Int: Int]
  }

  var cell: [Int]
  /// The attributes to which neither a payload nor code has given a value.
  var missing: Set<Int>
  /// The server's values of the edited attributes.
  var base: [Int: Int] = [:]
  /// The edited attributes that were missing, of which the server has sent no value since.
  var missingBase: Set<Int> = []
  var sent: Set<Int> = []
  var moved: Set<Int> = []
  /// The attributes that were sent before the last time, and not settled.
  var uncertain: Set<Int> = []
  var isRejected = false
  /// The values of changed attributes at the beginning of the user's write, and whether they were missing.
  var former: [Int: (value: Int, isMissing: Bool)] = [:]
  var lastTaken = 0
  var lastConfirmed = 0
  /// True if the last edit that was taken is not settled.
  var isInFlight = false
  /// The attributes of each confirmed edit.
  var confirmed: [Set<Int>] = []

  /// The values that the server has, as far as they are known.
  var serverValues: [Int?] {
    cell.indices.map {
      missing.contains($0) || missingBase.contains($0) ? nil : base[$0] ?? cell[$0]
    }
  }

  mutating func drop(_ attribute: Int) {
    base[attribute] = nil
    missingBase.remove(attribute)
    sent.remove(attribute)
    moved.remove(attribute)
    uncertain.remove(attribute)
    if base.isEmpty { isRejected = false }
  }

  /// Changes a value in a write of the user. The edits are the net changes: see ``settle()``.
  mutating func edit(_ attribute: Int, _ value: Int) {
    if cell[attribute] == value, !missing.contains(attribute) { return }
    if former[attribute] == nil {
      former[attribute] = (cell[attribute], missing.contains(attribute))
    }
    cell[attribute] = value
    missing.remove(attribute)
  }

  /// Records the net changes of the user.
  mutating func settle() {
    for (attribute, old) in former where cell[attribute] != old.value || old.isMissing {
      isRejected = false
      if base[attribute] == nil {
        base[attribute] = old.value
        if old.isMissing { missingBase.insert(attribute) }
      }
      if cell[attribute] == base[attribute], !sent.contains(attribute), !moved.contains(attribute),
        !missingBase.contains(attribute)
      {
        drop(attribute)
      }
    }
    former = [:]
  }

  /// - Parameter bySetters: True if the values are assigned. A value that an edited attribute has anyway is not noticed.
  mutating func receive(_ message: [Int: Int], bySetters: Bool = false) {
    settle()
    for (attribute, value) in message {
      if bySetters, cell[attribute] == value {
        missing.remove(attribute)
        continue
      }
      guard let known = base[attribute] else {
        cell[attribute] = value
        missing.remove(attribute)
        continue
      }
      if known != value || missingBase.contains(attribute) {
        missingBase.remove(attribute)
        base[attribute] = value
        moved.insert(attribute)
      }
    }
  }

  /// Returns the values of a message without those that are older than the store's.
  func current(of message: Message) -> [Int: Int] {
    let confirmed = confirmed[message.confirmationCount...]
    if confirmed.isEmpty { return message.values }
    return message.values.filter { attribute, _ in
      !confirmed.contains { $0.contains(attribute) }
        && serverValues[attribute] == message.serverValues[attribute]
    }
  }

  mutating func take() -> Taken? {
    if base.isEmpty || isRejected { return nil }
    lastTaken += 1
    uncertain.formUnion(sent)
    sent = Set(base.keys)
    isInFlight = true
    return Taken(
      serial: lastTaken,
      values: Dictionary(uniqueKeysWithValues: base.keys.map { ($0, cell[$0]) }))
  }

  mutating func confirm(_ edit: Taken) {
    if edit.serial <= lastConfirmed { return }
    lastConfirmed = edit.serial
    isRejected = false
    confirmed.append(Set(edit.values.keys))
    for (attribute, value) in edit.values where base[attribute] != nil && sent.contains(attribute) {
      base[attribute] = value
      missingBase.remove(attribute)
      moved.remove(attribute)
      guard edit.serial == lastTaken else { continue }
      sent.remove(attribute)
      uncertain.remove(attribute)
      if cell[attribute] == value { drop(attribute) }
    }
  }

  mutating func reject(_ edit: Taken) {
    guard edit.serial > lastConfirmed, edit.serial == lastTaken, !base.isEmpty else { return }
    sent.formIntersection(uncertain)
    endSetBack(edit)
    // A later change is offered.
    isRejected = !base.isEmpty && base.keys.allSatisfy { edit.values[$0] == cell[$0] }
  }

  /// Ends the edits that were set back while they were in flight, because the server has not applied them.
  private mutating func endSetBack(_ edit: Taken) {
    for attribute in edit.values.keys
    where base[attribute] == cell[attribute] && !sent.contains(attribute)
      && !moved.contains(attribute) && !missingBase.contains(attribute)
    {
      drop(attribute)
    }
  }

  mutating func revert(_ edit: Taken) {
    if edit.serial <= lastConfirmed { return }
    if edit.serial == lastTaken {
      sent.formIntersection(uncertain)
      isRejected = false
      endSetBack(edit)
    }
    for (attribute, value) in edit.values {
      guard let known = base[attribute], cell[attribute] == value else { continue }
      restore(attribute, known)
    }
  }

  private mutating func restore(_ attribute: Int, _ known: Int) {
    if isInFlight, missingBase.contains(attribute), sent.contains(attribute) { return }
    cell[attribute] = known
    if missingBase.contains(attribute) {
      missing.insert(attribute)
    } else if sent.contains(attribute) {
      return
    }
    drop(attribute)
  }

  mutating func revertAll() {
    if base.isEmpty { return }
    isRejected = false
    for (attribute, known) in base {
      restore(attribute, known)
    }
  }
}

/// A response of the server that may arrive late.
private struct Message {
  let values: [Int: Int]
  /// The version of the store at the time of the request; nil for a request of an earlier process.
  var requested: StoreVersion?
  /// The number of edits confirmed by then.
  let confirmationCount: Int
  /// The values that the store took for the server's by then.
  let serverValues: [Int?]
}

/// The attributes of an order that the random programs change, each with three values.
private enum TestedAttribute: Int, CaseIterable {
  case note, count, address, stops, tags, prices, extra, remarks, customer

  static let valueCount = 3

  func set(_ order: EditOrder, _ value: Int, _ store: Store) {
    switch self {
    case .note: order.note = [nil, "a", "b"][value]
    case .count: order.count = value
    case .address:
      // Inside the object if there is one, so that both ways of editing occur.
      if value == 0 {
        order.address = nil
      } else if let address = order.address {
        address.street = "\(value)"
      } else {
        order.address = EditAddress("\(value)")
      }
    case .stops:
      if value == 0 { order.stops.removeAll() }
      while order.stops.count > value { order.stops.removeLast() }
      while order.stops.count < value { order.stops.append(EditAddress("\(order.stops.count)")) }
    case .tags:
      order.tags.removeAll()
      for tag in ["x", "y"].prefix(value) { order.tags.insert(tag) }
    case .prices:
      order.prices.removeAll()
      if value > 0 { order.prices["p"] = value }
    case .extra: order.extra = [.null, ["a": [1, 2]], "b"][value]
    case .remarks:
      order.remarks.removeAll()
      for index in 0..<value { order.remarks.append(EditRemark("\(index)")) }
    case .customer:
      order.customer =
        value == 0 ? nil : store.object(ofType: EditCustomer.self, forPrimaryKey: value)
    }
  }

  func value(_ order: EditOrder) -> Int {
    switch self {
    case .note: order.note == nil ? 0 : order.note == "a" ? 1 : 2
    case .count: order.count
    case .address: order.address.map { Int($0.street) ?? -1 } ?? 0
    case .stops: order.stops.count
    case .tags: order.tags.count
    case .prices: order.prices["p"] ?? 0
    case .extra: order.extra == .null ? 0 : order.extra == "b" ? 2 : 1
    case .remarks: order.remarks.count
    case .customer: order.customer?.id ?? 0
    }
  }

  func json(_ value: Int) -> String {
    switch self {
    case .note: ["null", "\"a\"", "\"b\""][value]
    case .count: "\(value)"
    case .address: value == 0 ? "null" : #"{"street":"\#(value)","city":null}"#
    case .stops:
      "[\((0..<value).map { #"{"street":"\#($0)","city":null}"# }.joined(separator: ","))]"
    case .tags: ["[]", #"["x"]"#, #"["x","y"]"#][value]
    case .prices: value == 0 ? "{}" : #"{"p":\#(value)}"#
    case .extra: ["null", #"{"a":[1,2]}"#, "\"b\""][value]
    case .remarks: "[\((0..<value).map { #"{"text":"\#($0)"}"# }.joined(separator: ","))]"
    case .customer: value == 0 ? "null" : #"{"id":\#(value)}"#
    }
  }
}

/// Runs random programs of a user, a server with late and lost messages, and two handles, and compares the store with the
/// model after each step.
private struct EditProgram {
  private static let attributes = TestedAttribute.allCases
  private struct Failure: Error {}

  private var random: SeededRandom
  /// Two handles of one store.
  private var beds: [EditBed] = []
  private var bed: EditBed { beds[0] }
  private let configuration: StoreConfiguration
  private let isInFile: Bool
  private var row: ModelRow
  private var server: [Int]
  private var messages: [Message] = []
  private var upload: (edit: Edit, model: ModelRow.Taken, isApplied: Bool)?
  private(set) var stepCount = 0

  /// - Parameter file: The file of the store, which is opened again and again; nil for a store in memory.
  init(seed: UInt64, file: URL?) throws {
    random = SeededRandom(seed: seed)
    configuration =
      file.map { .file($0) } ?? .inMemory(identifier: "edits-\(UUID().uuidString)")
    isInFile = file != nil
    server = Self.attributes.map { _ in 0 }
    row = ModelRow(cell: server, missing: Set(server.indices))
    try open()
    try bed.coder.decode(
      EditCustomer.self, from: Data(#"{"id":1,"name":"a"}"#.utf8))
    try bed.coder.decode(
      EditCustomer.self, from: Data(#"{"id":2,"name":"b"}"#.utf8))
    try bed.order(#"{"id":7}"#)
  }

  private func order(_ bed: EditBed) -> EditOrder {
    bed.store.refresh()
    return bed.store.object(ofType: EditOrder.self, forPrimaryKey: 7)!
  }

  private mutating func open() throws {
    beds = []
    beds = [try EditBed(configuration), try EditBed(configuration)]
  }

  private mutating func anyBed() -> EditBed { beds[random.below(4) == 0 ? 1 : 0] }

  private mutating func edit(_ bed: EditBed) {
    let attribute = Self.attributes[random.below(Self.attributes.count)]
    let value = random.below(TestedAttribute.valueCount)
    attribute.set(order(bed), value, bed.store)
    row.edit(attribute.rawValue, value)
  }

  private mutating func receive(_ bed: EditBed) throws {
    guard !messages.isEmpty else { return }
    let message = messages.remove(at: random.below(messages.count))
    let bySetters = random.below(4) == 0
    let requested = bySetters || random.below(2) == 0 ? nil : message.requested
    row.settle()
    row.receive(
      requested == nil ? message.values : row.current(of: message), bySetters: bySetters)
    if bySetters {
      try bed.store.write(as: .server) {
        for (attribute, value) in message.values {
          // Inside the block, the order shows the server's values as they are set.
          Self.attributes[attribute].set(order(bed), value, bed.store)
        }
      }
    } else {
      let members = message.values.map {
        "\"\(Self.attributes[$0])\":\(Self.attributes[$0].json($1))"
      }
      _ = try bed.coder.read(
        EditOrder.self, from: Data(#"{"id":7,\#(members.joined(separator: ","))}"#.utf8),
        asOf: requested)
    }
  }

  mutating func step() throws {
    stepCount += 1
    if random.below(13) == 0, isInFile {
      // An edit in flight is lost, and offered again.
      upload = nil
      row.isInFlight = false
      for index in messages.indices { messages[index].requested = nil }
      try open()
    }
    let bed = anyBed()
    switch random.below(13) {
    case 0, 1, 2:
      try bed.store.write { edit(bed) }
      row.settle()
    case 3:
      // Several authors in one write.
      try bed.store.write {
        for _ in 0..<random.below(4) {
          if random.below(3) == 0 { try receive(bed) } else { edit(bed) }
        }
      }
      row.settle()
    case 4: try savepoint(bed)
    case 5:
      let names = Self.attributes.indices.filter { _ in random.below(3) > 0 }
      if !names.isEmpty {
        messages.append(message(of: names, bed))
      }
    case 6: try receive(bed)
    case 7: try take(bed)
    case 8: try settle(bed)
    case 9:
      let attribute = random.below(server.count)
      server[attribute] = random.below(TestedAttribute.valueCount)
    case 10:
      if random.below(3) == 0 {
        try bed.store.revertEdits(of: order(bed))
        row.revertAll()
      }
    case 11:
      if upload?.isApplied == false {
        upload?.isApplied = true
        apply()
      }
    default: break
    }
    try check()
  }

  private func message(of names: [Int], _ bed: EditBed) -> Message {
    bed.store.refresh()
    return Message(
      values: Dictionary(uniqueKeysWithValues: names.map { ($0, server[$0]) }),
      requested: bed.store.holdVersion(), confirmationCount: row.confirmed.count,
      serverValues: row.serverValues)
  }

  private mutating func savepoint(_ bed: EditBed) throws {
    try bed.store.write {
      edit(bed)
      let (keptRow, keptMessages) = (row, messages)
      do {
        try bed.store.write {
          edit(bed)
          if random.below(2) == 0 { try receive(bed) }
          if random.below(2) == 0 {
            _ = order(bed).editState
            row.settle()
          }
          edit(bed)
          if random.below(2) == 0 { throw Failure() }
        }
      } catch is Failure {
        (row, messages) = (keptRow, keptMessages)
      }
      edit(bed)
    }
    row.settle()
  }

  private mutating func take(_ bed: EditBed) throws {
    if upload != nil {
      #expect(try bed.store.takeEdit(of: order(bed)) == nil)
      return
    }
    let edit = try bed.store.takeEdit(of: order(bed))
    let model = row.take()
    #expect((edit == nil) == (model == nil))
    guard let edit, let model else { return }
    #expect(edit.attributes.sorted() == model.values.keys.map { "\(Self.attributes[$0])" }.sorted())
    upload = (edit, model, false)
  }

  private mutating func apply() {
    for (attribute, value) in upload?.model.values ?? [:] { server[attribute] = value }
  }

  private mutating func settle(_ bed: EditBed) throws {
    guard let (edit, model, isApplied) = upload else { return }
    upload = nil
    row.isInFlight = false
    switch (isApplied, random.below(3)) {
    case (true, 0), (false, 0):
      try bed.store.settle(edit, .later)
    case (true, _):
      try bed.store.settle(edit, .confirmed)
      row.confirm(model)
      if random.below(4) == 0 {
        // Confirmed twice.
        try bed.store.settle(edit, .confirmed)
        row.confirm(model)
      }
    case (false, 1):
      try bed.store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
      row.reject(model)
    case (false, _):
      try bed.store.settle(edit, .reverted)
      row.revert(model)
    }
  }

  private func check() throws {
    for bed in beds {
      let order = order(bed)
      let values = Self.attributes.map { $0.value(order) }
      try #require(values == row.cell, "after \(stepCount) steps")
      try #require(
        Set(order.unknownAttributes).subtracting(["isPaid", "related", "views"])
          == Set(row.missing.map { "\(Self.attributes[$0])" }),
        "after \(stepCount) steps")
      let edited = Set(order.editedAttributes)
      try #require(
        edited == Set(row.base.keys.map { "\(Self.attributes[$0])" }), "after \(stepCount) steps")
      let state: Edit.State = row.base.isEmpty ? .clean : row.isRejected ? .rejected : .edited
      try #require(order.editState == state, "after \(stepCount) steps")
    }
  }

  /// Delivers what is under way, uploads everything, refreshes, and expects the server and the store to be equal.
  mutating func finish() throws {
    while !messages.isEmpty { try receive(bed) }
    if let (edit, model, isApplied) = upload {
      if !isApplied { apply() }
      upload = nil
      try bed.store.settle(edit, .confirmed)
      row.confirm(model)
    }
    if row.isRejected {
      try bed.store.revertEdits(of: order(bed))
      row.revertAll()
    }
    for _ in 0..<3 {
      guard let edit = try bed.store.takeEdit(of: order(bed)), let model = row.take() else { break }
      for (attribute, value) in model.values { server[attribute] = value }
      try bed.store.settle(edit, .confirmed)
      row.confirm(model)
    }
    messages = [message(of: Array(server.indices), bed)]
    try receive(bed)
    try check()
    #expect(row.cell == server)
    #expect(row.base.isEmpty)
    #expect(try bed.store.pendingEdits().isEmpty)
  }
}

@Suite struct `Random edits of one object` {
  @Test(arguments: SeededRandom.seeds(1...40))
  func `The store has the values and edits of a naive model after each step`(_ seed: UInt64) throws
  {
    var program = try EditProgram(seed: seed, file: nil)
    for _ in 0..<SeededRandom.steps(120) { try program.step() }
    try program.finish()
  }

  @Test(arguments: SeededRandom.seeds(1...12))
  func `A store in a file has the edits of a naive model after each restart`(_ seed: UInt64) throws
  {
    let folder = try TemporaryFolder()
    var program = try EditProgram(seed: seed, file: folder.file("edits.store"))
    for _ in 0..<SeededRandom.steps(80) { try program.step() }
    try program.finish()
  }
}
