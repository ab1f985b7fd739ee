import Foundation
import TestSupport
import Testing

@testable import storecoder

@Suite struct `CSV files` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  /// Queries a file as JSON lines.
  private func objects(_ text: String, _ name: String = "rows.csv") throws -> [String] {
    let outcome = try command.run("query", command.file(name, text), "--format", "ndjson")
    #expect(outcome.errors == "")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    ("1\n-2\n", "[1,-2]"), ("1\n2.50\n1e3\n", "[1,2.5,1000]"),
    ("01234\n1\n", #"["01234","1"]"#), ("+1\n1\n", #"["+1","1"]"#),
    ("true\nFALSE\n", "[true,false]"), ("true\nyes\n", #"["true","yes"]"#),
    ("\"1\"\n2\n", "[1,2]"), ("1\n\"\"\n", #"["1",""]"#), ("NaN\n1\n", #"["NaN","1"]"#),
    (#""[1,""a""]""# + "\n[]\n", #"[[1,"a"],[]]"#), ("[1\n[2]\n", #"["[1","[2]"]"#),
    ("\" a \"\n b\n", #"[" a "," b"]"#), ("1 \n2\n", #"["1 ","2"]"#),
    ("\"say \"\"hi\"\"\"\n\"a,b\"\n", #"["say \"hi\"","a,b"]"#),
    ("\"two\nlines\"\nx\r\n", #"["two\nlines","x"]"#), ("é\n椎\n", #"["é","椎"]"#),
  ]) func `the type of a column is the narrowest that fits all of its values`(
    rows: String, values: String
  ) throws {
    let found = try objects("a\n" + rows).map { $0.dropFirst(#"{"a":"#.count).dropLast() }
    #expect("[\(found.joined(separator: ","))]" == values)
  }

  @Test func `an empty field is null, and a quoted one is an empty string`() throws {
    #expect(
      try objects("a,b,c\n1,,\n2,\"\",x\n")
        == [#"{"a":1,"b":null,"c":null}"#, #"{"a":2,"b":"","c":"x"}"#])
  }

  @Test(arguments: [
    ("a;b\n1;2,5\n", "rows.csv", #"{"a":1,"b":"2,5"}"#),
    ("a\tb\n1\tx y\n", "rows.tsv", #"{"a":1,"b":"x y"}"#),
    ("\u{FEFF}a,b\r\n\r\n1,2\r\n\r\n", "rows.csv", #"{"a":1,"b":2}"#),
    ("\"a;;;\",b\n1,2", "rows.CSV", #"{"a;;;":1,"b":2}"#),
    ("a,b,\n1,2,\n", "rows.csv", #"{"a":1,"b":2}"#),
    ("5\" disk;size\nx;1\n", "rows.csv", ##"{"5\" disk":"x","size":1}"##),
    ("a;b\r1;\"2,3,4\"\r", "rows.csv", #"{"a":1,"b":"2,3,4"}"#),
    ("a\tb,c;d\n1\t2\n", "rows.tsv", #"{"a":1,"b,c;d":2}"#),
  ]) func `delimiters, marks, blank lines and a trailing delimiter are recognized`(
    text: String, name: String, object: String
  ) throws {
    #expect(try objects(text, name) == [object])
  }

  @Test(arguments: [
    ("", "it is empty; expected a line of column names"),
    ("a,b\n", "it contains no objects"),
    ("a,b\n1,2\n\n3\n", "line 4: expected 2 fields, as in the first line, found 1"),
    ("a\n\"x\ny\"\n1,2\n", "line 4: expected 1 field, as in the first line, found 2"),
    ("a\n\"x\n\n", "line 2: a quote has no end"),
    ("a,b\n\"x\"y,1\n", "line 2: expected ',' or the end of the line after a quote"),
    ("a,b,a\n1,2,3\n", "two columns have the name 'a'"),
    ("a,\n1,2\n", "column 2 has values but no name"),
  ]) func `an invalid file is refused`(text: String, problem: String) throws {
    let file = try command.file("rows.csv", text)
    let outcome = try command.run("import", file, "--store", command.store)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "storecoder: \(file): \(problem)\n")
    #expect(!FileManager.default.fileExists(atPath: command.store))
  }

  @Test func `text that is not UTF-8 is refused`() throws {
    let latin = command.folder.file("latin.csv")
    try Data([0x61, 0x0A, 0xE9, 0x0A]).write(to: latin)
    let wide = command.folder.file("wide.csv")
    try Data([0xFF, 0xFE, 0x61, 0x00]).write(to: wide)
    #expect(
      try command.run("query", latin.path).errors
        == "storecoder: \(latin.path): line 2: invalid UTF-8; convert the file to UTF-8\n")
    #expect(
      try command.run("query", wide.path).errors
        == "storecoder: \(wide.path): line 1: the file is in UTF-16; convert it to UTF-8\n")
  }

  @Test func `a column of strings stays one when later files have only numbers`() throws {
    let first = try command.file("first.csv", "id,zip\n1,01234\n")
    let later = try command.file("later.csv", "id,zip\n1,99\n2,12345\n")
    for file in [first, later] {
      let outcome = try command.run(
        "import", file, "--class", "Place", "--store", command.store)
      #expect(outcome.errors == "")
    }
    let outcome = try command.run("export", "Place", "--lines", "--store", command.store)
    #expect(outcome.output == #"{"id":1,"zip":"99"}"# + "\n" + #"{"id":2,"zip":"12345"}"# + "\n")
  }

  @Test func `a file that does not match the store names the record`() throws {
    let first = try command.file("a.json", #"[{"id": 1, "owner": {"id": 7}}]"#)
    #expect(
      try command.run("import", first, "--class", "Pet", "--store", command.store).status == 0)
    let later = try command.file("b.csv", "id,owner\n1,\n2,Jo\n")
    let outcome = try command.run("diff", later, "--class", "Pet", "--store", command.store)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("record 3: Pet.owner is Owner in the store but String in"))
  }

  @Test func `quotes before combining marks and other delimiters in names are escaped`() throws {
    let objects =
      #"[{"id": 1, "s;s;s": "a\"\#u{301}b,c", "tags": ["\#u{301}x"]}, {"id": 2, "s;s;s": "x", "tags": []}]"#
    let file = try command.file("rows.json", objects)
    let csv = try command.run("query", file, "--format", "csv")
    #expect(
      Array(csv.output.utf8)
        == Array(
          "id,\"s;s;s\",tags\n1,\"a\"\"\u{301}b,c\",\"[\"\"\u{301}x\"\"]\"\n2,x,[]\n".utf8))
    let again = try command.run(["query", "-", "--csv", "--json"], input: csv.output)
    #expect(
      try StorecoderTool.canonical(again.output) == StorecoderTool.canonical(objects), "\(again)")
  }

  @Test func `a comparison takes the types of the class with the same attributes`() throws {
    let look = try command.file("Look.json", #"[{"id": 1, "zip": "12345"}]"#)
    #expect(try command.run("import", look, "--store", command.store).status == 0)
    let other = try command.file("other.csv", "id,zip\n1,12345\n")
    let outcome = try command.run("diff", other, "--store", command.store)
    #expect(outcome.output == "0 to insert, 0 to update, 1 equal, 0 not in the file\n")
  }

  @Test func `an exported CSV file has the same objects after an import`() throws {
    let objects = #"""
      [{"id": 1, "name": "Jo, \"J\"", "note": "", "tags": ["a", "b"], "rate": 0.5, "on": true, "map": {"x": 1}},
       {"id": 2, "name": " two\nlines ", "note": null, "tags": [], "rate": 2, "on": false, "map": {"x": 2}}]
      """#
    let file = try command.file("rows.json", objects)
    #expect(
      try command.run("import", file, "--class", "Row", "--store", command.store).status == 0)
    let csv = try command.run("export", "Row", "--format", "csv", "--store", command.store)
    #expect(
      csv.output == #"""
        id,name,note,tags,rate,on,map
        1,"Jo, ""J""","","[""a"",""b""]",0.5,true,"{""x"":1}"
        2," two
        lines ",,[],2,false,"{""x"":2}"

        """#)
    let difference = try command.run(
      ["diff", "-", "--csv", "--class", "Row", "--store", command.store], input: csv.output)
    #expect(difference.output == "0 to insert, 0 to update, 2 equal, 0 not in the file\n")
  }

  @Test func `fields are read across the pieces of a large file`() throws {
    let long = String(repeating: "x\"\"y,\n", count: 40_000)
    let rows = (1...12).map { "\($0),\"\(long)\"" }
    let file = try command.file("large.csv", "id,text\n" + rows.joined(separator: "\n"))
    let outcome = try command.run(
      "query", file, "--columns", "id,text", "id == 12", "--format", "csv")
    #expect(outcome.output == "id,text\n12,\"\(long)\"\n")
  }

  @Test func `a CSV file has no envelope`() throws {
    let file = try command.file("rows.csv", "a\n1\n")
    let outcome = try command.run("query", file, "--envelope", "data")
    #expect(outcome.errors == "storecoder: \(file): a CSV file has no envelope\n")
  }
}
