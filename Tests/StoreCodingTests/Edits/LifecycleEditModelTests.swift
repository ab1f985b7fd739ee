import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// A naive model of one object with a key that the client chose: created, edited and deleted here, and listed by a server.
private struct ModelTask {
  enum State { case created, edited, deleted }

  struct Taken {
    let serial: Int
    let kind: State
    let value: Int?
    /// True for a deletion if the server may lack the object without it.
    let isUncertainDeletion: Bool
    /// The server's value of a deleted object; nil if it is unknown.
    let deletedValue: Int?
    /// True for a creation that was sent before with another value.
    let isReplaced: Bool
  }

  /// The value; nil if the object does not exist here.
  var cell: Int?
  /// Nil for an object without edits.
  var state: State?
  var base: Int?
  var isSent = false
  /// True if an edit before the last one was sent and may have reached the server.
  var isUncertain = false
  var isMoved = false
  /// True if the value has changed since an edit was first sent.
  var isChanged = false
  /// True if the server may have a value that was sent before the last one.
  var isReplaced = false
  var isInFlight = false
  /// True if nothing is left of what the request under way contains.
  var isChangedInFlight = false
  /// True for a deleted object whose creation was sent and not confirmed.
  var wasCreation = false
  /// True for a deleted object whose deletion was sent and not confirmed.
  var isDeletionSent = false
  var serial = 0

  private var mayBeMissing: Bool { wasCreation || isDeletionSent }

  mutating func clean() {
    (state, base, isSent, isUncertain, isMoved) = (nil, nil, false, false, false)
    (isChanged, isReplaced) = (false, false)
  }

  private mutating func resumeCreation() {
    (state, isMoved, base, isSent, isChanged) = (.created, false, nil, true, true)
    isChangedInFlight = true
  }

  mutating func create(_ value: Int) {
    cell = value
    if state == .deleted, mayBeMissing {
      resumeCreation()
    } else if state == .deleted {
      (state, isMoved) = (.edited, true)
      if isSent { isChanged = true }
    } else {
      clean()
      state = .created
    }
  }

  mutating func revertDeletion() {
    guard state == .deleted else { return }
    cell = base
    if mayBeMissing {
      resumeCreation()
    } else if isSent {
      state = .edited
    } else {
      clean()
    }
  }

  mutating func set(_ value: Int) {
    guard let old = cell, old != value else { return }
    if state == nil {
      clean()
      (state, base) = (.edited, old)
    }
    cell = value
    isChangedInFlight = true
    if isSent { isChanged = true }
    if state == .edited, value == base, !isSent, !isMoved { clean() }
  }

  mutating func delete() {
    guard cell != nil else { return }
    if state == .created, !isSent {
      cell = nil
      clean()
      return
    }
    if state != .edited || base == nil { base = cell }
    (wasCreation, isDeletionSent) = (state == .created, false)
    (cell, state) = (nil, .deleted)
  }

  /// - Parameter value: The object's value in a complete list; nil if the list lacks it.
  mutating func list(_ value: Int?) {
    switch (state, value) {
    case (nil, _): cell = value
    // The list may show the object whose deletion is under way.
    case (.created, _?) where isInFlight && isChangedInFlight: break
    case (.created, let value?) where isSent && !isChanged && !isInFlight:
      clean()
      cell = value
    case (.created, let value?): (state, base, isMoved) = (.edited, value, true)
    case (.edited, let value?) where base != value:
      (base, isMoved) = (value, true)
      if isReplaced, !isSent {
        isReplaced = false
        if cell == value { clean() }
      }
    case (.deleted, let value?): base = value
    default: break
    }
  }

  mutating func take() -> Taken? {
    guard let state, !isInFlight else { return nil }
    serial += 1
    let isUncertainDeletion = mayBeMissing
    let deletedValue = state == .deleted && !isSent ? base : nil
    let isReplacedCreation = state == .created && isSent && isChanged
    (isInFlight, isChangedInFlight) = (true, false)
    if state == .deleted {
      isDeletionSent = true
    } else {
      if isSent { isUncertain = true }
      isSent = true
    }
    return Taken(
      serial: serial, kind: state, value: cell, isUncertainDeletion: isUncertainDeletion,
      deletedValue: deletedValue, isReplaced: isReplacedCreation)
  }

