/// An index of several attributes: a row stands in it under the key of each, in their order.
struct CompoundIndex: Sendable {
  struct Part: Sendable {
    let column: Int
    /// The order of the column's values.
    let key: IndexKey
  }

  /// How many attributes it may have.
  static let size = 2...4

  let parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }
}

extension TableLayout {
  /// How explanations and messages call an index of several attributes: `(kind, born)`.
  func name(_ index: CompoundIndex) -> String {
    ClassDeclarations.Index.text(index.parts.map { shortName($0.column) })
  }
}
