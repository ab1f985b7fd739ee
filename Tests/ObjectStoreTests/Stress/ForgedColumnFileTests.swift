import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// A column file may have right checksums and still not be one of the store. R33
///
/// `STORE_RANDOM_STEPS` sets the number of openings per seed, each with about four changed words.
@Suite struct `Column files with right checksums and wrong content` {
  private let mapped: MappedStore

  init() throws { mapped = try MappedStore() }

  @Test(arguments: SeededRandom.seeds(1...4))
  func `changed words of column files do not stop the store`(seed: UInt64) throws {
    try mapped.fill(seed: seed)
    var random = SeededRandom(seed: seed)
    var files = try mapped.files().map { try ForgedColumnFile($0) }
    for _ in 0..<SeededRandom.steps(60) {
      let changed = files.indices.filter { _ in random.once(in: 2) }
      for index in changed {
        for _ in 0..<1 + random.below(3) { files[index].change(&random) }
        try files[index].write()
      }
      if random.once(in: 4) {
        try mapped.withStore { try use($0, &random) }
        // Damaged files were replaced.
        for index in files.indices { try files[index].restore() }
      } else {
        var configuration = StoreConfiguration.file(mapped.url, readOnly: true)
        configuration.file.columnFileRows = 1
        try use(ObjectStore.Store(configuration: configuration), &random)
        for index in changed { try files[index].restore() }
      }
    }
  }

  /// Reads all rows, the indexes and the links, and changes rows in a write that is cancelled.
  private func use(_ store: ObjectStore.Store, _ random: inout SeededRandom) throws {
    let items = store.objects(Mapped.Item.self)
    let rank = random.below(50)
    _ = items.where { $0.rank == rank }.map { $0.id }
    _ = items.where { $0.rank > rank }.sorted(by: \.rank).limit(9).map { $0.name }
    for id in stride(from: 0, to: 2200, by: 177) {
      _ = store.object(ofType: Mapped.Item.self, forPrimaryKey: id)?.shelves.map(\.name)
    }
    _ = Mapped.content(of: store)
    let frozen = items.frozen()
    if store.configuration.file.isReadOnly { return }
    _ = try? store.write {
      for _ in 0..<20 where !items.isEmpty {
        let item = items[random.below(items.count)]
        switch random.below(6) {
        case 0: store.delete(item)
        case 1: item.tags.append("new")
        case 2: item.related.removeAll()
        case 3: item.part = nil
        case 4: item.scores["new"] = 1
        default: item.name = "new"
        }
      }
      for note in store.objects(Mapped.Note.self) { note.text += "x" }
      if random.once(in: 3) { store.deleteAll() }
      throw CancellationError()
    }
    for item in frozen { _ = item.withObject { Mapped.text(of: $0).count } }
  }

  // MARK: - Each kind of structure

  private enum Wrong: CaseIterable {
    case stringOffset, stringCount, textSize, elementSize, valueOfNull, flag, live, liveCount
    case sliceOffset, sliceLength, sliceCapacity, sliceFront
    case setOrder, mapOrder, nullFlag, link, elementLink, noElementLink, uuidLength, json
  }

  @Test(arguments: Wrong.allCases)
  private func `a chunk with a wrong structure is read from the database`(_ wrong: Wrong) throws {
    try mapped.fill()
    let goal = try mapped.expected()
    let layout = try mapped.layout(of: "Item")
    var file = try ForgedColumnFile(try mapped.file(of: "Item"))
    var changedCount = 0
    for block in file.parts.blocks where change(&file, block, wrong, layout) { changedCount += 1 }
    #expect(changedCount > 0)
    try file.write()
    let store = try mapped.open()
    #expect(Mapped.content(of: store) == goal)
    #expect(store.damage == [])
    // In a slow build, the file has already been replaced in the background.
    let isUnusable = store.handle.core.file?.columnFiles.unusable.contains("Item") == true
    let now = try mapped.files().first { $0.lastPathComponent.hasPrefix("Item-") }
    #expect(try isUnusable || now.map { try ForgedColumnFile($0).words != file.words } == true)
    let broken = store.handle.engine.newest.brokenInvariants(store.handle.engine)
    #expect(broken == [])
  }

