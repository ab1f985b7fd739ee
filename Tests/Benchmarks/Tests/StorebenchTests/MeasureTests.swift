import Testing

@testable import storebench

@Suite struct `Benchmark measurements` {
  @Test func `the cost is that of the cheapest sample, divided by its number of operations`() throws
  {
    var costs = [70.0, 30, 50]
    let side = Side(operationCount: 10) { watch in watch.charge(costs.removeFirst()) }
    let rounds = Rounds(minimum: 3, maximum: 3, enoughSeconds: 0, warmsUp: false)
    #expect(try measure(ours: side, baseline: nil, rounds: rounds).ours == 3)
  }

  @Test func `the first sample is a warm-up and does not count`() throws {
    var costs = [1.0, 8, 9]
    let side = Side(operationCount: 1) { watch in watch.charge(costs.removeFirst()) }
    let rounds = Rounds(minimum: 2, maximum: 2, enoughSeconds: 0)
    #expect(try measure(ours: side, baseline: nil, rounds: rounds).ours == 8)
  }

  @Test func `a warm-up that takes too long is the only sample`() throws {
    var sampleCount = 0
    let side = Side(operationCount: 1) { watch in
      sampleCount += 1
      watch.charge(11e9)
    }
    #expect(try measure(ours: side, baseline: nil).ours == 11e9)
    #expect(sampleCount == 1)
  }

  @Test func `a very cheap side does not cause many samples of an expensive one`() throws {
    var sampleCount = 0
    let slow = Side(operationCount: 1) { watch in
      sampleCount += 1
      watch.charge(3e9)
    }
    let quick = Side(operationCount: 1) { watch in watch.charge(1) }
    #expect(try measure(ours: slow, baseline: quick).ours == 3e9)
    #expect(sampleCount == 6)
  }

  @Test(arguments: [(1, 1, true), (1, 2, false)])
  func `sides agree if their checksums are equal`(ours: Int, baseline: Int, agree: Bool) throws {
    let sides = [ours, baseline].map { sum in
      Side(operationCount: 1) { watch in watch.check(sum) }
    }
    let measurement = try measure(ours: sides[0], baseline: sides[1], rounds: .tiny)
    #expect(measurement.sidesAgree == agree)
  }

  @Test func `a side that reads back other values than it wrote does not count as agreeing`() throws
  {
    let side = Side(operationCount: 1) { watch in watch.check(1, expected: 2) }
    #expect(try !measure(ours: side, baseline: nil, rounds: .tiny).sidesAgree)
  }

  @Test func `a measured result is checked before it is released`() throws {
    final class Made {
      let onEnd: () -> Void
      init(_ onEnd: @escaping () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    var events: [String] = []
    var watch = Stopwatch(clock: .processor)
    watch.time {
      Made { events.append("freed") }
    } checking: { _ in
      events.append("checked")
      return 1
    }
    events.append("after")
    #expect(events == ["checked", "freed", "after"])
    #expect(watch.checksum == 1)
  }
}
