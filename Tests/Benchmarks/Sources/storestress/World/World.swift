/// The class of an object, where another type has a `Kind` of its own.
typealias ObjectKind = Kind

/// A naive model of a store: all objects with all of their values, and what became of the user's edits.
struct World: Hashable, Sendable {
  /// The objects of each class, by their numbers.
  private(set) var records: [[Record?]] = Kind.allCases.map { _ in
    Array(repeating: nil, count: World.idCount)
  }
  var lastIdentity = 0
  /// The objects that the user has deleted, and that the server may have.
  var tombstones: [Id: Record] = [:]
  /// The number of deletions that the server has confirmed.
  var confirmedDeletionCount = 0
  /// The objects that the write under way has deleted.
  var deletedInWrite: Set<Id> = []
  /// The deleted objects that the current step shows again.
  var restored: Set<Id> = []
  /// The values that the requests under way contain, by the identities of their objects.
  var sentValues: [Int: [Int: Value]] = [:]
  /// The objects that the write under way has edited.
  private var edited: Set<Id> = []
  /// The values that the server has assigned in the write under way.
  private var assigned: [Id: [Int: Value]] = [:]
  /// The values of the payload under way. If it has an object several times, its last values count.
  private var received: [Id: [Int: Value]] = [:]

  /// The number of keys of each class.
  static let idCount = 10

  struct Id: Hashable, Sendable {
    let kind: Kind
    let number: Int
  }

  subscript(kind: Kind, id: Int) -> Record? {
    get { records[kind.rawValue].indices.contains(id) ? records[kind.rawValue][id] : nil }
    set { records[kind.rawValue][id] = newValue }
  }

  func ids(_ kind: Kind) -> [Int] {
    records[kind.rawValue].indices.filter { records[kind.rawValue][$0] != nil }
  }

  /// Returns a value without links to objects that do not exist.
  func existing(_ value: Value, _ attribute: Attribute) -> Value {
    guard let target = attribute.target else { return value }
    func existing(_ id: Int?) -> Int? { id.flatMap { self[target, $0] == nil ? nil : $0 } }
    switch value {
    case .plain: return value
    case .link(let id): return .link(existing(id))
    case .links(let ids) where attribute.isMap: return .links(ids.map(existing))
    case .links(let ids):
      let found = ids.compactMap(existing)
      if case .set = attribute.content { return .links(Set(found).sorted()) }
      return .links(found)
    }
  }
}

// MARK: - The user

extension World {
  mutating func assign(
    _ kind: Kind, _ id: Int, _ index: Int, _ value: Value, as writer: Step.Writer
  ) {
    guard let record = self[kind, id], index < record.values.count else { return }
    if writer == .user, kind.tracksEdits {
      self[kind, id]?.edit(index, value)
      edited.insert(Id(kind: kind, number: id))
    } else if kind.tracksEdits {
      recordEdits(isServer: true)
      assigned[Id(kind: kind, number: id), default: [:]][index] = value
    } else {
      receive(kind, id, index, value)
    }
  }

  /// Ends a part of a write with one author.
  /// - Parameter isServer: True if the next part is the server's.
  mutating func recordEdits(isServer: Bool = false) {
    if !isServer {
      // The net changes of the server count.
      for (id, values) in assigned {
        for (index, value) in values {
          self[id.kind, id.number]?.receive(index, value, isAssigned: true)
        }
      }
      assigned = [:]
    }
    for id in edited {
      // A difference only by linked objects that were deleted is no edit.
      for (index, former) in self[id.kind, id.number]?.edits.former ?? [:] where former.isKnown {
        let rest = existing(former.value, Attribute.of(id.kind)[index])
        if rest != former.value, rest == self[id.kind, id.number]?.values[index] {
          self[id.kind, id.number]?.edits.former[index] = nil
          loosen(id.kind, id.number)
        }
      }
      // The base value of a link may lack an object that was deleted, so setting the link back may not end the edit.
      let links = self[id.kind, id.number]?.edits.former.keys.contains { index in
        let target = Attribute.of(id.kind)[index].target
        return tombstones.keys.contains { $0.kind == target }
      }
      if links == true { loosen(id.kind, id.number) }
      self[id.kind, id.number]?.recordEdits()
    }
    edited = []
  }

  /// Inserts an object with the values of a new one.
  mutating func insert(_ kind: Kind, _ id: Int, isWhole: Bool) {
    let attributes = Attribute.of(kind)
    lastIdentity += 1
    var record = Record(attributes, known: isWhole ? .all(attributes.count) : Record.Mask())
    record.identity = lastIdentity
    record.birth = lastIdentity
    self[kind, id] = record
  }

  /// Deletes an object and the links to it.
  /// - Parameter mayReturn: True if the links return when the deletion is undone.
  mutating func delete(_ kind: Kind, _ id: Int, mayReturn: Bool = false) {
    guard self[kind, id] != nil else { return }
    self[kind, id] = nil
    for other in Kind.allCases {
      for (index, attribute) in Attribute.of(other).enumerated() where attribute.target == kind {
        for owner in ids(other) {
          guard let record = self[other, owner] else { continue }
          let isBase = record.edits.bases[index]?.targets.contains(id) ?? false
          let isTarget = record.values[index].targets.contains(id)
          if !isBase, !isTarget {
            self[other, owner]?.loose?.removeLinks(to: id, index, isMap: attribute.isMap)
            continue
          }
          if mayReturn || isBase || record.edits.bases[index] != nil { loosen(other, owner, index) }
          self[other, owner]?.loose?.removeLinks(to: id, index, isMap: attribute.isMap)
          let rest = record.values[index].without(id, isMap: attribute.isMap)
          self[other, owner]?.values[index] = rest
          // Without the link, nothing may be left of the user's change.
          if isTarget, rest == self[other, owner]?.loose?.bases[index] ?? attribute.initial {
            self[other, owner]?.loose?.pending[index] = false
            self[other, owner]?.loose?.sendable[index] = true
          }
        }
      }
    }
  }

