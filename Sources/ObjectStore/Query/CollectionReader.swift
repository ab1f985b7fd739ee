/// Iterates over the collection at the end of a path.
final class CollectionReader {
  enum Content {
    /// A list, set or map. For objects, the layout contains their table.
    case elements(column: Int, ColumnLayout)
    /// The rows of a table that link to the object.
    case origins(table: Int, linkColumn: Int, ColumnLayout)
  }

  let path: LinkPath
  let content: Content

  init(_ path: LinkPath, _ content: Content) {
    self.path = path
    self.content = content
  }

  /// Returns the number of elements; 0 if a link on the path is null.
  func count(_ context: EvaluationContext) -> Int {
    switch content {
    case .elements(let column, _):
      return path.follow(context) { Int($0.columns[column].slice($0.row).length) } ?? 0
    case .origins:
      var count = 0
      forEach(context) { _ in
        count += 1
        return true
      }
      return count
    }
  }

  /// Calls `body` with a context for each element, nested in the context of the object, until it returns false.
  /// Elements that are null links are skipped.
  func forEach(_ context: EvaluationContext, _ body: (EvaluationContext) -> Bool) {
    withUnsafePointer(to: context) { outer in
      _ = path.follow(context) { end in
        switch content {
        case .elements(let column, let layout):
          forEachElement(end, column, layout, outer, body)
        case .origins(let table, let linkColumn, let layout):
          forEachOrigin(end, table, linkColumn, layout, outer, body)
        }
      }
    }
  }

  private func forEachElement(
    _ end: EvaluationContext, _ column: Int, _ layout: ColumnLayout,
    _ outer: UnsafePointer<EvaluationContext>, _ body: (EvaluationContext) -> Bool
  ) {
    assert(layout.kind == .collection, "The column is not a collection")
    let column = end.columns[column]
    let slice = column.slice(end.row)
    var inner = end
    inner.outer = outer
    for index in 0..<Int(slice.length) {
      let element = column.element(slice, index, layout)
      if layout.elementKind == .link {
        if element.isNull || element.word == 0 { continue }
        inner.slot = Int(element.word) - 1
        inner.columns = end.tables[layout.targetTable].columns(inner.slot)
      } else {
        inner.element = QueryCell(
          word: element.word, bytes: element.bytes, isNull: element.isNull)
      }
      if !body(inner) { return }
    }
  }

  private func forEachOrigin(
    _ end: EvaluationContext, _ table: Int, _ linkColumn: Int, _ layout: ColumnLayout,
    _ outer: UnsafePointer<EvaluationContext>, _ body: (EvaluationContext) -> Bool
  ) {
    let version = end.tables[table]
    var inner = end
    inner.outer = outer
    func visit(_ slot: Int) -> Bool {
      inner.slot = slot
      inner.columns = version.columns(slot)
      return body(inner)
    }
    let tree = version.backlinks(of: linkColumn, layout)
    let key = UInt64(end.slot)
    var last = -1
    tree.forEach(in: key...key) { _, slot in
      // A list may contain the target more than once.
      if slot == last { return true }
      last = slot
      return visit(slot)
    }
  }
}
