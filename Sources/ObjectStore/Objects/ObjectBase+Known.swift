// Which attributes of an object are known. Payloads are partial: a list carries summaries, a detail the rest.

extension ObjectBase {
  /// The names of the attributes of which the store does not know the server's value, in declared order.
  ///
  ///     let order = try coder.decode(Order.self, from: summary)      // {"id":7,"title":"a"}
  ///     order.unknownAttributes                                      // ["note", "lines"]
  ///
  /// An attribute is known once a payload or code has given it a value, also null or its default; see
  /// ``ObjectProtocol/isKnown(_:)``. Empty for an unmanaged or deleted object.
  ///
  /// - Complexity: O(attributes).
  public final var unknownAttributes: [String] {
    noteKnownReads(nil)
    guard let row = knownRow, row.version.hasMissing(slot, row.entry.layout) else { return [] }
    return row.entry.attributes.filter { isUnknown($0.index, row) }.map(\.name)
  }

  /// True if every attribute is known, also of the embedded objects that the object holds: the user created the object,
  /// payloads and code have given each attribute a value, or a payload said that it is complete.
  ///
  /// It does not tell whether the server has members that no attribute reads, or whether it has changed since.
  ///
  /// - Complexity: O(attributes), plus O(embedded objects).
  public final var isWhole: Bool {
    if !unknownAttributes.isEmpty { return false }
    guard let row = knownRow, let handle else { return true }
    return handle.engine.table(row.entry.table).contentColumns.allSatisfy { column in
      let layout = row.entry.layout.columns[column]
      let target = handle.entry(ofTable: layout.targetTable)
      if !target.schema.isEmbedded { return true }
      var isWhole = true
      row.version.forEachTarget(slot, column, layout) {
        isWhole = isWhole && handle.accessor(target, $0).isWhole
      }
      return isWhole
    }
  }

  /// Returns false if the store does not know the server's value of an attribute.
  final func isKnown(named name: String) -> Bool {
    guard let row = knownRow, let attribute = row.entry.attribute(name) else { return true }
    noteKnownReads(attribute.index)
    return !isUnknown(attribute.index, row)
  }

  private typealias KnownRow = (version: TableVersion, entry: ClassEntry, payload: AttributeBits)

  private var knownRow: KnownRow? {
    guard let storage, let handle, !isInvalidated else { return nil }
    let entry = handle.entry(ofTable: storage.pointee.table)
    return (
      handle.tableVersion(entry.table), entry, handle.engine.table(entry.table).payloadAttributes
    )
  }

  /// Reports reads to the tracker of the handle.
  ///
  /// - Parameter attribute: The attribute, or nil for all.
  private func noteKnownReads(_ attribute: Int?) {
    guard let storage, let handle, let tracker = handle.tracker, tracker.isTracking else { return }
    let table = storage.pointee.table
    let payload = handle.engine.table(table).payloadAttributes
    for other in attribute.map({ [$0] }) ?? payload.all where payload.has(other) {
      tracker.readKnown(table, slot, other)
    }
  }

  private func isUnknown(_ attribute: Int, _ row: KnownRow) -> Bool {
    row.version.isMissing(slot, attribute) && row.payload.has(attribute)
      && !row.version.isWhole(slot, row.entry.layout)
  }
}

extension ObjectProtocol {
  /// Returns false if the store does not know the server's value of an attribute, which then shows its declared default,
  /// nil, or an empty collection.
  ///
  ///     let order = try coder.decode(Order.self, from: summary)      // {"id":7,"title":"a"}
  ///     order.isKnown(\.note)                                        // false: the summary did not contain it
  ///     try coder.encode(order)                                      // {"id":7,"title":"a"}
  ///
  /// An attribute of an object that a payload created is unknown until a payload contains it or code assigns it, also if
  /// the value is null or equal to the default; so is one that a migration added. Assigning or emptying a collection makes it known; a
  /// call that adds and removes no element does not. Objects that the user creates are known
  /// completely. The primary key, and attributes that payloads do not contain (`.local`, `.unread` and `.placeholder`), are
  /// always known, and so is everything of an unmanaged object. An update that makes attributes known and changes no value is
  /// reported only to observers of `isKnown`: `withObservationTracking`, and queries with `isKnown`.
  ///
  /// - Parameter attribute: A key path to an attribute of the object itself. Anything else is misuse.
  /// - Complexity: O(1).
  public func isKnown(_ attribute: PartialKeyPath<Self>) -> Bool {
    let names = try? Self.attributeNames(along: attribute)
    guard let names, let name = names.first, names.count == 1 else {
      misuse("\(Self.self): isKnown takes a key path to an attribute of the object itself")
    }
    return isKnown(named: name)
  }
}

extension DynamicObject {
  /// Returns false if the store does not know the server's value of an attribute; see ``ObjectProtocol/isKnown(_:)``. True
  /// for a name that the class does not have.
  public func isKnown(_ name: String) -> Bool { isKnown(named: name) }
}