  mutating func rekey(_ kind: Kind, _ id: Int, to new: Int) {
    self[kind, new] = self[kind, id]
    self[kind, id] = nil
    for other in Kind.allCases {
      for (index, attribute) in Attribute.of(other).enumerated() where attribute.target == kind {
        for owner in ids(other) {
          guard let value = self[other, owner]?.values[index] else { continue }
          self[other, owner]?.values[index] =
            switch value {
            case .plain: value
            case .link(let target): .link(target == id ? new : target)
            case .links(let targets): .links(targets.map { $0 == id ? new : $0 })
            }
        }
      }
    }
  }

  mutating func deleteAll() {
    let (last, sent, count) = (lastIdentity, sentValues, confirmedDeletionCount)
    self = World()
    (lastIdentity, sentValues, confirmedDeletionCount) = (last, sent, count)
  }
}

// MARK: - The server

extension World {
  /// - Parameter isAssigned: True if the server's values are assigned in a write.
  mutating func receive(_ payload: Payload, isAssigned: Bool = false) {
    recordEdits()
    for node in payload.objects { receive(node, isAssigned) }
    takeOverReceived()
    recordEdits()
  }

  /// Gives the objects the values of the payload.
  private mutating func takeOverReceived() {
    let values = received
    received = [:]
    for id in values.keys.sorted(by: {
      ($0.kind.rawValue, $0.number) < ($1.kind.rawValue, $1.number)
    }) {
      for (index, value) in values[id, default: [:]].sorted(by: { $0.key < $1.key }) {
        let visible = visible(value, Attribute.of(id.kind)[index])
        self[id.kind, id.number]?.receive(index, visible, isAssigned: false)
        // The links to deleted objects may return.
        if visible != value { loosen(id.kind, id.number, index, hearing: value) }
      }
    }
  }

  private mutating func loosen(_ kind: Kind, _ id: Int, _ index: Int, hearing value: Value) {
    loosen(kind, id, index)
    self[kind, id]?.loose?.heard[index, default: []].insert(value)
  }

  private mutating func receive(_ node: Payload.Node, _ isAssigned: Bool) {
    let kind = node.kind
    let attributes = Attribute.of(kind)
    for member in node.members {
      guard let target = attributes[Attribute.index(kind, member.name)].target else { continue }
      for id in member.value.targets {
        if let nested = node.nested.first(where: { $0.id == id && $0.kind == target }) {
          receive(nested, isAssigned)
        } else {
          ensure(target, id)
        }
      }
    }
    ensure(kind, node.id)
    guard self[kind, node.id] != nil else { return }
    for member in node.members {
      let index = Attribute.index(kind, member.name)
      if kind.tracksEdits, !isAssigned {
        received[Id(kind: kind, number: node.id), default: [:]][index] = member.value
        continue
      }
      let value = visible(member.value, attributes[index])
      receive(kind, node.id, index, value)
      // The links to deleted objects may return.
      if value != member.value { loosen(kind, node.id, index, hearing: member.value) }
    }
  }

  private mutating func receive(_ kind: Kind, _ id: Int, _ index: Int, _ value: Value) {
    if kind.tracksEdits {
      assigned[Id(kind: kind, number: id), default: [:]][index] = value
    } else {
      self[kind, id]?.values[index] = value
      self[kind, id]?.known[index] = true
    }
  }

  /// The server names an object.
  private mutating func ensure(_ kind: Kind, _ id: Int) {
    let tombstone = Id(kind: kind, number: id)
    if tombstones[tombstone] != nil {
      // The deletion of an object whose creation has perhaps not been applied may have ended.
      if tombstones[tombstone]?.loose?.wasSent == true {
        tombstones[tombstone]?.loose?.mayChangeLife = true
      }
    } else if self[kind, id] == nil {
      insert(kind, id, isWhole: false)
    } else if self[kind, id]?.loose?.life == .created {
      // The server has the object, so its deletion is sent.
      self[kind, id]?.loose?.wasSent = true
    }
  }
}

// MARK: - Eviction

extension World {
  /// The customers that eviction keeps: edited ones, those to which other objects link, and those to which these link.
  var reachableCustomers: Set<Int> {
    var found: Set<Int> = []
    var open: [Int] = []
    func reach(_ ids: [Int]) { open += ids.filter { found.insert($0).inserted } }
    for kind in Kind.allCases {
      for id in ids(kind) {
        guard let record = self[kind, id] else { continue }
        if kind == .customer {
          if !record.edits.bases.isEmpty || record.loose?.isEdited ?? false { reach([id]) }
          continue
        }
        for (index, attribute) in Attribute.of(kind).enumerated()
        where attribute.target == .customer {
          reach(record.values[index].targets)
          reach(record.edits.bases[index]?.targets ?? [])
        }
      }
    }
    while let id = open.popLast() {
      guard let record = self[.customer, id] else { continue }
      for (index, attribute) in Attribute.of(.customer).enumerated() where attribute.target != nil {
        reach(record.values[index].targets)
        reach(record.edits.bases[index]?.targets ?? [])
      }
    }
    return found
  }

  mutating func evict(_ customers: [Int]) {
    for id in customers { delete(.customer, id) }
  }
}
