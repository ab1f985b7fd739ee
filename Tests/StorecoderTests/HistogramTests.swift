import Testing

@testable import storecoder

@Suite struct `Histograms of values` {
  private func bars(_ values: [Cell]) -> [String] {
    Histogram(values).bars.map { "\($0.label): \($0.count)" }
  }

  private func numbers(_ numbers: some Sequence<Double>) -> [Cell] {
    numbers.map { number in
      .number(Int(exactly: number).map { "\($0)" } ?? "\(number)")
    }
  }

  @Test func `few different numbers have a bar each`() {
    #expect(bars(numbers([3, 1, 3, 2.5])) == ["1: 1", "2.5: 1", "3: 2"])
  }

  @Test func `many numbers are counted in at most 20 ranges of equal width`() {
    let hundred = bars(numbers((1...100).map(Double.init)))
    #expect(hundred.count == 11 && hundred.first == "0 – 9: 9")
    #expect(hundred.last == "100 – 109: 1")
    let fractions = bars(numbers((0..<40).map { Double($0) / 100 }))
    #expect(fractions.count == 20)
    #expect(fractions.first == "0 – 0.02: 2" && fractions.last == "0.38 – 0.4: 2")
    let negative = bars(numbers((-500...500).map(Double.init)))
    #expect(negative.count <= 20)
    #expect(negative.first == "-500 – -401: 100" && negative.last == "500 – 599: 1")
  }

  @Test func `a number on the boundary of two ranges is in the upper one`() {
    let tenths = bars((0..<20).map { .number("\(Double($0) / 10)") })
    #expect(tenths.count == 20)
    #expect(tenths.allSatisfy { $0.hasSuffix(": 1") })
    #expect(tenths[2...3] == ["0.2 – 0.3: 1", "0.3 – 0.4: 1"])
    let cents = bars((0..<100).map { .number("\(Double($0) / 100)") })
    #expect(cents.count == 20 && cents.allSatisfy { $0.hasSuffix(": 5") })
  }

  @Test func `labels have as many digits as tell the ranges apart`() {
    let times = bars((0..<40).map { .number("\(1_700_000_000_000 + Double($0) / 10)") })
    #expect(times.first == "1700000000000 – 1700000000000.2: 2")
    let integers = bars(["9007199254740992", "9007199254740993", "1"].map { .number($0) })
    let large = bars((0..<22).map { .number("\(9_007_199_254_740_982 + $0)") })
    #expect(large.count == 11 && large.allSatisfy { $0.hasSuffix(": 2") })
    #expect(large[0] == "9007199254740982 – 9007199254740983: 2")
    let huge = bars((1...20).map { .number("\($0)e98") })
    #expect(huge[1] == "2e+98 – 4e+98: 2" || huge[1] == "2e+98 – 3e+98: 1", "\(huge)")
    #expect(integers == ["1: 1", "9007199254740992: 1", "9007199254740993: 1"])
  }

  @Test(arguments: [
    [1e300, -1e300], [1e-300, 2e-300], [9e15, 9e15 + 2], [0, .leastNonzeroMagnitude],
    [1.5, .greatestFiniteMagnitude],
  ]) func `extreme numbers are counted`(ends: [Double]) {
    let values = (0...11).map { ends[0] / 11 * Double(11 - $0) + ends[1] / 11 * Double($0) }
    let found = Histogram(numbers(values)).bars
    #expect(found.count <= 20)
    #expect(found.reduce(0) { $0 + $1.count } == 12)
  }

  @Test func `times are counted in the shortest periods of which there are at most 31`() {
    let days: [Cell] = ["2024-02-28", "2024-03-01T10:00:00Z", "2024-03-01"].map { .string($0) }
    #expect(
      bars(days) == ["2024-02-28: 1", "2024-02-29: 0", "2024-03-01: 2"])
    #expect(
      bars([.string("2024-01-05"), .string("2025-02-01"), .null]).map { $0.prefix(10) }
        == [
          "2024-01: 1", "2024-02: 0", "2024-03: 0", "2024-04: 0", "2024-05: 0", "2024-06: 0",
          "2024-07: 0", "2024-08: 0", "2024-09: 0", "2024-10: 0", "2024-11: 0", "2024-12: 0",
          "2025-01: 0", "2025-02: 1", "null: 1",
        ])
    #expect(
      bars([.string("2024-12-31 23:59:58"), .string("2025-01-01 00:01")])
        == ["2024-12-31 23:59: 1", "2025-01-01 00:00: 0", "2025-01-01 00:01: 1"])
    #expect(bars([.string("0001-01-01"), .string("2024-01-01")]) == ["0001: 1", "2024: 1"])
    #expect(
      bars([.string("2024-13-01"), .string("2024-02-30")]).sorted() == [
        "2024-02-30: 1", "2024-13-01: 1",
      ])
  }

  @Test func `the most frequent of other values have a bar each`() {
    let many =
      (0..<30).map { Cell.string("value \($0)") } + [.string("value 7"), .bool(true), .null]
    let found = bars(many)
    #expect(found.count == 22)
    #expect(found.first == "value 7: 2")
    #expect(found.suffix(2) == ["11 other values: 11", "null: 1"])
    #expect(bars([.string(""), .bool(true)]).sorted() == [#""": 1"#, "true: 1"])
    #expect(bars([]).isEmpty)
    #expect(bars([.null]) == ["null: 1"])
  }

  @Test func `bars fit the width, and a small count is visible`() {
    let values = Array(repeating: Cell.string("a"), count: 1_000) + [.string("wide 椎名高志")]
    #expect(
      Histogram(values).text(width: 34) == """
        a              █████████████  1000
        wide 椎名高志  ▏                 1
        """)
    #expect(Histogram(values).text(width: 10).split(separator: "\n").count == 2)
  }
}
