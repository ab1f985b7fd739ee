/// The results of reading a payload, apart from its rows.
struct PayloadFacts {
  let text: PayloadText
  let issues: IssueLog
  /// The depth limit of the larger stack that the payload needed; 0 if the caller's stack sufficed.
  let depth: Int
}
