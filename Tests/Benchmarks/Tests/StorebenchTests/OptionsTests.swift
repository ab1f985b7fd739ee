import Testing

@testable import storebench

@Suite struct `Options of storebench` {
  @Test(arguments: [
    (["--fast"], "unknown argument --fast"),
    (["--only"], "--only needs a value"),
    (["--size", "0"], "--size needs a number above 0, not 0"),
    (["--soak", "long"], "--soak needs a number of minutes above 0, not long"),
    (["--child", "sleep"], "--child needs a task, not sleep"),
  ])
  func `an invalid command line is reported with the reason`(arguments: [String], text: String) {
    let error = #expect(throws: UsageError.self) { try Options(arguments: arguments) }
    #expect(error?.description == text)
  }

  @Test func `the option --only selects rows by id or by the part before the dot`() throws {
    let options = try Options(arguments: ["--only", "P9,P20.uuid"])
    let ids = Benchmark.all(sizes: .tiny).filter { $0.matches(options) }.map(\.id)
    #expect(
      ids == [
        "P9.read", "P9.tracked", "P9.write", "P9.short", "P9.long", "P20.uuid", "P20.uuid.encode",
      ])
  }

  @Test func `benchmarks that take minutes are excluded by default`() throws {
    let ids = Benchmark.all(sizes: .tiny).filter { $0.matches(Options()) }.map(\.id)
    #expect(
      Set(ids).isDisjoint(with: ["P18.lines", "P18.array", "P19.clean", "P19.change", "P22"]))
  }
}
