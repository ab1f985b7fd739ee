import Foundation
import Testing

@testable import storebench

@Suite struct `Benchmark reports` {
  private func row(
    _ id: String = "P1", ours: Double? = 100, baseline: Double? = 1_000,
    targets: [Target] = [.timesFaster(20)], isWrong: Bool = false
  ) -> Row {
    Row(
      id: id, what: "users & <books>", unit: .nanoseconds, targets: targets,
      baselineName: "JSONDecoder",
      measurement: Measurement(ours: ours, baseline: baseline, isWrong: isWrong))
  }

  @Test func `the table report has a line for each row`() {
    let rows = [row(), row("P14", ours: nil)]
    let report = TableReport(of: rows, earlier: nil)
    let text = report.opening + rows.map { report.text(for: $0, isFirst: false) }.joined()
    #expect(
      text == """
        id   what                 ours  baseline    ratio  target  met  against
        P1   users & <books>    100 ns      1 µs     10 ×  ≥ 20 ×  NO   JSONDecoder
        P14  users & <books>         –      1 µs        –  ≥ 20 ×  –    JSONDecoder

        """)
  }

  @Test func `a row with a wrong result does not meet its target`() {
    let report = TableReport(of: [row()], earlier: nil)
    #expect(
      report.text(for: row(ours: 1, isWrong: true), isFirst: true).contains("NO: different results")
    )
  }

  @Test func `a run is compared with the JSON of an earlier run`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".json")
    try JSONReport.whole(of: [row(), row("P2", baseline: nil)])
      .write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let earlier = try EarlierRun(path: file.path(percentEncoded: false))

    let change = try #require(earlier.change(to: row(ours: 80, baseline: 1_000)))
    #expect(change.earlierRatio == 10)
    #expect(change.ratio.map(percentText) == "+25 %")
    #expect(change.ours.map(percentText) == "−20 %")
    #expect(earlier.change(to: row("P2"))?.ratio == nil)
    #expect(earlier.change(to: row("P3"))?.ours == nil)
  }

  @Test func `a file that is not the JSON of a run is refused`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".json")
    try "{}".write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let path = file.path(percentEncoded: false)
    let empty = #expect(throws: UsageError.self) { try EarlierRun(path: path) }
    #expect(empty?.description.hasPrefix("\(path) is not the JSON of an earlier run: ") == true)
    let missing = #expect(throws: UsageError.self) { try EarlierRun(path: "/no/such/file") }
    #expect(missing?.description == "cannot read /no/such/file")
  }

  @Test func `the chart has a bar for each row with a ratio and a tick for each target`() {
    let svg = plot(of: [row(), row("P2", baseline: nil), row("P9", targets: [])])
    #expect(svg.matches(of: /<rect class="(met|missed|free)"/).map(\.1) == ["missed", "free"])
    #expect(svg.matches(of: /<line class="target"/).count == 1)
    #expect(svg.contains("P1  users &amp; &lt;books&gt;"))
  }

  @Test(arguments: [
    (0.0043, "0.0043 ns"), (31.44, "31.4 ns"), (1_290, "1.29 µs"), (85e9, "85 s"),
  ])
  func `times are formatted with a suitable unit`(cost: Double, text: String) {
    #expect(costText(cost, in: .nanoseconds) == text)
  }

  @Test(arguments: [(324.0, "324 B"), (67_100_000, "67.1 MB"), (12_500, "12.5 kB")])
  func `byte counts are formatted with a suitable unit`(cost: Double, text: String) {
    #expect(costText(cost, in: .bytes) == text)
  }
}