  /// Changes a block; returns false if it has no value to change.
  private func change(
    _ file: inout ForgedColumnFile, _ block: Range<Int>, _ wrong: Wrong, _ layout: TableLayout
  ) -> Bool {
    func column(_ name: String) -> ForgedColumnFile.Column {
      let attribute = (layout.firstAttribute..<layout.columns.count)
        .first { layout.shortName($0) == name }
      return file.column(attribute ?? 0, of: block, layout)
    }
    /// The first words of the rows that satisfy a condition.
    func row(_ name: String, width: Int = 1, _ fits: (UInt64) -> Bool) -> Int? {
      let values = column(name).values
      return (0..<ChunkLayout.rows).map { values + $0 * width }.first { fits(file.words[$0]) }
    }
    func apply(_ index: Int?, _ edit: (inout UInt64) -> Void) -> Bool {
      guard let index else { return false }
      edit(&file.words[index])
      return true
    }
    /// The first word of the elements of the first collection with two elements.
    func elements(_ name: String, atLeast count: Int) -> Int? {
      row(name, width: 2) { Int($0 >> 32) >= count }
        .map { column(name).elements + Int(file.words[$0] & 0xFFFF_FFFF) }
    }
    switch wrong {
    case .stringOffset: return apply(row("name") { $0 != 0 }) { $0 &+= 1 << 32 }
    case .stringCount: return apply(row("name") { $0 != 0 }) { $0 = 0xFFFF_FFFF }
    case .textSize: return apply(column("name").sizes) { $0 = .max }
    case .elementSize: return apply(column("tags").sizes + 1) { $0 &+= 8 }
    case .valueOfNull:
      let null = (0..<ChunkLayout.rows).first {
        file.words[column("born").values + $0] == 0
      }
      return apply(null.map { column("born").values + $0 }) { $0 = 1 }
    case .flag: return apply(column("isNew").values) { $0 |= 0x80 }
    case .live: return apply(file.column(0, of: block, layout).values) { $0 |= 0x0200 }
    case .liveCount: return apply(file.column(0, of: block, layout).values) { $0 = 0 }
    case .sliceOffset: return apply(row("tags", width: 2) { $0 != 0 }) { $0 &+= 1 }
    case .sliceLength: return apply(row("tags", width: 2) { $0 != 0 }) { $0 |= 0xFFFF << 48 }
    case .sliceCapacity: return apply(row("tags", width: 2) { $0 != 0 }.map { $0 + 1 }) { $0 &+= 9 }
    case .sliceFront:
      return apply(row("tags", width: 2) { $0 != 0 }.map { $0 + 1 }) { $0 |= 1 << 32 }
    case .setOrder:
      guard let first = elements("numbers", atLeast: 2) else { return false }
      file.words.swapAt(first, first + 1)
      return true
    case .mapOrder:
      // Both keys have the bytes of the first one.
      guard let first = elements("scores", atLeast: 2) else { return false }
      let (one, other) = (Int(file.words[first] >> 32), Int(file.words[first + 3] >> 32))
      let text = column("scores").text
      file.words.withUnsafeMutableBytes { bytes in
        for index in 0..<Int(bytes[(first + 3) * 8]) {
          bytes[text * 8 + other + index] = index == 0 ? 0 : bytes[text * 8 + one]
        }
      }
      return true
    case .nullFlag:
      return apply(elements("scores", atLeast: 1).map { $0 + 2 }) { $0 = 2 }
    case .link: return apply(row("shelf") { $0 != 0 }) { $0 = 1 << 31 }
    case .elementLink: return apply(elements("related", atLeast: 1)) { $0 = .max }
    case .noElementLink: return apply(elements("related", atLeast: 1)) { $0 = 0 }
    case .uuidLength:
      // One byte less, and all that follow.
      let values = column("token").values
      guard let first = (0..<ChunkLayout.rows).first(where: { file.words[values + $0] != 0 }) else {
        return false
      }
      file.words[values + first] -= 1
      for row in first + 1..<ChunkLayout.rows where file.words[values + row] != 0 {
        file.words[values + row] &-= 1 << 32
      }
      file.words[column("token").sizes] -= 1
      return true
    case .json:
      let start = column("extra").text
      return apply(file.words[column("extra").sizes] > 0 ? start : nil) { $0 ^= 0xFF }
    }
  }

  @Test func `a wrong order, a missing pair and a wrong row of an index are noticed`() throws {
    try mapped.fill()
    let goal = try mapped.ranks()
    var file = try ForgedColumnFile(try mapped.file(of: "Item"))
    let index = try #require(file.parts.indexes.first)
    let edits: [(inout [UInt64]) -> Void] = [
      { $0.swapAt(index.lowerBound, index.upperBound - 2) },
      { $0[index.lowerBound + 3] = $0[index.lowerBound + 1] },
      { $0[index.lowerBound + 1] = 1 << 20 },
      { $0[index.lowerBound + 1] = .max },
    ]
    for edit in edits {
      try file.restore()
      edit(&file.words)
      try file.write()
      try mapped.withStore { store in
        let ranks = store.objects(Mapped.Item.self).where { $0.rank >= 0 }.sorted(by: \.rank)
        #expect(ranks.map { $0.rank } == goal)
        #expect(store.damage == [])
        #expect(store.handle.core.file?.columnFiles.unusable.contains("Item") == true)
      }
    }
  }

  @Test func `a key index with wrong counts or rows is not mapped`() throws {
    try mapped.fill()
    let goal = try mapped.expected()
    var file = try ForgedColumnFile(try mapped.file(of: "Item"))
    let keys = file.parts.keys
    let used = try #require(keys.first { ($0 - keys.lowerBound) % 2 == 0 && file.words[$0] != 0 })
    let edits: [(inout [UInt64]) -> Void] = [
      { $0[used] = 0 },
      { $0[used] = .max },
      { $0[used] = 1 << 31 },
      { for entry in stride(from: keys.lowerBound, to: keys.upperBound, by: 2) { $0[entry] = 1 } },
      { $0[ColumnFile.Header.keyHintCount.rawValue] = 0 },
    ]
    for edit in edits {
      try file.restore()
      edit(&file.words)
      try file.write()
      try mapped.withStore { store in
        #expect(store.object(ofType: Mapped.Item.self, forPrimaryKey: 99_999) == nil)
        #expect(Mapped.content(of: store) == goal)
        #expect(!Mapped.mappedClasses(store).contains("Item"))
      }
    }
  }
}

extension MappedStore {
  /// The layout of a class.
  fileprivate func layout(of name: String) throws -> TableLayout {
    let store = try ObjectStore.Store(configuration: .inMemory(copyOf: url))
    _ = Mapped.content(of: store)
    return try #require(store.handle.engine.allTables().first { $0.layout.name == name }).layout
  }

  /// The ranks of the items in the database that are not negative, ascending.
  fileprivate func ranks() throws -> [Int] {
    let store = try ObjectStore.Store(configuration: .inMemory(copyOf: url))
    return store.objects(Mapped.Item.self).map { $0.rank }.filter { $0 >= 0 }.sorted()
  }
}
