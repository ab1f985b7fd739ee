/// The documented behavior of the store, implemented as plainly as possible: dictionaries, and a scan for every query.
/// Tests run the same operations on it and on a store and compare everything.
///
/// A `NaiveStore` is a value: a copy is an older version, a rollback is an assignment.
public struct NaiveStore: Sendable {
  /// A class of the model.
  public struct Model: Sendable {
    public enum Identity: Sendable { case keyed(String), keyless, embedded }

    public enum Kind: Sendable {
      /// A value, with the default of a new row.
      case scalar(Value)
      case link(String)
      case values
      case links(String)
      case valueSet
      case linkSet(String)
      case valueMap
      /// A map of links. `keepsKeys` is true if a deleted target leaves its key with null.
      case linkMap(String, keepsKeys: Bool)
    }

    public let name: String
    public let identity: Identity
    /// The attributes in declaration order.
    public let attributes: [(name: String, kind: Kind)]

    public init(_ name: String, _ identity: Identity, _ attributes: [(String, Kind)]) {
      self.name = name
      self.identity = identity
      self.attributes = attributes.map { (name: $0.0, kind: $0.1) }
    }

    var key: String? {
      if case .keyed(let name) = identity { name } else { nil }
    }
  }

  /// A row, identified for its whole life.
  public struct Row: Hashable, Sendable {
    public let model: String
    public let serial: Int
  }

  public indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    /// Compared by its bits, as in the store.
    case double(UInt64)
    /// Compared by its bytes.
    case text([UInt8])
    case list([Value])
    /// Sorted by key bytes.
    case map([Pair])
    case row(Row)
    /// Nested content of an update, with its attributes in the given order.
    case content(String, [Pair])
    /// A node of a graph to be added.
    case node(Int)

