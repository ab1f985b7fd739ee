import ObjectStore
import TestSupport
import Testing

private final class Row: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String?>
  @Persisted var cells: List<Cell>
}

private final class Cell: EmbeddedObject {
  @Persisted var n = 0
}

/// An edit of a list, and the same edit of an array.
private struct SliceEdit: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let list: @Sendable (inout List<Int>) -> Void
  let array: @Sendable (inout [Int]) -> Void
}

@Suite struct `List slices` {
  private static let edits = [
    SliceEdit(
      testDescription: "removes some elements", list: { $0[2..<6].removeAll { $0 % 2 == 0 } },
      array: { $0[2..<6].removeAll { $0 % 2 == 0 } }),
    SliceEdit(
      testDescription: "is replaced by a longer slice", list: { $0[1..<3] = $0[2..<6] },
      array: { $0[1..<3] = $0[2..<6] }),
    SliceEdit(
      testDescription: "is replaced by a shorter slice", list: { $0[1...] = $0[..<2] },
      array: { $0[1...] = $0[..<2] }),
    SliceEdit(
      testDescription: "appends an element", list: { $0[2..<4].append(9) },
      array: { $0[2..<4].append(9) }),
    SliceEdit(
      testDescription: "removes its first element", list: { $0[2..<4].removeFirst() },
      array: { $0[2..<4].removeFirst() }),
    SliceEdit(
      testDescription: "is emptied", list: { $0[2..<4] = [] }, array: { $0[2..<4] = [] }
    ),
    SliceEdit(
      testDescription: "inserts elements at the end", list: { $0[8..<8] = [7, 7] },
      array: { $0[8..<8] = [7, 7] }),
    SliceEdit(
      testDescription: "is reversed", list: { $0[1..<5].reverse() },
      array: { $0[1..<5].reverse() }),
    SliceEdit(
      testDescription: "is sorted", list: { $0[1..<7].sort(by: >) },
      array: { $0[1..<7].sort(by: >) }),
    SliceEdit(
      testDescription: "swaps elements by indices of the list", list: { $0[2..<6].swapAt(2, 5) },
      array: { $0[2..<6].swapAt(2, 5) }),
    SliceEdit(
      testDescription: "assigns one element", list: { $0[2..<6][3] = $0[0] },
      array: { $0[2..<6][3] = $0[0] }),
    SliceEdit(
      testDescription: "assigns a nested slice", list: { $0[2..<7][3..<5] = [1] },
      array: { $0[2..<7][3..<5] = [1] }),
  ]

  @Test(arguments: edits)
  private func `editing a slice of a list has the effect of editing a slice of an array`(
    _ edit: SliceEdit
  ) throws {
    var expected = Array(0..<8)
    edit.array(&expected)
    var unmanaged = List(0..<8)
    edit.list(&unmanaged)
    #expect(Array(unmanaged) == expected)
    let store = try Store()
    let row = Row()
    row.numbers = List(0..<8)
    try store.write { try store.add(row) }
    try store.write { edit.list(&row.numbers) }
    #expect(Array(row.numbers) == expected)
  }

  @Test func `a slice keeps the elements that the list had when it was created`() throws {
    let store = try Store()
    let row = Row()
    row.texts = ["a", nil, "c", "d"]
    row.cells.append(contentsOf: (0..<4).map { _ in Cell() })
    for texts in [row.texts[1..<3], row.texts.dropFirst().dropLast()] {
      #expect(texts.startIndex == 1 && texts.endIndex == 3)
      row.texts[1] = "later"
      #expect(Array(texts) == [nil, "c"])
      row.texts[1] = nil
    }
    try store.write { try store.add(row) }
    let texts = row.texts[2...]
    try store.write { row.texts.removeAll() }
    #expect(texts.indices == 2..<4 && Array(texts) == ["c", "d"])
    #expect(row.texts[0..<0].isEmpty && row.texts.suffix(3).isEmpty)
    #expect(row.cells[4..<4].startIndex == 4)
  }

  @Test func `reordering a slice keeps its embedded objects`() throws {
    let store = try Store()
    let row = Row()
    row.cells.append(contentsOf: (0..<6).map { _ in Cell() })
    try store.write { try store.add(row) }
    let cells = Array(row.cells)
    try store.write {
      for index in 0..<6 { row.cells[index].n = index }
      row.cells[1..<5].reverse()
      row.cells[0..<3].swapAt(0, 2)
      row.cells[3..<6].removeAll { $0.n == 1 }
    }
    #expect(row.cells.map(\.n) == [3, 4, 0, 2, 5])
    #expect(cells.filter(\.isInvalidated) == [cells[1]])
  }

  @Test func `a slice beyond the end of the list is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = List(0..<3)[2..<5]
    }
    result.says("List range must be within 0..<3 (was 2..<5)")
  }
}