  mutating func release(_ edit: Taken) {
    isInFlight = false
    // A list has named the object while its creation was sent.
    guard edit.serial == serial, edit.kind == .created, state == .edited, isSent, !isChanged else {
      return
    }
    cell = base
    clean()
  }

  /// Undoes a deletion that the server refused.
  mutating func revert(_ deletion: Taken) {
    isInFlight = false
    guard deletion.serial == serial, let state else { return }
    if state != .deleted, !isUncertain { (isSent, isChanged) = (false, false) }
    if state == .deleted {
      if !deletion.isUncertainDeletion { (wasCreation, isDeletionSent) = (false, false) }
      revertDeletion()
    } else if !deletion.isUncertainDeletion {
      self.state = .edited
      guard let value = deletion.deletedValue else { return }
      if cell == value {
        cell = base ?? cell
        clean()
      } else if base == nil {
        (base, isMoved) = (value, false)
      }
    }
  }

  mutating func confirm(_ edit: Taken) {
    isInFlight = false
    guard edit.serial == serial, let state else { return }
    switch (edit.kind, state) {
    case (.deleted, .deleted): clean()
    case (.deleted, _):
      clean()
      self.state = .created
    case (_, .deleted):
      (base, wasCreation, isSent, isUncertain) = (edit.value, false, false, false)
      isChanged = false
    default:
      if edit.isReplaced {
        // The server may have recognized a repeated request.
        if base != nil, cell == base { return clean() }
        self.state = .edited
        (isSent, isUncertain, isChanged, isReplaced) = (false, false, false, true)
        return
      }
      (base, isMoved, isSent, isUncertain) = (edit.value, false, false, false)
      (isChanged, isReplaced) = (false, false)
      if cell == edit.value { clean() } else { self.state = .edited }
    }
  }
}

