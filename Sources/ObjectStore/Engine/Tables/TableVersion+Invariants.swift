// The invariants of every version, checked by reading all of it. For tests and debugging: O(rows), and only while no
// write is open, because the arenas' bounds belong to the writer.

#if DEBUG || STORE_INVARIANTS
  extension Version {
    /// Returns a description of every broken invariant; empty for a valid version.
    ///
    /// - Parameter loadsRows: True to load the tables of a file that are not loaded; false to omit them, and tables with
    ///   chunks that are not made.
    func brokenInvariants(_ engine: StoreEngine, loadsRows: Bool = true) -> [String] {
      var check = InvariantCheck(
        version: self, all: engine.allTables(), log: engine.commitLog, loadsRows: loadsRows)
      check.run()
      return check.broken
    }
  }

  extension TableVersion {
    /// True if the lazy chunks are made.
    fileprivate var isMade: Bool {
      lazyChunks?._withUnsafeGuaranteedRef { $0.areMade } ?? true
    }
  }

  private struct InvariantCheck {
    let version: Version
    let all: ContiguousArray<Table>
    let log: (any CommitLog)?
    /// The rows by table; nil for a table whose rows are not loaded and not to be loaded.
    private let tableVersions: [TableVersion?]
    var broken: [String] = []
    /// The number of references to each row, by table and slot.
    private var references: [Int: [Int: Int]] = [:]
    /// True if the table being checked may have late indexes.
    private var mayLackIndexes = false

    init(
      version: Version, all: ContiguousArray<Table>, log: (any CommitLog)?, loadsRows: Bool
    ) {
      self.version = version
      self.all = all
      self.log = log
      tableVersions = all.map { table in
        if loadsRows { return version[table] }
        return version.loaded(table).flatMap { $0.isMade ? $0 : nil }
      }
    }

    /// True if the check sees every link to the rows of a table. Links of tables that are not loaded, and of classes
    /// and attributes that only the file has, count as references too.
    private func seesAllLinks(to table: Table) -> Bool {
      if let log, log.hasLinks(to: table.layout.name, outside: all) { return false }
      return all.allSatisfy { other in
        tableVersions[other.index] != nil
          || !other.layout.columns.contains { $0.hasLinks && $0.targetTable == table.index }
      }
    }

    mutating func run() {
      for table in all {
        guard let rows = tableVersions[table.index] else { continue }
        // Reading cells of a chunk that is too small would read past its memory.
        guard checkCapacity(table, rows) else { continue }
        let indexes = rows.builtIndexes
        mayLackIndexes = table.initialRows != nil
        checkLive(table, rows)
        checkKeys(table, rows)
        for (column, layout) in table.layout.columns.enumerated() {
          checkCells(table, rows, column, layout)
          if let key = layout.index {
            checkIndex(
              rows, table.layout.attributeName(column), ColumnIndex(column, key),
              indexes.columns[column])
          }
          if layout.isSearchable { checkWordIndex(table, rows, column, indexes.words[column]) }
          if layout.hasLinks { checkLinks(table, rows, column, layout) }
        }
        for (number, index) in table.layout.compoundIndexes.enumerated() {
          checkIndex(
            rows, table.layout.name + table.layout.name(index), index,
            indexes.compounds[number])
        }
      }
      for table in all {
        guard let rows = tableVersions[table.index] else { continue }
        checkMissing(table, rows)
        if table.layout.identity != .keyed { checkReferences(table, rows) }
      }
    }

    private mutating func report(_ table: Table, _ slot: Int, _ text: String) {
      broken.append("\(table.layout.name) row \(slot): \(text)")
    }

    // MARK: - Rows

    private mutating func checkCapacity(_ table: Table, _ rows: TableVersion) -> Bool {
      var hasCapacity = true
      rows.forEachChunk { slots in
        let capacity = rows.chunk(slots.lowerBound >> ChunkLayout.shift)
          ._withUnsafeGuaranteedRef { $0.capacity }
        if capacity < slots.count {
          report(table, slots.lowerBound, "chunk of capacity \(capacity) has \(slots.count) rows")
          hasCapacity = false
        }
        return hasCapacity
      }
      return hasCapacity
    }

    private mutating func checkLive(_ table: Table, _ rows: TableVersion) {
      var count = 0
      rows.forEachLive { _ in
        count += 1
        return true
      }
      if count != rows.liveCount {
        broken.append(
          "\(table.layout.name): \(count) live rows, but liveCount is \(rows.liveCount)")
      }
    }

    /// Checks that each live row is found by its key, which implies that no two live rows share a key.
    private mutating func checkKeys(_ table: Table, _ rows: TableVersion) {
      guard let keyColumn = table.layout.keyColumn else { return }
      let isBytes = table.layout.columns[keyColumn].kind == .bytes
      rows.forEachLive { slot in
        let word = rows.word(slot, keyColumn)
        let found =
          isBytes
          ? rows.find(bytes: rows.columns(slot)[keyColumn].bytes(ofWord: word), keyColumn)
          : rows.find(word: word, keyColumn)
        if found != slot {
          report(table, slot, "its key finds row \(found.map(String.init) ?? "none")")
        }
        return true
      }
    }

    // MARK: - Cells

    /// Checks that strings and slices lie inside their arenas, null cells are zero, and the elements of sets and maps
    /// are sorted. Includes dead rows, since they can still be read.
    private mutating func checkCells(
      _ table: Table, _ rows: TableVersion, _ column: Int, _ layout: ColumnLayout
    ) {
      rows.forEachChunk { slots in
        for slot in slots { checkCell(table, rows, slot, column, layout) }
        return true
      }
    }

    private mutating func checkCell(
      _ table: Table, _ rows: TableVersion, _ slot: Int, _ column: Int, _ layout: ColumnLayout
    ) {
      let storage = rows.columns(slot)[column]
      let row = slot & ChunkLayout.mask
      let (textUsed, elementsUsed) = storage.block._withUnsafeGuaranteedRef {
        ($0.text?.used ?? 0, $0.elements?.used ?? 0)
      }
      func isInside(_ word: UInt64) -> Bool {
        word == 0 || Int(word >> 32) + Int(word & 0xFFFF_FFFF) <= textUsed
      }
      switch layout.kind {
      case .byte:
        if storage.isNull(row), layout.isOptional, storage.byte(row) != 0 {
          report(table, slot, "column \(column): null cell is not zero")
        }
      case .word, .link:
        if storage.isNull(row), storage.word(row) != 0 {
          report(table, slot, "column \(column): null cell is not zero")
        }
      case .bytes:
        if storage.isNull(row), storage.word(row) != 0 {
          report(table, slot, "column \(column): null cell is not zero")
        }
        if !isInside(storage.word(row)) {
          report(table, slot, "column \(column): string outside its arena")
        }
      case .collection:
        let slice = storage.slice(row)
        let end = Int(slice.offset) + Int(slice.length) * layout.elementStride
        if slice.length > 0 && end * 8 > elementsUsed {
          report(table, slot, "column \(column): slice outside its arena")
          return
        }
        checkElements(table, slot, column, layout, storage, slice, isInside)
      }
    }

    private mutating func checkElements(
      _ table: Table, _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ storage: StorageColumn,
      _ slice: CollectionSlice, _ isInside: (UInt64) -> Bool
    ) {
      guard let elements = storage.elements else { return }
      var previous: ElementValue?
      for index in 0..<Int(slice.length) {
        let offset = Int(slice.offset) + index * layout.elementStride
        let valueOffset = offset + (layout.collection == .map ? 1 : 0)
        if layout.collection == .map && !isInside(elements[offset])
          || layout.elementKind == .bytes && !isInside(elements[valueOffset])
        {
          report(table, slot, "column \(column): string of an element outside its arena")
          return
        }
        let element = storage.element(slice, index, layout)
        if layout.elementKind == .link, element.word == 0, !element.isNull {
          report(table, slot, "column \(column): element without a target is not null")
        }
        if let previous {
          let isOrdered =
            switch layout.collection {
            case .list: true
            case .set: ElementValue.precedes(previous, element, layout)
            case .map: previous.key.precedes(element.key)
            }
          if !isOrdered {
            report(table, slot, "column \(column): elements \(index - 1) and \(index) out of order")
          }
        }
        previous = element
      }
    }

    /// Checks that the index of a committed version has exactly one entry for each live row.
    private mutating func checkIndex<Index: RowIndex>(
      _ rows: TableVersion, _ name: String, _ index: Index,
      _ tree: SlotTree<Index.Key>?
    ) {
      var found: [(key: Index.Key, slot: Int)] = []
      rows.forEachLive { slot in
        found.append((index.key(slot, in: rows), slot))
        return true
      }
      check(tree, name, rows, found)
    }

    /// Checks that the word index has each word of a live row's string exactly once.
    private mutating func checkWordIndex(
      _ table: Table, _ rows: TableVersion, _ column: Int, _ tree: SlotTree<UInt64>?
    ) {
      var found: [(key: UInt64, slot: Int)] = []
      var keys: ContiguousArray<UInt64> = []
      rows.forEachLive { slot in
        rows.collectWordKeys(slot, column, in: &keys)
        found += keys.map { ($0, slot) }
        return true
      }
      check(tree, table.layout.attributeName(column), rows, found)
    }

    private mutating func check<Key>(
      _ tree: SlotTree<Key>?, _ name: String, _ rows: TableVersion,
      _ unsorted: [(key: Key, slot: Int)]
    ) {
      guard rows.areIndexesCurrent else {
        if version.isPublished {
          broken.append("\(name): index of a published version is outdated")
        }
        return
      }
      var found = unsorted
      guard let tree else {
        if !found.isEmpty, !mayLackIndexes { broken.append("\(name): index is missing") }
        return
      }
      broken += tree.brokenInvariants().map { "\(name): \($0)" }
      found.sort { ($0.key, $0.slot) < ($1.key, $1.slot) }
      if !tree.pairs.elementsEqual(found, by: ==) {
        broken.append("\(name): index differs from a scan")
      }
    }

    // MARK: - Links

    /// Checks that links of live rows refer to live rows, and that the backlinks equal the result of a scan.
    private mutating func checkLinks(
      _ table: Table, _ rows: TableVersion, _ column: Int, _ layout: ColumnLayout
    ) {
      let targets = tableVersions[layout.targetTable]
      var found: [(key: UInt64, slot: Int)] = []
      rows.forEachLive { slot in
        rows.forEachTarget(slot, column, layout) { target in
          if let targets, !targets.isLive(target) {
            report(table, slot, "column \(column): link to dead row \(target)")
          }
          found.append((UInt64(target), slot))
          references[layout.targetTable, default: [:]][target, default: 0] += 1
        }
        return true
      }
      guard let tree = rows.knownBacklinks(of: column) else { return }
      broken += tree.brokenInvariants().map { "\(table.layout.name) column \(column): \($0)" }
      found.sort { ($0.key, $0.slot) < ($1.key, $1.slot) }
      if !tree.pairs.elementsEqual(found, by: ==) {
        broken.append("\(table.layout.name) column \(column): backlinks differ from a scan")
      }
    }

    /// Checks that no attribute is missing that cannot be.
    private mutating func checkMissing(_ table: Table, _ rows: TableVersion) {
      let layout = table.layout
      rows.forEachLive { slot in
        for attribute in 0..<layout.missingColumns.count * 64
        where rows.isMissing(slot, attribute) && attribute != layout.attributeCount {
          if attribute > layout.attributeCount {
            report(table, slot, "attribute \(attribute), which does not exist, is missing")
          } else if layout.firstAttribute + attribute == layout.keyColumn {
            report(table, slot, "the key is missing")
          }
        }
        return true
      }
    }

    private mutating func checkReferences(_ table: Table, _ rows: TableVersion) {
      let isComplete = seesAllLinks(to: table)
      rows.forEachLive { slot in
        let expected = references[table.index]?[slot] ?? 0
        let counted = rows.word(slot, table.layout.referencesColumn)
        if isComplete ? counted != UInt64(expected) : counted < UInt64(expected) {
          report(table, slot, "\(expected) references, but the count is \(counted)")
        }
        if table.layout.identity == .embedded, isComplete ? expected != 1 : expected > 1 {
          report(table, slot, "embedded row has \(expected) owners")
        }
        return true
      }
    }
  }
#endif
