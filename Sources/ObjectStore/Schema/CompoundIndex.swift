/// An index whose keys combine several attributes, in order.
struct CompoundIndex: Sendable {
  struct Part: Sendable {
    let column: Int
    /// The mapping of the column's values to keys.
    let key: IndexKey
  }

  /// The allowed number of attributes.
  static let size = 2...4

  let parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }
}

extension TableLayout {
  /// Returns the name of a compound index in explanations and messages, such as `(kind, born)`.
  func name(_ index: CompoundIndex) -> String {
    ClassDeclarations.Index.text(index.parts.map { shortName($0.column) })
  }
}
