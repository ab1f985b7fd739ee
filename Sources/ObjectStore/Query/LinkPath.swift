/// A path of links to the row that has the attribute.
struct LinkPath {
  struct Component {
    let column: Int
    let targetTable: Int
  }

  /// The number of scopes between the context and the start of the path.
  var scope = 0
  var components: [Component] = []

  /// Calls `body` with the context of the row at the end; returns nil if a link is null.
  @inline(__always)
  func follow<R>(_ context: EvaluationContext, _ body: (EvaluationContext) -> R) -> R? {
    if components.isEmpty && scope == 0 { return body(context) }
    return context.withScope(scope) { start in
      var end = start
      for component in components {
        let word = end.columns[component.column].word(end.row)
        guard word != 0 else { return nil }
        end.slot = Int(word) - 1
        end.columns = end.tables[component.targetTable].columns(end.slot)
      }
      return body(end)
    }
  }

  /// True if the path is empty: the attribute belongs to the row itself.
  var isOwn: Bool { components.isEmpty && scope == 0 }
}
