/// What reading a payload told besides its rows.
struct PayloadFacts {
  let text: PayloadText
  let issues: IssueLog
  /// How deep it is nested at most; 0 for a shallow one.
  let depth: Int
}
