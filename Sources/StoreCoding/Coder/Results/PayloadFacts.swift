import ObjectStore

/// The results of reading a payload, apart from its rows.
struct PayloadFacts {
  let text: PayloadText
  let issues: IssueLog
  /// The contents of the parts, by their indexes.
  let contents: [PartContent]
  /// The depth limit of the larger stack that the payload needed; 0 if the caller's stack sufficed.
  let depth: Int

  /// The byte ranges of the parts, in order.
  var ranges: [Range<Int>] {
    contents.flatMap(\.ranges).sorted(byNumber: \.lowerBound)
  }
}
