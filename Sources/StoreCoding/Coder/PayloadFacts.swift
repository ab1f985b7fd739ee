/// The results of reading a payload, apart from its rows.
struct PayloadFacts {
  let text: PayloadText
  let issues: IssueLog
  /// The byte ranges of the decoded content; empty if the payload has no envelope.
  let contentRanges: [Range<Int>]
  /// The depth limit of the larger stack that the payload needed; 0 if the caller's stack sufficed.
  let depth: Int
}
