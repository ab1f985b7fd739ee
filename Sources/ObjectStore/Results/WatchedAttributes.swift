/// The attributes that an observer watches: those of a class, and those of the objects behind its links.
///
/// Without key paths, all attributes of the object itself are watched, including embedded objects. A path also watches
/// the links in it. A path that ends in ``QueryDependencies/known`` watches whether an attribute is known, not its value.
struct WatchedAttributes {
  private let table: Int
  /// Nil for all attributes.
  private let own: AttributeBits?
  /// The attributes that become known, or unknown, as a change.
  private let known: AttributeBits
  private let watchedLinks: [WatchedLink]

  /// The watched attributes of the objects behind a link, a collection of links or an inverse link.
  private struct WatchedLink {
    /// The column with the links, in this table; for an inverse link, in the other table.
    let link: Table.Incoming
    let isInverse: Bool
    /// The index of the attribute that leads to the objects.
    let attribute: Int
    let watched: WatchedAttributes
  }

  /// - Parameter paths: The watched attributes as paths of names. Nil for all attributes of the object itself.
  /// - Throws: `unknownAttribute`; `invalidKeyPath` for a path that continues after an attribute without links.
  init(_ paths: [[String]]?, _ handle: StoreHandle, table: Int) throws {
    self.table = table
    guard let paths else {
      own = nil
      known = AttributeBits()
      watchedLinks = []
      return
    }
    let entry = handle.entry(ofTable: table)
    var bits = AttributeBits()
    var rest: [(name: String, paths: [[String]])] = []
    for path in paths {
      guard let name = path.first else { continue }
      let tail = Array(path.dropFirst())
      if let index = rest.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
        rest[index].paths.append(tail)
      } else {
        rest.append((name, [tail]))
      }
    }
    var known = AttributeBits()
    var watchedLinks: [WatchedLink] = []
    for (name, tails) in rest {
      if let attributes = entry.base?.attributes(ofState: name) {
        for attribute in attributes { bits.insert(attribute) }
        continue
      }
      guard let property = entry.schema[name] else {
        throw StoreError(
          .unknownAttribute(
            className: entry.schema.className, name: name,
            suggestion: Suggestion.nearest(to: name, among: entry.schema.properties.map(\.name))))
      }
      let attribute = property.column - entry.layout.firstAttribute
      let values = tails.filter { $0 != [QueryDependencies.known] }
      if values.count < tails.count, property.isStored { known.insert(attribute) }
      if values.isEmpty { continue }
      if property.isStored { bits.insert(attribute) }
      let deeper = values.filter { !$0.isEmpty }
      if property.isStored && deeper.isEmpty { continue }
      guard let target = property.shape.target,
        let other = try? target.objectType.map({ try handle.entry($0) })
          ?? handle.entry(named: target.name)
      else {
        throw StoreError(
          .invalidKeyPath(
            "\(entry.schema.className).\(name) is \(property.shape.name), "
              + "which has no attribute '\(deeper.first?.first ?? "")'"))
      }
      if property.isStored {
        watchedLinks.append(
          WatchedLink(
            link: Table.Incoming(table: table, column: property.column), isInverse: false,
            attribute: attribute, watched: try WatchedAttributes(deeper, handle, table: other.table)
          ))
      } else if let origin = property.originPropertyName, let link = other.schema[origin] {
        watchedLinks.append(
          WatchedLink(
            link: Table.Incoming(table: other.table, column: link.column), isInverse: true,
            attribute: attribute,
            watched: try WatchedAttributes(deeper + [[origin]], handle, table: other.table)))
      }
    }
    own = bits
    self.known = known.intersection(handle.engine.table(table).payloadAttributes)
    self.watchedLinks = watchedLinks
  }

  /// The time at which the open write last changed a watched attribute of any object; 0 if it has not. For an inverse
  /// link, also inserted and deleted rows are changes.
  func lastChange(in transaction: Transaction) -> Int {
    var last = 0
    if let times = transaction.times(table) {
      let columns = transaction.engine.table(table).layout
      if let own {
        for attribute in own.all {
          last = max(last, times.ofColumn(columns.firstAttribute + attribute))
        }
      } else {
        last = times.last
      }
      if !known.isEmpty {
        for column in columns.missingColumns { last = max(last, times.ofColumn(column)) }
      }
    }
    for watchedLink in watchedLinks {
      last = max(last, watchedLink.watched.lastChange(in: transaction))
      if watchedLink.isInverse {
        last = max(last, transaction.times(watchedLink.link.table)?.ofRows ?? 0)
      }
    }
    return last
  }

  /// The rows that are live in both versions and have a changed watched attribute, each with its attributes that
  /// changed or that lead to the change.
  func changed(_ difference: VersionDifference) -> [Int: AttributeBits] {
    var changed: [Int: AttributeBits] = [:]
    for (slot, attributes) in difference[table].changed {
      let watched = own.map(attributes.intersection) ?? attributes
      if !watched.isEmpty { changed[slot] = watched }
    }
    if !known.isEmpty {
      for (slot, attributes) in difference[table].known {
        let watched = known.intersection(attributes)
        if !watched.isEmpty { changed[slot, default: AttributeBits()].formUnion(watched) }
      }
    }
    for watchedLink in watchedLinks {
      let touched = watchedLink.watched.touched(difference, isInverse: watchedLink.isInverse)
      for slot in touched {
        if watchedLink.isInverse {
          difference.forEachTarget(of: slot, watchedLink.link) {
            changed[$0, default: AttributeBits()].insert(watchedLink.attribute)
          }
        } else {
          difference.forEachOrigin(of: slot, watchedLink.link) {
            changed[$0, default: AttributeBits()].insert(watchedLink.attribute)
          }
        }
      }
    }
    return changed
  }

  /// The watched attributes of one row that changed, as ``changed(_:)`` returns them; nil if none did.
  ///
  /// - Complexity: O(log n) in the changed rows, unless links are watched.
  func changed(_ slot: Int, _ difference: VersionDifference) -> AttributeBits? {
    guard watchedLinks.isEmpty, known.isEmpty else { return changed(difference)[slot] }
    guard let attributes = difference[table].attributes(of: slot) else { return nil }
    let watched = own.map(attributes.intersection) ?? attributes
    return watched.isEmpty ? nil : watched
  }

  /// The changed rows behind a link. For an inverse link, also the inserted and deleted rows.
  private func touched(_ difference: VersionDifference, isInverse: Bool) -> [Int] {
    let changed = changed(difference).keys
    return isInverse
      ? changed + difference[table].inserted + difference[table].deleted : Array(changed)
  }
}
