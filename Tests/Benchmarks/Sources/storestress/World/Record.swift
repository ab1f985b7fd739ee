/// An object in the model.
struct Record: Hashable, Sendable {
  var values: [Value]
  /// The attributes to which a payload or code has given a value.
  var known: Mask
  var edits = Edits()
  /// The part that is not predicted exactly; nil if there is none.
  var loose: Loose?
  /// A number that no other object has, also none with the same key.
  var identity = 0
  /// A number that an object gets when it is inserted or shown again.
  var birth = 0

  init(_ attributes: [Attribute], known: Mask) {
    values = attributes.map(\.initial)
    self.known = known
  }

  /// A set of attributes, by their indices.
  struct Mask: Hashable, Sendable {
    var bits: UInt32 = 0

    static func all(_ count: Int) -> Mask { Mask(bits: 1 << UInt32(count) - 1) }

    subscript(index: Int) -> Bool {
      get { bits & 1 << UInt32(index) != 0 }
      set { bits = newValue ? bits | 1 << UInt32(index) : bits & ~(1 << UInt32(index)) }
    }

    var indices: [Int] { (0..<32).filter { self[$0] } }
    var isEmpty: Bool { bits == 0 }
    mutating func formUnion(_ other: Mask) { bits |= other.bits }
    mutating func formIntersection(_ other: Mask) { bits &= other.bits }
  }

  /// The edits of an object that has a server's object.
  struct Edits: Hashable, Sendable {
    /// The server's values of the edited attributes.
    var bases: [Int: Value] = [:]
    /// The edited attributes whose server's value is unknown.
    var unknownBases = Mask()
    var sent = Mask()
    /// The attributes that were sent before the last time, and not settled.
    var uncertain = Mask()
    /// The attributes whose base value has changed since their edit began.
    var moved = Mask()
    var isRejected = false
    var lastTaken = 0
    var lastConfirmed = 0
    /// True if the last edit that was taken is not settled.
    var isInFlight = false
    /// The attributes of each confirmed edit.
    var confirmed: [Mask] = []
    /// The values at the beginning of the user's write, of the attributes that it has changed.
    var former: [Int: Former] = [:]

    struct Former: Hashable, Sendable {
      var value: Value
      var isKnown: Bool
    }

    var edited: Mask {
      var mask = Mask()
      for index in bases.keys { mask[index] = true }
      return mask
    }

    mutating func drop(_ index: Int) {
      bases[index] = nil
      for path in [\Edits.unknownBases, \.sent, \.uncertain, \.moved] {
        self[keyPath: path][index] = false
      }
      if bases.isEmpty { isRejected = false }
    }
  }
}

extension Record {
  func hasSameValues(as other: Record?) -> Bool {
    values == other?.values && birth == other?.birth
  }
}

// MARK: - The user

extension Record {
  mutating func edit(_ index: Int, _ value: Value) {
    if values[index] == value, known[index] { return }
    if edits.former[index] == nil {
      edits.former[index] = Edits.Former(value: values[index], isKnown: known[index])
    }
    values[index] = value
    known[index] = true
  }

  /// Records the net changes of a write of the user.
  mutating func recordEdits() {
    if loose != nil { return recordLooseEdits() }
    for (index, old) in edits.former where values[index] != old.value || !old.isKnown {
      edits.isRejected = false
      if edits.bases[index] == nil {
        edits.bases[index] = old.value
        edits.unknownBases[index] = !old.isKnown
      }
      if values[index] == edits.bases[index], !edits.sent[index], !edits.moved[index],
        !edits.unknownBases[index]
      {
        edits.drop(index)
      }
    }
    edits.former = [:]
  }

  mutating func revertAll() {
    if loose != nil {
      loose?.free = .all(values.count)
      loose?.pending = Mask()
      loose?.sendable = .all(values.count)
      loose?.mayChangeLife = true
      return
    }
    if edits.bases.isEmpty { return }
    edits.isRejected = false
    for index in edits.bases.keys.sorted() { restore(index) }
  }

  mutating func restore(_ index: Int) {
    guard let base = edits.bases[index] else { return }
    if edits.isInFlight, edits.unknownBases[index], edits.sent[index] { return }
    values[index] = base
    if edits.unknownBases[index] {
      known[index] = false
    } else if edits.sent[index] {
      return
    }
    edits.drop(index)
  }
}