    public static func string(_ text: String) -> Value { .text(Array(text.utf8)) }
    public static func number(_ number: Double) -> Value { .double(number.bitPattern) }
  }

  public struct Pair: Hashable, Sendable {
    public let key: String
    public let value: Value

    public init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  private struct State: Sendable {
    var values: [String: Value]
    /// The attributes that have been given a value; nil for all.
    var given: Set<String>?
    var isBornNested = false
  }

  private let models: [String: Model]
  private var states: [Row: State] = [:]
  /// The live rows by class, in order of insertion.
  private var order: [String: [Row]] = [:]
  private var nextSerial = 0
  /// True if updates leave the attributes that they lack unknown, as those of the server do.
  public var isServer = false

  public init(_ models: [Model]) {
    self.models = Dictionary(uniqueKeysWithValues: models.map { ($0.name, $0) })
  }

  // MARK: - Reading

  /// Returns the live rows of a class, in order of insertion.
  public func rows(_ model: String) -> [Row] { order[model] ?? [] }

  public func isLive(_ row: Row) -> Bool { states[row] != nil }

  public func value(_ row: Row, _ attribute: String) -> Value {
    states[row]?.values[attribute] ?? .null
  }

  /// Returns the row with a key.
  public func find(_ model: String, _ key: Value) -> Row? {
    guard let name = models[model]?.key else { return nil }
    return rows(model).first { value($0, name) == key }
  }

  /// Returns all rows of all classes with their values. A link is the index of its target in its class.
  public func snapshot() -> [String: [[String: Value]]] {
    var places: [Row: Int] = [:]
    for rows in order.values {
      for (place, row) in rows.enumerated() { places[row] = place }
    }
    func placed(_ value: Value) -> Value {
      switch value {
      case .row(let row): .int(places[row] ?? -1)
      case .list(let values): .list(values.map(placed))
      case .map(let pairs): .map(pairs.map { Pair($0.key, placed($0.value)) })
      default: value
      }
    }
    return models.mapValues { model in
      rows(model.name).map { row in
        var values = (states[row]?.values ?? [:]).mapValues(placed)
        for (name, kind) in model.attributes {
          // The order of a set is not compared.
          switch kind {
          case .valueSet, .linkSet:
            if case .list(let elements)? = values[name] {
              values[name] = .list(elements.sorted { "\($0)" < "\($1)" })
            }
          default: break
          }
        }
        values["unknown"] = .list(unknown(row).map { .string($0) })
        return values
      }
    }
  }

  /// Returns the attributes of a row that have not been given a value, in declaration order.
  private func unknown(_ row: Row) -> [String] {
    guard let given = states[row]?.given else { return [] }
    return (models[row.model]?.attributes ?? []).map(\.name).filter { !given.contains($0) }
  }

  // MARK: - Updates

  /// An update of a row. `isTop` is true unless it is nested in another update.
  private typealias Pending = (model: String, pairs: [Pair], isTop: Bool)

  /// Applies an update: rows are found by key or inserted; nested content is kept, inserted or replaced.
  @discardableResult
  public mutating func update(_ model: String, _ pairs: [Pair]) -> Row {
    var pending: [Pending] = []
    collect(model, pairs, isTop: true, &pending)
    let key = key(of: model, pairs)
    let rows = apply(merged(pending))
    return key.flatMap { find(model, $0) } ?? rows.last ?? Row(model: model, serial: -1)
  }

  private func key(of model: String, _ pairs: [Pair]) -> Value? {
    models[model]?.key.flatMap { name in pairs.last { $0.key == name }?.value }
  }

  /// Merges the updates of one row into the first of them. The last value of an attribute wins.
  private func merged(_ pending: [Pending]) -> [Pending] {
    var merged: [Pending] = []
    for (model, pairs, isTop) in pending {
      let key = key(of: model, pairs)
      let first = merged.firstIndex {
        key != nil && $0.model == model && self.key(of: model, $0.pairs) == key
      }
      if let first {
        merged[first].pairs += pairs
        if isTop { merged[first].isTop = true }
      } else {
        merged.append((model, pairs, isTop))
      }
    }
    return merged
  }

  /// Adds a graph of objects whose root is the first node. Rows are inserted in order of discovery.
  @discardableResult
  public mutating func add(_ nodes: [(model: String, pairs: [Pair])]) -> [Row] {
    let wasServer = isServer
    isServer = false
    defer { isServer = wasServer }
    return apply(nodes.map { ($0.model, $0.pairs, true) }, isGraph: true)
  }

  /// Collects the rows with an identity; nested rows precede the row that contains them.
  private func collect(
    _ model: String, _ pairs: [Pair], isTop: Bool, _ pending: inout [Pending]
  ) {
    func visit(_ value: Value) {
      switch value {
      case .content(let nested, let pairs): collect(nested, pairs, isTop: false, &pending)
      case .list(let values): values.forEach(visit)
      case .map(let pairs): pairs.forEach { visit($0.value) }
      default: break
      }
    }
    for pair in pairs { visit(pair.value) }
    if isTop || models[model]?.key != nil { pending.append((model, pairs, isTop)) }
  }

  private mutating func apply(_ pending: [Pending], isGraph: Bool = false) -> [Row] {
    var rows: [Row] = []
    for (model, pairs, isTop) in pending {
      let key = key(of: model, pairs)
      // Of an object that is only referred to, nothing but the key is known, whoever refers to it.
      let isReference = !isTop && pairs.allSatisfy { $0.key == models[model]?.key }
      rows.append(
        key.flatMap { find(model, $0) }
          ?? insert(model, key: key, isPartial: isServer || isReference))
    }
    var released: [Row] = []
    for (index, row) in rows.enumerated() {
      fill(row, pending[index].pairs, isGraph ? rows : [], &released)
    }
    collectOrphans(released)
    return rows
  }

  private mutating func insert(_ model: String, key: Value?, isPartial: Bool) -> Row {
    let row = Row(model: model, serial: nextSerial)
    nextSerial += 1
    var values: [String: Value] = [:]
    for (name, kind) in models[model]?.attributes ?? [] {
      values[name] =
        switch kind {
        case .scalar(let value): value
        case .link: .null
        case .values, .links, .valueSet, .linkSet: .list([])
        case .valueMap, .linkMap: .map([])
        }
    }
    if let name = models[model]?.key, let key { values[name] = key }
    let keys = models[model]?.key.map { [$0] } ?? []
    states[row] = State(values: values, given: isPartial ? Set(keys) : nil)
    order[model, default: []].append(row)
    return row
  }

  /// Writes attributes in declaration order, and adds the replaced targets to `released`.
  private mutating func fill(
    _ row: Row, _ pairs: [Pair], _ nodes: [Row], _ released: inout [Row]
  ) {
    guard let model = models[row.model] else { return }
    for (name, kind) in model.attributes where name != model.key {
      guard let given = pairs.last(where: { $0.key == name })?.value else { continue }
      let old = value(row, name)
      let new = stored(given, kind, replacing: old, nodes, &released)
      states[row]?.values[name] = new
      states[row]?.given?.insert(name)
      released += Self.targets(old)
    }
  }

  /// Returns the value as stored in a row, with nested content replaced by rows.
  private mutating func stored(
    _ given: Value, _ kind: Model.Kind, replacing old: Value, _ nodes: [Row],
    _ released: inout [Row]
  ) -> Value {
    func isSame(_ given: Value, _ old: Value) -> Bool {
      if case .content(let model, let pairs) = given, models[model]?.key == nil {
        guard case .row(let row) = old else { return false }
        return holds(row, pairs)
      }
      return target(given, nodes) == old
    }
    switch kind {
    case .scalar:
      return given
    case .link:
      return isSame(given, old) ? old : made(given, nodes, &released)
    case .values:
      return given == .null ? .list([]) : given
    case .valueSet:
      guard case .list(let values) = given else { return .list([]) }
      return .list(Self.unique(values))
    case .valueMap:
      guard case .map(let pairs) = given else { return .map([]) }
      return .map(Self.sorted(pairs))
    case .linkSet:
      guard case .list(let values) = given else { return .list([]) }
      var elements: [Value] = []
      for value in values { elements.append(made(value, nodes, &released)) }
      return .list(Self.unique(elements))
    case .links:
      var new: [Value] = []
      if case .list(let values) = given { new = values }
      guard case .list(let old) = old else { return .null }
      let shared = min(old.count, new.count)
      let prefix = (0..<shared).first { !isSame(new[$0], old[$0]) } ?? shared
      let room = shared - prefix
      let suffix =
        (0..<room).first { !isSame(new[new.count - 1 - $0], old[old.count - 1 - $0]) } ?? room
      var middle: [Value] = []
      for value in new[prefix..<new.count - suffix] {
        middle.append(made(value, nodes, &released))
      }
      return .list(old[..<prefix] + middle + old[(old.count - suffix)...])
    case .linkMap:
      guard case .map(let pairs) = given, case .map(let old) = old else { return .map([]) }
      var new: [Pair] = []
      for pair in Self.sorted(pairs) {
        let before = old.first { Self.hasSameBytes($0.key, pair.key) }?.value ?? .null
        new.append(
          Pair(
            pair.key,
            isSame(pair.value, before) ? before : made(pair.value, nodes, &released)))
      }
      return .map(new)
    }
  }

  /// Returns the row that a value refers to, if it has an identity.
  private func target(_ value: Value, _ nodes: [Row]) -> Value {
    switch value {
    case .node(let index): return .row(nodes[index])
    case .content(let model, let pairs):
      guard let name = models[model]?.key, let key = pairs.last(where: { $0.key == name })?.value
      else { return .null }
      return find(model, key).map { .row($0) } ?? .null
    default: return value
    }
  }

  /// Returns the row of a value, inserting it if it is content without an identity.
  private mutating func made(
    _ value: Value, _ nodes: [Row], _ released: inout [Row]
  ) -> Value {
    guard case .content(let model, let pairs) = value, models[model]?.key == nil else {
      return target(value, nodes)
    }
    let row = insert(model, key: nil, isPartial: isServer)
    states[row]?.isBornNested = true
    fill(row, pairs, nodes, &released)
    return .row(row)
  }

  /// Returns true if a row equals the row that inserting the content would make.
  private func holds(_ row: Row, _ pairs: [Pair]) -> Bool {
    guard let model = models[row.model] else { return false }
    return model.attributes.allSatisfy { name, kind in
      let given = pairs.last { $0.key == name }?.value
      let old = value(row, name)
      let isUnknown = !(states[row]?.given?.contains(name) ?? true)
      if given == nil, isServer, isUnknown { return true }
      if isUnknown { return false }
      func isSame(_ given: Value, _ old: Value) -> Bool {
        if case .content(let model, let pairs) = given, models[model]?.key == nil {
          guard case .row(let row) = old else { return false }
          return holds(row, pairs)
        }
        return target(given, []) == old
      }
      switch (kind, given ?? .null, old) {
      case (.scalar(let value), _, _): return (given ?? value) == old
      case (.link, let new, _): return isSame(new, old)
      case (_, .null, .list(let old)): return old.isEmpty
      case (_, .null, .map(let old)): return old.isEmpty
      case (_, .list(let new), .list(let old)):
        return new.count == old.count && zip(new, old).allSatisfy(isSame)
      default: return false
      }
    }
  }

  // MARK: - Assigning

  /// Assigns an attribute: old targets lose a reference, and embedded ones are deleted.
  public mutating func assign(_ row: Row, _ attribute: String, _ value: Value) {
    let old = self.value(row, attribute)
    states[row]?.values[attribute] = value
    states[row]?.given?.insert(attribute)
    for target in Self.targets(old) where isEmbedded(target) && references(target) == 0 {
      delete(target)
    }
  }

  /// Inserts a row outside an update, as assigning an instance does.
  public mutating func make(_ model: String, _ pairs: [Pair]) -> Row {
    apply([(model, pairs, true)]).last ?? Row(model: model, serial: -1)
  }

  /// Copies an embedded row and the embedded rows that it owns.
  ///
  /// The rows that it owns are content of the copy, and thus born nested.
  public mutating func copy(_ row: Row) -> Row {
    let wasServer = isServer
    isServer = true
    defer { isServer = wasServer }
    var released: [Row] = []
    let copy = insert(row.model, key: nil, isPartial: true)
    fill(copy, content(of: row), [], &released)
    return copy
  }

  /// The values of a row. The copy of an unknown attribute is unknown.
  private func content(of row: Row) -> [Pair] {
    let unknown = unknown(row)
    return (models[row.model]?.attributes ?? []).filter { !unknown.contains($0.name) }.map {
      name, _ in
      Pair(name, copied(value(row, name)))
    }
  }

  private func copied(_ value: Value) -> Value {
    switch value {
    case .row(let target) where isEmbedded(target): .content(target.model, content(of: target))
    case .list(let values): .list(values.map(copied))
    default: value
    }
  }

  // MARK: - Deleting

  /// Deletes a row: links to it are cleared, and its embedded rows are deleted.
  public mutating func delete(_ row: Row) { delete(row, replaces: false) }

  private mutating func delete(_ row: Row, replaces: Bool) {
    guard let state = states.removeValue(forKey: row) else { return }
    order[row.model]?.removeAll { $0 == row }
    for (source, var sourceState) in states {
      var isChanged = false
      for (name, kind) in models[source.model]?.attributes ?? [] {
        guard let old = sourceState.values[name], Self.targets(old).contains(row) else { continue }
        isChanged = true
        sourceState.values[name] =
          switch (kind, old) {
          case (_, .list(let values)): .list(values.filter { $0 != .row(row) })
          case (.linkMap(_, keepsKeys: true), .map(let pairs)):
            .map(pairs.map { $0.value == .row(row) ? Pair($0.key, .null) : $0 })
          case (_, .map(let pairs)): .map(pairs.filter { $0.value != .row(row) })
          default: .null
          }
      }
      if isChanged { states[source] = sourceState }
    }
    for target in state.values.values.flatMap(Self.targets) where isLive(target) {
      let isOwned = isEmbedded(target) || replaces && (states[target]?.isBornNested ?? false)
      if isOwned, !isKeyed(target), references(target) == 0 { delete(target, replaces: replaces) }
    }
  }

  /// Deletes the born-nested rows that a replacement left without a reference.
  private mutating func collectOrphans(_ released: [Row]) {
    for row in released where isLive(row) && !isKeyed(row) && references(row) == 0 {
      if isEmbedded(row) || states[row]?.isBornNested ?? false { delete(row, replaces: true) }
    }
  }

  // MARK: - References

  /// Returns the number of references to a row.
  public func references(_ row: Row) -> Int {
    var count = 0
    for state in states.values {
      for value in state.values.values { Self.forEachTarget(value) { if $0 == row { count += 1 } } }
    }
    return count
  }

  /// Returns the rows of a class without references.
  public func unreferenced(_ model: String) -> [Row] {
    var targets: Set<Row> = []
    for state in states.values {
      for value in state.values.values { Self.forEachTarget(value) { targets.insert($0) } }
    }
    return rows(model).filter { !targets.contains($0) }
  }

  private func isKeyed(_ row: Row) -> Bool { models[row.model]?.key != nil }

  private func isEmbedded(_ row: Row) -> Bool {
    if case .embedded? = models[row.model]?.identity { true } else { false }
  }

  private static func forEachTarget(_ value: Value, _ body: (Row) -> Void) {
    switch value {
    case .row(let row): body(row)
    case .list(let values): for value in values { forEachTarget(value, body) }
    case .map(let pairs): for pair in pairs { forEachTarget(pair.value, body) }
    default: break
    }
  }

  private static func targets(_ value: Value) -> [Row] {
    var rows: [Row] = []
    forEachTarget(value) { rows.append($0) }
    return rows
  }

  private static func unique(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  private static func hasSameBytes(_ a: String, _ b: String) -> Bool {
    a.utf8.elementsEqual(b.utf8)
  }

  /// Sorts pairs by key bytes and keeps the last value of each key.
  private static func sorted(_ pairs: [Pair]) -> [Pair] {
    var unique: [Pair] = []
    for pair in pairs {
      unique.removeAll { hasSameBytes($0.key, pair.key) }
      unique.append(pair)
    }
    return unique.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