/// Runs random programs of a user and a server with late lists and lost messages.
private struct TaskProgram {
  private static let key = "k"
  private var random: SeededRandom
  private let beds: [EditBed]
  private var task = ModelTask()
  private var server: Int?
  private var lists: [Int?] = []
  private var upload: (edit: Edit, model: ModelTask.Taken, isApplied: Bool)?
  /// The last steps, for messages.
  private var log: [String] = []
  private var history: Comment { Comment(rawValue: log.suffix(30).joined(separator: "\n")) }

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    let configuration = StoreConfiguration.inMemory(identifier: "tasks-\(UUID())")
    beds = [try EditBed(configuration), try EditBed(configuration)]
    server = random.below(2) == 0 ? nil : random.below(3)
    // Others keep the list from being refused as empty.
    try beds[0].coder.decodeArray(EditTask.self, from: list(server))
    task.cell = server
  }

  private func list(_ value: Int?) -> Data {
    let own = value.map { #",{"id":"\#(Self.key)","value":\#($0)}"# } ?? ""
    return Data(#"[{"id":"other","value":0}\#(own)]"#.utf8)
  }

  private func find(_ bed: EditBed) -> EditTask? {
    bed.store.refresh()
    return bed.store.object(ofType: EditTask.self, forPrimaryKey: Self.key)
  }

  mutating func step() throws {
    let bed = beds[random.below(4) == 0 ? 1 : 0]
    switch random.below(10) {
    case 0, 1:
      let value = random.below(3)
      if let object = find(bed) {
        if random.below(3) == 0 {
          log.append("delete")
          try bed.store.write { bed.store.delete(object) }
          task.delete()
        } else {
          log.append("set \(value)")
          try bed.store.write { object.value = value }
          task.set(value)
        }
      } else {
        log.append("create \(value)")
        try bed.store.write {
          try bed.store.create(
            EditTask.self, value: ["id": .string(Self.key), "value": .int(Int64(value))])
        }
        task.create(value)
      }
    case 2: lists.append(server)
    case 3:
      guard !lists.isEmpty else { break }
      let value = lists.remove(at: random.below(lists.count))
      log.append("list \(value.map { "\($0)" } ?? "nil")")
      let version = bed.store.version
      let result = try bed.coder.read([EditTask].self, from: list(value), complete: .all)
      if task.state == .deleted, value != nil {
        #expect(result.deletedLocally == [.string(Self.key)])
      }
      if task.state != nil, value == nil, task.cell != nil {
        #expect(result.kept == [.string(Self.key)])
      }
      task.list(value)
      if random.below(3) == 0 {
        let after = bed.store.version
        #expect(after <= version + 1)
        try bed.coder.read([EditTask].self, from: list(value), complete: .all)
        #expect(bed.store.version == after, "The same list again makes a version")
      }
    case 4, 5: try take(bed)
    case 6: try respond(bed)
    case 7: if let upload, !upload.isApplied { apply() }
    case 8:
      log.append("revertDeletion")
      let restored = try bed.store.revertDeletion(of: EditTask.self, key: Self.key)
      #expect((restored == nil) == (task.state != .deleted))
      task.revertDeletion()
    default: break
    }
    try check()
  }

  private mutating func take(_ bed: EditBed) throws {
    let edit = try bed.store.takeEdits(of: EditTask.self).first
    let model = task.take()
    log.append("take \(edit?.description ?? "nothing")")
    #expect((edit == nil) == (model == nil), history)
    guard let edit, let model else { return }
    let kinds: [Edit.Kind: ModelTask.State] = [
      .created: .created, .edited: .edited, .deleted: .deleted,
    ]
    #expect(kinds[edit.kind] == model.kind)
    upload = (edit, model, false)
  }

  private mutating func apply() {
    guard let model = upload?.model else { return }
    log.append("apply")
    upload?.isApplied = true
    server = model.kind == .deleted ? nil : model.value
  }

  private mutating func respond(_ bed: EditBed) throws {
    guard let (edit, model, isApplied) = upload else { return }
    upload = nil
    if isApplied, random.below(3) > 0 {
      log.append("confirmed")
      try bed.store.settle(edit, .confirmed)
      task.confirm(model)
    } else if !isApplied, edit.kind == .deleted, random.below(2) == 0 {
      log.append("reverted")
      try bed.store.settle(edit, .reverted)
      task.revert(model)
    } else {
      log.append("later")
      try bed.store.settle(edit, .later)
      task.release(model)
    }
  }

  private func check() throws {
    for bed in beds {
      let object = find(bed)
      try #require(object?.value == task.cell, history)
      let state: Edit.State =
        switch task.state {
        case .created?: .created
        case .edited?: .edited
        default: .clean
        }
      try #require((object?.editState ?? .clean) == state, history)
      let pending = try bed.store.pendingEdits().filter { $0.className == "EditTask" }
      try #require(pending.isEmpty == (task.state == nil), history)
      if let edit = pending.first, task.state != .created, let base = task.base {
        try #require(edit.baseValue(of: "value") == .int(Int64(base)), history)
      }
    }
  }

  mutating func finish() throws {
    if upload != nil {
      if upload?.isApplied == false { apply() }
      if let (edit, model, _) = upload {
        try beds[0].store.settle(edit, .confirmed)
        task.confirm(model)
      }
      upload = nil
    }
    for value in lists {
      try beds[0].coder.read([EditTask].self, from: list(value), complete: .all)
      task.list(value)
    }
    for _ in 0..<4 {
      try take(beds[0])
      guard let (edit, model, _) = upload else { break }
      apply()
      upload = nil
      try beds[0].store.settle(edit, .confirmed)
      task.confirm(model)
    }
    try beds[0].coder.read([EditTask].self, from: list(server), complete: .all)
    task.list(server)
    try check()
    #expect(task.cell == server)
    #expect(task.state == nil)
  }
}

@Suite struct `Random creations and deletions of one object` {
  @Test(arguments: SeededRandom.seeds(1...60))
  func `The store agrees with a naive model after each step`(_ seed: UInt64) throws {
    var program = try TaskProgram(seed: seed)
    for _ in 0..<SeededRandom.steps(80) { try program.step() }
    try program.finish()
  }
}
