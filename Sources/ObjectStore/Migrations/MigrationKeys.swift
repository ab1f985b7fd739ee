// Checks the objects of a migration before they are written.

/// Recomputes compound keys and checks that all primary keys are unique and not null.
struct MigrationKeys {
  private let new: StoreHandle
  /// The maximum number of keys in messages.
  private static let limit = 20

  init(_ new: StoreHandle) {
    self.new = new
  }

  /// Makes the keys of a class known, and recomputes its compound keys from the attributes that form them.
  /// - Throws: `valueTooLarge`.
  func computeKeys(_ known: MigrationClass, _ table: Int) throws(StoreError) {
    let partIndexes = known.attributes.indices.filter { known.attributes[$0].keyPart > 0 }
      .sorted(byNumber: { known.attributes[$0].keyPart })
    guard let key = known.attributes.firstIndex(where: \.isPrimaryKey),
      let writer = new.transaction?.writer(table)
    else { return }
    let first = writer.layout.firstAttribute
    let parts = partIndexes.map {
      KeyPartColumn(column: first + $0, kind: known.attributes[$0].kind ?? .int)
    }
    var slots: [Int] = []
    new.tableVersion(table).forEachLive {
      slots.append($0)
      return true
    }
    for slot in slots {
      for attribute in partIndexes + [key] { writer.give(slot, attribute) }
      if parts.isEmpty { continue }
      let compoundKey = writer.version.compoundKey(slot, of: parts)
      guard compoundKey.count < BatchExport.sizeLimit else {
        let name = "\(known.name).\(known.attributes[key].name)"
        throw StoreError(.valueTooLarge(attribute: name, byteCount: compoundKey.count))
      }
      compoundKey.withUnsafeBytes { _ = writer.setText(slot, first + key, $0) }
    }
  }

  func mistakes(_ known: MigrationClass, _ table: Int) -> [String] {
    guard let index = known.attributes.firstIndex(where: \.isPrimaryKey) else { return [] }
    let attribute = known.attributes[index]
    let column = new.layout(table).firstAttribute + index
    let kind = attribute.kind ?? .int
    let rows = new.tableVersion(table)
    let name = "\(known.name).\(attribute.name)"
    var repeated: [Key] = []
    var counts: [Key: Int] = [:]
    var nulls = 0
    rows.forEachLive { slot in
      let current = rows.columns(slot)[column]
      let row = slot & ChunkLayout.mask
      if current.isNull(row) {
        nulls += 1
        return true
      }
      let key = Key(slot, column, kind, in: rows)
      let count = counts[key, default: 0] + 1
      counts[key] = count
      if count == 2 { repeated.append(key) }
      return true
    }
    var mistakes = repeated.prefix(Self.limit).map { key in
      "\(name): \(counts[key] ?? 0) objects have the primary key \(text(of: key, kind))"
    }
    if repeated.count > Self.limit {
      mistakes.append(
        "\(name): \(repeated.count - Self.limit) more primary keys are not unique")
    }
    if nulls > 0 {
      mistakes.append(
        "\(name): \(nulls) \(nulls == 1 ? "object has" : "objects have") no primary key")
    }
    return mistakes
  }

  private func text(of key: Key, _ kind: ScalarKind) -> String {
    new.withBatch { batch in
      KeyDescription.describe(
        kind.isBytes ? key.bytes.withUnsafeBytes { batch.text(copying: $0) } : .word(key.word), kind
      )
    }
  }

  struct Key: Hashable {
    private(set) var word: UInt64 = 0
    private(set) var bytes: [UInt8] = []

    /// The key in a column of a row, which is not null.
    init(_ slot: Int, _ column: Int, _ kind: ScalarKind, in rows: TableVersion) {
      let cells = rows.columns(slot)[column]
      let word = cells.word(slot & ChunkLayout.mask)
      if kind.isBytes {
        bytes = Array(cells.bytes(ofWord: word))
      } else {
        self.word = word
      }
    }
  }
}
