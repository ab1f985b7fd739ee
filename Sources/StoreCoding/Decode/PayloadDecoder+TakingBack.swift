import JSONText
import ObjectStore

// What was read and does not count after all: values of keys that stand twice, and elements and
// attributes that a policy passes over.

extension PayloadDecoder {
  /// Where a value begins, and what there was before it.
  struct Checkpoint {
    let byteOffset: Int
    let depth: Int
    let rowCount: Int
    let elementMark: Int
    let issueCount: Int
  }

  func checkpoint() -> Checkpoint {
    Checkpoint(
      byteOffset: reader.byteOffset, depth: reader.depth, rowCount: batch.rowCount,
      elementMark: batch.beginElements(), issueCount: issues.count)
  }

  /// Takes back what was read of the value that begins at the checkpoint, notes why, and passes
  /// over it.
  mutating func leaveOut(_ start: Checkpoint, _ error: StoreCodingError) throws {
    batch.truncate(toRowCount: start.rowCount)
    batch.cancelElements(start.elementMark)
    issues.removeAll(from: start.issueCount)
    issues.append(error)
    reader.rewind(to: start.byteOffset, depth: start.depth)
    try skip()
  }

  /// Takes back what a key brought that stands once more: the last value counts.
  @inline(never)
  mutating func replace(_ node: PlanNode, _ index: Int, _ row: BatchRow) {
    let replaced: [CodingField]
    var attribute: String?
    switch node.entries[index] {
    case .field(let field):
      replaced = [field]
      attribute = field.fullName
    case .node(let child):
      replaced = child.fields
    }
    issues.append(
      error(
        .duplicateKey, attribute: attribute, found: node.names[index], at: reader.lastKeyOffset))
    for field in replaced {
      drop(row[field.attribute], field)
      row[field.attribute] = .absent
    }
  }

  /// Leaves out the rows that a value which does not count brought along.
  func drop(_ cell: BatchCell, _ field: CodingField) {
    guard let target = field.target else { return }
    let cells = cell.state == .row ? [cell] : cell.state == .value ? Array(cell.elements) : []
    for case let row? in cells.map(\.row) {
      row.drop()
      for field in target.fields { drop(row[field.attribute], field) }
    }
  }
}

/// The keys of a node that an object had so far, by their indices.
struct SeenKeys {
  private var bits: UInt64 = 0
  /// Those of a wide class from 64 on.
  private var more: [UInt64]?

  /// Whether the key is new.
  @inline(__always)
  mutating func insert(_ index: Int) -> Bool {
    guard index < 64 else { return insertMore(index) }
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
    defer { bits |= bit }
    return bits & bit == 0
  }

  @inline(never)
  private mutating func insertMore(_ index: Int) -> Bool {
    var words = more ?? []
    more = nil
    while words.count <= index / 64 { words.append(0) }
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
    defer {
      words[index / 64] |= bit
      more = words
    }
    return words[index / 64] & bit == 0
  }
}
