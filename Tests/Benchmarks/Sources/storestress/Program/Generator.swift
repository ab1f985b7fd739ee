/// Makes programs. A seed gives the same program in every run.
struct Generator {
  private var random: SeededRandom
  private let place: Place
  private let features: Features

  /// The parts of the library that programs use.
  struct Features: OptionSet, Sendable {
    let rawValue: Int
    static let edits = Features(rawValue: 1)
    static let deletions = Features(rawValue: 2)
    static let faults = Features(rawValue: 4)
    static let crashes = Features(rawValue: 8)
    static let failures: Features = [.faults, .crashes]
    static let all: Features = [.edits, .deletions, .failures]
  }

  /// A program has either creations and deletions of objects that track edits, or failures: the model does not predict
  /// which of their effects remain after a lost commit.
  init(seed: UInt64, place: Place, features: Features = .all) {
    random = SeededRandom(seed: seed)
    self.place = place
    var features = features
    if place != .memory, features.contains(.deletions), !features.isDisjoint(with: .failures) {
      features.subtract(random.once(in: 2) ? .deletions : .failures)
    }
    self.features = features
  }

  mutating func program(_ count: Int) -> [Step] { (0..<count).map { _ in step() } }

  // MARK: - Steps

  private mutating func step() -> Step {
    let inFile = place != .memory
    switch random.below(inFile ? 40 : 34) {
    case 0..<8: return write()
    case 8..<12: return .decode(payload(), on: handle(), by: one(of: Step.Way.allCases))
    case 12, 13: return .refresh(on: random.below(2))
    case 14: return random.once(in: 3) ? .dropView(random.below(3)) : .freeze(on: random.below(2))
    case 15: return .observe(random.below(Simulation.watchCount), on: random.below(2))
    case 16: return random.once(in: 3) ? .evict(on: handle()) : .refresh(on: 0)
    case 17:
      return random.once(in: 8)
        ? .deleteAll(on: handle()) : random.once(in: 8) ? .copy : .refresh(on: 1)
    case 18, 19:
      let (kind, name, value) = member()
      return .serverSets(kind, id(), name, value)
    case 20: return .serverDeletes(kind(), id())
    case 21, 22: return .request(kind(), attributes: UInt32(truncatingIfNeeded: random.next()))
    case 23, 24:
      return .respond(
        random.below(4), on: handle(), complete: random.once(in: 3), late: random.once(in: 2),
        again: random.once(in: 4))
    case 25, 26, 27: return .take(random.once(in: 3) ? .customer : .order, on: handle())
    case 28: return .apply(random.below(3))
    case 29, 30: return .settle(random.below(3), on: handle(), one(of: Step.Outcome.allCases))
    case 31:
      if features.contains(.deletions), random.once(in: 2) {
        return .revertDeletion(random.once(in: 3) ? .order : .customer, id(), on: handle())
      }
      return .revert(random.once(in: 3) ? .customer : .order, id(), on: handle())
    case 32, 33: return write()
    case 34, 35: return .reopen
    case 36: return random.once(in: 2) ? .flush : .read
    case 37: return random.once(in: 2) ? .compact : .migrate(one(of: Step.Migrating.allCases))
    case 38:
      guard features.contains(.faults) else { return .flush }
      return .fail(one(of: Fault.allCases), at: 1 + random.below(40), lasting: random.once(in: 2))
    default:
      guard features.contains(.crashes) else { return .reopen }
      return .crash(
        random.once(in: 2) ? .kill : .power(random.next() % 1000), at: 1 + random.below(60))
    }
  }

  private mutating func write() -> Step {
    let writer: Step.Writer = !features.contains(.edits) || random.once(in: 3) ? .server : .user
    var changes = changes(depth: 0)
    if writer == .user, !features.contains(.deletions) {
      changes = changes.compactMap(\.withoutLife)
    }
    return .write(
      on: handle(), as: writer, changes, end: random.once(in: 6) ? .rollBack : .commit)
  }

  private mutating func changes(depth: Int) -> [Change] {
    (0...random.below(6)).map { _ in change(depth: depth) }
  }

  private mutating func change(depth: Int) -> Change {
    switch random.below(depth < 2 ? 18 : 16) {
    case 0..<6:
      let (kind, name, value) = member()
      return .set(kind, id(), name, value)
    case 6, 7, 8:
      let kind = kind()
      return .create(kind, id(), members(kind))
    case 9: return .delete(kind(), id())
    case 10, 11: return .append(listOwner(), id(), id())
    case 12: return .insert(listOwner(), id(), id(), at: random.below(5))
    case 13: return .remove(listOwner(), id(), at: random.below(5))
    case 14: return .move(listOwner(), id(), from: random.below(5), to: random.below(5))
    case 15: return random.once(in: 2) ? .rekey(.shop, id(), to: id()) : .receive(payload())
    default:
      return .savepoint(
        changes(depth: depth + 1), end: random.once(in: 2) ? .rollBack : .commit)
    }
  }

  // MARK: - Operands

  private mutating func one<T>(of values: [T]) -> T { values[random.below(values.count)] }
  private mutating func handle() -> Int { random.once(in: 4) ? 1 : 0 }
  private mutating func kind() -> Kind { one(of: Kind.allCases) }
  private mutating func listOwner() -> Kind { random.once(in: 2) ? .shop : .order }

  /// A key. Small ones are more frequent.
  private mutating func id() -> Int {
    random.once(in: 2) ? random.below(3) : random.below(World.idCount)
  }

  private mutating func member() -> (Kind, String, Value) {
    let kind = kind()
    let attribute = one(of: Attribute.of(kind))
    return (kind, attribute.name, value(attribute))
  }

  private mutating func members(_ kind: Kind) -> [Member] {
    let attributes = Attribute.of(kind).shuffled(using: &random)
    return attributes.prefix(random.below(5)).map { Member($0.name, value($0)) }
  }

  private mutating func value(_ attribute: Attribute) -> Value {
    switch attribute.content {
    case .plain(let count): return .plain(random.below(count))
    case .link: return .link(random.once(in: 4) ? nil : id())
    case .list:
      return .links((0..<random.below(random.once(in: 8) ? 40 : 4)).map { _ in id() })
    case .set: return .links(Set((0..<random.below(4)).map { _ in id() }).sorted())
    case .map: return .links((0..<random.below(4)).map { _ in random.once(in: 3) ? nil : id() })
    }
  }

  private mutating func payload() -> Payload {
    let kind = kind()
    return Payload(kind: kind, objects: (0..<random.below(4)).map { _ in node(kind, depth: 0) })
  }

  private mutating func node(_ kind: Kind, depth: Int) -> Payload.Node {
    var node = Payload.Node(kind: kind, id: id(), members: members(kind))
    guard depth < 2 else { return node }
    for member in node.members {
      guard let target = Attribute.of(kind)[Attribute.index(kind, member.name)].target else {
        continue
      }
      for id in member.value.targets where random.once(in: 3) {
        if node.nested.contains(where: { $0.id == id && $0.kind == target }) { continue }
        var nested = self.node(target, depth: depth + 1)
        nested.id = id
        node.nested.append(nested)
      }
    }
    return node
  }
}

extension Change {
  /// The change without creations and deletions of objects that track edits; nil if nothing remains.
  fileprivate var withoutLife: Change? {
    switch self {
    case .create(let kind, let id, let members) where kind.tracksEdits:
      .update(kind, id, members)
    case .delete(let kind, _) where kind.tracksEdits: nil
    case .savepoint(let changes, let end):
      .savepoint(changes.compactMap(\.withoutLife), end: end)
    default: self
    }
  }
}
