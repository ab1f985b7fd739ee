import Foundation
import TestSupport
import Testing

@testable import storecoder

@Suite struct `storecoder drift` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  private let old = StorecoderTool.fixture("drift/orders-old.json")
  private let new = StorecoderTool.fixture("drift/orders-new.ndjson")

  @Test func `drift lists keys, kinds, nulls and notations that changed, with counts`() throws {
    let outcome = try command.run(["drift", old, "--", new])
    #expect(outcome.errors == "")
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        ~ id             2 Int → 2 String
        ~ total          2 Int → 2 Double
        ~ name           1 null in 2 values, 0 in 2 before
        ~ placed         2 ISO 8601 → 2 other
        ~ note           1 missing in 2 objects, 0 in 2 before
        ~ tags[]         1 null in 2 values, 0 in 1 before
        ~ lines[].count  3 Int → 1 String
        + lines[].tax    1 Double in 1 object
        + coupon.until   1 null in 1 object
        ~ ratings.*      2 Int → 1 Int, 1 String
        ~ amount         2 number with 2 fraction digits → 2 other
        - legacy         1 Int, 1 null in 2 objects
        + gift           1 Bool in 2 objects
        3 added, 1 removed, 9 changed: 2 old, 2 new

        """)
  }

  @Test func `drift --json writes the same changes for programs`() throws {
    let outcome = try command.run(["drift", old, "--", new, "--json"])
    #expect(outcome.status == 1)
    let lines = outcome.output.replacing("},{", with: "},\n{")
    #expect(
      lines == """
        {"changes":[{"change":"kinds","new":{"String":2},"newTotal":2,"old":{"Int":2},"oldTotal":2,"path":"id"},
        {"change":"kinds","new":{"Double":2},"newTotal":2,"old":{"Int":2},"oldTotal":2,"path":"total"},
        {"change":"null","new":{"null":1},"newTotal":2,"old":{},"oldTotal":2,"path":"name"},
        {"change":"form","new":{"other":2},"newTotal":2,"old":{"ISO 8601":2},"oldTotal":2,"path":"placed"},
        {"change":"missing","new":{"missing":1},"newTotal":2,"old":{},"oldTotal":2,"path":"note"},
        {"change":"null","new":{"null":1},"newTotal":2,"old":{},"oldTotal":1,"path":"tags[]"},
        {"change":"kinds","new":{"String":1},"newTotal":1,"old":{"Int":3},"oldTotal":3,"path":"lines[].count"},
        {"change":"added","new":{"Double":1},"newTotal":1,"old":{},"oldTotal":3,"path":"lines[].tax"},
        {"change":"added","new":{"null":1},"newTotal":1,"old":{},"oldTotal":1,"path":"coupon.until"},
        {"change":"kinds","new":{"Int":1,"String":1},"newTotal":2,"old":{"Int":2},"oldTotal":2,"path":"ratings.*"},
        {"change":"form","new":{"other":2},"newTotal":2,"old":{"number with 2 fraction digits":2},"oldTotal":2,"path":"amount"},
        {"change":"removed","new":{},"newTotal":2,"old":{"Int":1,"null":1},"oldTotal":2,"path":"legacy"},
        {"change":"added","new":{"Bool":1},"newTotal":2,"old":{},"oldTotal":2,"path":"gift"}],"newCount":2,"oldCount":2}

        """)
    #expect(
      try command.run(["drift", "--json", old, "--", new]).output == outcome.output)
  }

  @Test func `files of the same shape have no changes`() throws {
    let outcome = try command.run(["drift", old, "--", old, old])
    #expect(outcome.status == 0)
    #expect(outcome.output == "no changes: 2 old, 4 new\n")
  }

  /// Runs the command on two texts.
  private func drift(_ old: String, _ new: String, _ options: String...) throws -> String {
    let files = try [command.file("old.json", old), command.file("new.json", new)]
    let outcome = try command.run(["drift"] + options + [files[0], "--", files[1]])
    #expect(outcome.errors == "")
    #expect(outcome.status == (outcome.output.hasPrefix("no changes") ? 0 : 1))
    return outcome.output
  }

  @Test func `whole numbers among fractions, fewer nulls and empty arrays are no changes`() throws {
    #expect(try drift("[1.5, 2]", "[3]") == "no changes: 2 old, 1 new\n")
    #expect(
      try drift(#"[{"a": null}, {"a": 1}, {}]"#, #"{"a": 2}"#) == "no changes: 3 old, 1 new\n")
    #expect(try drift(#"{"a": []}"#, #"{"a": [1]}"#) == "no changes: 1 old, 1 new\n")
  }

  @Test func `drift reports integers that do not fit in an Int any more`() throws {
    let large = "9223372036854775808"
    let huge = "18446744073709551616"
    #expect(
      try drift(
        #"{"id": 1, "n": -1, "u": \#(large), "h": [1], "d": 1.5}"#,
        #"{"id": \#(large), "n": \#(large), "u": \#(huge), "h": [\#(huge)], "d": \#(huge)}"#) == """
          ~ id   1 Int → 1 UInt64
          ~ n    1 Int → 1 UInt64
          ~ u    1 UInt64 → 1 integer of more than 64 bits
          ~ h[]  1 Int → 1 integer of more than 64 bits
          0 added, 0 removed, 4 changed: 1 old, 1 new

          """)
    #expect(
      try drift("[1, 2]", "[-1, \(large)]") == """
        ~ .  2 Int → 2 integer of more than 64 bits
        0 added, 0 removed, 1 changed: 2 old, 2 new

        """)
  }

  @Test func `smaller integers among larger ones are no changes`() throws {
    #expect(try drift("[9223372036854775807]", "[-1]") == "no changes: 1 old, 1 new\n")
    #expect(try drift("[9223372036854775808]", "[1]") == "no changes: 1 old, 1 new\n")
    #expect(
      try drift("[18446744073709551616]", "[1, 9223372036854775808]")
        == "no changes: 1 old, 2 new\n")
  }

  @Test func `more nulls and missing keys than before are no changes`() throws {
    #expect(
      try drift(#"[{"a": 1}, {"a": null}, {}]"#, #"[{"a": 1}, {"a": null}, {"a": null}, {}, {}]"#)
        == "no changes: 3 old, 5 new\n")
  }

  @Test func `strings without a common notation may have any later one`() throws {
    #expect(
      try drift(#"[{"a": "x"}, {"a": "2024-03-01"}]"#, #"{"a": "2024-03-02"}"#)
        == "no changes: 2 old, 1 new\n")
  }

  @Test func `values need not be objects`() throws {
    #expect(
      try drift("[1, 2]", #"["a", null]"#) == """
        ~ .  2 Int → 1 String
        ~ .  1 null in 2 values, 0 in 2 before
        0 added, 0 removed, 2 changed: 2 old, 2 new

        """)
    #expect(
      try drift(#"{"a b": [[{"x": 1}]]}"#, #"{"a b": [[{"x": true}]]}"#) == """
        ~ "a b"[][].x  1 Int → 1 Bool
        0 added, 0 removed, 1 changed: 1 old, 1 new

        """)
  }

  @Test func `Unix times change from seconds to milliseconds only under the key of a time`() throws
  {
    #expect(
      try drift(
        #"{"created_at": 1709304817, "size": 1709304817}"#,
        #"{"created_at": 1709304817000, "size": 1709304817000}"#) == """
          ~ created_at  1 seconds since 1970 → 1 milliseconds since 1970
          0 added, 0 removed, 1 changed: 1 old, 1 new

          """)
  }

  @Test func `the values of an envelope are compared`() throws {
    let output = try drift(
      #"{"page": 1, "data": {"rows": [{"id": 1}]}}"#,
      #"{"page": "1", "data": {"rows": [{"id": 1, "x": null}]}}"#, "--envelope", "data.rows")
    #expect(
      output == """
        + x  1 null in 1 object
        1 added, 0 removed, 0 changed: 1 old, 1 new

        """)
  }

  @Test func `a command line without old or new files is reported with status 2`() throws {
    for (arguments, problem) in [
      ([], "drift needs OLD"),
      ([old], "drift needs NEW"),
      ([old, new], "drift needs -- between the old and the new files"),
      (["--", old, new], "drift needs OLD"),
      ([old, new, "--"], "drift needs NEW"),
      (["--jsn", old, "--", new], "drift has no option '--jsn'; did you mean '--json'?"),
    ] {
      let outcome = try command.run(["drift"] + arguments)
      #expect(outcome.status == 2)
      #expect(
        outcome.errors == """
          storecoder: \(problem)

          usage: storecoder drift OLD… -- NEW… [--envelope PATH] [--json]

          """)
      #expect(outcome.output == "")
    }
  }

  @Test func `a file that is not JSON or has no values is reported with status 2`() throws {
    let bad = try command.file("bad.json", "[1, }")
    let outcome = try command.run(["drift", old, "--", bad])
    #expect(outcome.status == 2)
    #expect(outcome.errors == "storecoder: \(bad): line 1, column 5: expected a JSON value\n")
    let empty = try command.file("empty.json", "[]")
    #expect(
      try command.run(["drift", empty, "--", old]).errors
        == "storecoder: \(empty): it contains no values\n")
  }
}
