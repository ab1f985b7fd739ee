import Testing

@Suite struct `The option --envelope` {
  private let command: StorecoderTool
  private let file: String

  init() throws {
    command = try StorecoderTool()
    file = try command.file(
      "page.json",
      #"""
      {"meta": {"count": 1},
       "data": {"orders": [{"id": 1}], "users": []}, "text": "x", "none": {}}
      """#)
  }

  @Test(arguments: [
    (
      "order",
      "line 1, column 1: there is no envelope 'order': the document has 'meta', 'data', 'text', 'none'"
    ),
    (
      "dat",
      "line 1, column 1: there is no envelope 'dat': the document has 'meta', 'data', 'text', 'none'; did you mean 'data'?"
    ),
    (
      "data.order",
      "line 2, column 10: there is no envelope 'data.order': 'data' has 'orders', 'users'; did you mean 'data.orders'?"
    ),
    (
      "text.orders",
      "line 2, column 56: there is no envelope 'text.orders': 'text' is not an object"
    ),
    ("none.orders", "line 2, column 69: there is no envelope 'none.orders': 'none' has no members"),
    ("data.users", "it contains no objects"),
  ])
  func `a path that the document does not have is an error with a suggestion`(
    path: String, message: String
  ) throws {
    for arguments in [
      ["import", file, "--store", command.store], ["model", file], ["drift", file, "--", file],
    ] {
      let outcome = try command.run(arguments + ["--envelope", path])
      let isDrift = arguments[0] == "drift"
      let text = isDrift ? message.replacing("objects", with: "values") : message
      #expect(outcome.errors == "storecoder: \(file): \(text)\n")
      #expect(outcome.status == (isDrift ? 2 : 1))
      #expect(outcome.output == "")
    }
  }

  @Test func `an unknown path lists at most ten names`() throws {
    let members = (1...2_000).map { "\"member\($0)\": 0" }.joined(separator: ",")
    let file = try command.file("wide.json", "{\(members)}")
    let outcome = try command.run("model", file, "--envelope", "x")
    #expect(outcome.errors.hasSuffix("'member9', 'member10' …\n"), "\(outcome)")
  }
}