// MARK: - The server

extension Record {
  /// - Parameter isAssigned: True for an assignment. A value that an edited attribute shows anyway is not noticed.
  mutating func receive(_ index: Int, _ value: Value, isAssigned: Bool) {
    if loose?.attributes[index] == true {
      loose?.heard[index, default: []].insert(value)
      if values[index] == value, loose?.pending[index] == true {
        // The server has what the user wants.
        loose?.pending[index] = false
        loose?.sendable[index] = true
      }
      if !(loose?.pending[index] ?? false) { loose?.supplied[index, default: []].insert(value) }
      return
    }
    if isAssigned, values[index] == value {
      known[index] = true
      return
    }
    guard let base = edits.bases[index] else {
      values[index] = value
      known[index] = true
      return
    }
    if base != value || edits.unknownBases[index] {
      edits.unknownBases[index] = false
      edits.bases[index] = value
      edits.moved[index] = true
    }
  }

  /// The values that the server has, as far as they are known.
  var serverValues: [Value?] {
    values.indices.map {
      !known[$0] || edits.unknownBases[$0] ? nil : edits.bases[$0] ?? values[$0]
    }
  }
}

// MARK: - Sending

/// An edit under way, in the model.
struct Sent: Hashable, Sendable {
  let serial: Int
  let values: [Int: Value]
}

extension Record {
  mutating func take() -> Sent? {
    if edits.bases.isEmpty || edits.isRejected || edits.isInFlight { return nil }
    edits.lastTaken += 1
    edits.uncertain.formUnion(edits.sent)
    edits.sent = edits.edited
    edits.isInFlight = true
    return Sent(
      serial: edits.lastTaken,
      values: Dictionary(uniqueKeysWithValues: edits.bases.keys.map { ($0, values[$0]) }))
  }

  mutating func confirm(_ sent: Sent) {
    if sent.serial <= edits.lastConfirmed { return }
    edits.lastConfirmed = sent.serial
    edits.isInFlight = false
    edits.isRejected = false
    var mask = Mask()
    for index in sent.values.keys { mask[index] = true }
    edits.confirmed.append(mask)
    for (index, value) in sent.values where edits.bases[index] != nil && edits.sent[index] {
      edits.bases[index] = value
      edits.unknownBases[index] = false
      edits.moved[index] = false
      guard sent.serial == edits.lastTaken else { continue }
      edits.sent[index] = false
      edits.uncertain[index] = false
      if values[index] == value { edits.drop(index) }
    }
  }

  mutating func release(_ sent: Sent) {
    if sent.serial == edits.lastTaken { edits.isInFlight = false }
  }

  /// Ends what was set back while it was under way, because the server has not applied it.
  private mutating func endSetBack(_ sent: Sent) {
    for index in sent.values.keys
    where edits.bases[index] == values[index] && !edits.sent[index] && !edits.moved[index]
      && !edits.unknownBases[index]
    {
      edits.drop(index)
    }
  }

  mutating func releaseUnapplied(_ sent: Sent) {
    guard sent.serial == edits.lastTaken else { return }
    edits.isInFlight = false
    edits.sent.formIntersection(edits.uncertain)
    endSetBack(sent)
  }

  mutating func reject(_ sent: Sent) {
    guard sent.serial > edits.lastConfirmed, sent.serial == edits.lastTaken else { return }
    edits.isInFlight = false
    guard !edits.bases.isEmpty else { return }
    edits.sent.formIntersection(edits.uncertain)
    endSetBack(sent)
    // A later change is offered.
    edits.isRejected =
      !edits.bases.isEmpty && edits.bases.keys.allSatisfy { sent.values[$0] == values[$0] }
  }

  mutating func revert(_ sent: Sent) {
    if sent.serial <= edits.lastConfirmed { return }
    if sent.serial == edits.lastTaken {
      edits.isInFlight = false
      edits.sent.formIntersection(edits.uncertain)
      edits.isRejected = false
      endSetBack(sent)
    }
    for (index, value) in sent.values.sorted(by: { $0.key < $1.key })
    where values[index] == value { restore(index) }
  }
}
