import Foundation
import ObjectStore
import StoreCoding

/// The soak test: a day of refreshes in minutes, to check that the memory and speed of a store remain constant.
///
/// Each refresh decodes a page of 200 animals whose window of keys advances by ten: ten are new, ten are deleted,
/// and most others change: a string gets a different length, and the keyless events and the embedded home are
/// replaced. Some pages are repeated, some are refused. Meanwhile, frozen results are kept for varying periods.
struct Soak {
  /// The results of one tenth of the time.
  struct Window {
    var commits = 0
    /// Median CPU time of a refresh, in microseconds.
    var microseconds = 0.0
    /// The mean number of bytes in use; nil if the system does not report it.
    var heapBytes: Double?
    var liveObjects = 0
  }

  private static let windowCount = 10
  private static let pageSize = 200
  private static let heldLimit = 20

  private let store: Store
  private let coder: StoreCoder
  private var random = Random(seed: 2024)
  private var refreshes = 0
  private var held: [FrozenResults<SoakAnimal>] = []

  init() throws {
    store = try Store()
    coder = StoreCoder(store: store)
  }

  /// Refreshes for `minutes` and returns the results of each tenth of that time.
  mutating func run(minutes: Double) throws -> [Window] {
    var windows: [Window] = []
    let start = Stopwatch.Clock.wall.nanoseconds
    let length = minutes * 60e9 / Double(Self.windowCount)
    for index in 1...Self.windowCount {
      var costs: [Double] = []
      var heap: [Double] = []
      repeat {
        costs.append(try refresh())
        if costs.count % 50 == 1, let bytes = heapBytesInUse() { heap.append(Double(bytes)) }
      } while Stopwatch.Clock.wall.nanoseconds < start + Double(index) * length
      costs.sort()
      windows.append(
        Window(
          commits: costs.count, microseconds: costs[costs.count / 2] / 1000,
          heapBytes: heap.isEmpty ? nil : heap.reduce(0, +) / Double(heap.count),
          liveObjects: liveObjects))
    }
    return windows
  }

  private var liveObjects: Int {
    store.objects(SoakAnimal.self).count + store.objects(SoakEvent.self).count
      + store.objects(SoakKeeper.self).count
  }

  /// Performs one refresh and returns its CPU time in nanoseconds.
  private mutating func refresh() throws -> Double {
    refreshes += 1
    let first = refreshes * 10
    let page = page(first)
    var watch = Stopwatch(clock: .processor)
    try watch.time {
      try store.write {
        _ = try coder.decodeArray(SoakAnimal.self, from: page)
        // Events are independent objects, so they must be deleted with their animal.
        let vanished = store.objects(SoakAnimal.self).where { $0.id < first }
        store.delete(vanished.flatMap(\.events))
        store.delete(vanished)
      }
    }
    if random.chance(percent: 10) { _ = try coder.decodeArray(SoakAnimal.self, from: page) }
    if random.chance(percent: 2) {
      let broken = page.dropLast(3)
      guard (try? coder.decodeArray(SoakAnimal.self, from: Data(broken))) == nil else {
        throw UsageError(description: "a damaged page was accepted")
      }
    }
    if held.count == Self.heldLimit { held.remove(at: random.below(held.count)) }
    if held.count < Self.heldLimit { held.append(store.objects(SoakAnimal.self).frozen()) }
    for results in held.prefix(2) where results.count != Self.pageSize {
      throw UsageError(description: "a held version shows \(results.count) animals")
    }
    return watch.cost
  }

  private mutating func page(_ first: Int) -> Data {
    var json: [UInt8] = [UInt8(ascii: "[")]
    for id in first..<first + Self.pageSize {
      if id > first { json.append(UInt8(ascii: ",")) }
      json.append(UInt8(ascii: "{"))
      json.appendField("id", integer: id)
      json.appendField("name", string: "animal \(id)")
      json.appendField("legs", integer: random.below(5))
      json.appendField("note", string: text(upTo: 400))
      json.appendKey("tags")
      appendArray(&json, count: random.below(5)) { json, random in
        json.appendJSONString("tag \(random.below(30))")
      }
      json.appendKey("home")
      json.append(UInt8(ascii: "{"))
      json.appendField("street", string: "Lane \(random.below(50))")
      json.appendField("town", string: text(upTo: 40))
      json.append(UInt8(ascii: "}"))
      json.appendKey("events")
      appendArray(&json, count: random.below(4)) { json, random in
        json.append(UInt8(ascii: "{"))
        json.appendField("kind", integer: random.below(3))
        json.appendField("text", string: String(repeating: "e", count: random.below(100)))
        json.append(UInt8(ascii: "}"))
      }
      json.appendKey("keeper")
      json.append(UInt8(ascii: "{"))
      json.appendField("id", integer: random.below(40))
      json.appendField("name", string: "keeper \(random.below(3))")
      json.appendText("}}")
    }
    json.append(UInt8(ascii: "]"))
    return Data(json)
  }

  private mutating func text(upTo limit: Int) -> String {
    String(repeating: "abcdefghi ", count: random.below(limit) / 10)
  }

  private mutating func appendArray(
    _ json: inout [UInt8], count: Int, _ element: (inout [UInt8], inout Random) -> Void
  ) {
    json.append(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      element(&json, &random)
    }
    json.append(UInt8(ascii: "]"))
  }
}

extension Soak {
  /// The windows as a table, and the difference between the last and the second; the first is the warm-up.
  static func table(of windows: [Window]) -> String {
    func megabytes(_ bytes: Double?) -> String {
      bytes.map { String(format: "%.2f MB", $0 / 1e6) } ?? "–"
    }
    var lines = ["tenth  refreshes  CPU per refresh  heap       objects"]
    for (index, window) in windows.enumerated() {
      let cost = String(format: "%.0f µs", window.microseconds)
      let columns = [
        ("\(index + 1)", 7), ("\(window.commits)", 11), (cost, 17),
        (megabytes(window.heapBytes), 11), ("\(window.liveObjects)", 0),
      ]
      lines.append(
        columns.map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }.joined())
    }
    guard windows.count > 2, let last = windows.last else {
      return lines.joined(separator: "\n")
    }
    let second = windows[1]
    lines.append(
      String(
        format: "CPU per refresh, last to second: %.2f", last.microseconds / second.microseconds))
    if let before = second.heapBytes, let after = last.heapBytes {
      lines.append(String(format: "heap, last to second: %.2f", after / before))
    }
    return lines.joined(separator: "\n")
  }
}

final class SoakAnimal: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var legs = 4
  @Persisted var note: String?
  @Persisted var tags: List<String>
  @Persisted var home: SoakHome?
  @Persisted var events: List<SoakEvent>
  @Persisted var keeper: SoakKeeper?
}

final class SoakKeeper: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted(originProperty: "keeper") var animals: LinkingObjects<SoakAnimal>
}

final class SoakEvent: Object {
  @Persisted var kind = 0
  @Persisted var text = ""
}

final class SoakHome: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var town = ""
}
