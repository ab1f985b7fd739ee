import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Classes with every kind of attribute, option, path and envelope, mapped differently in each round. Decoded
/// objects are encoded and decoded to the same objects.
///
/// `STORE_RANDOM_STEPS` sets five times the number of mappings per seed, `STORE_RANDOM_SEED` adds a seed. Debug
/// and release builds must produce identical bodies: their checksum is compared with the recorded one.
@Suite struct `Generated classes` {
  static let seeds = SeededRandom.seeds(1...3)
  static let steps = SeededRandom.steps(12, per: 5)

  /// The statistics of one run.
  private struct Tally {
    var mappings = 0
    var accepted = 0
    var decoded = 0
    var refused = 0
    /// The FNV-1a hash of all bodies.
    var checksum: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ body: Data) {
      for byte in body { checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
  }

  private func configuration(_ random: inout SeededRandom) -> StoreCoder.Configuration {
    var configuration = StoreCoder.Configuration.default
    switch Int.random(in: 0..<6, using: &random) {
    case 0: configuration = .strict
    case 1: configuration = .realmCoder
    default: break
    }
    let dates: [[DateFormat]] = [
      [.iso8601], [.iso8601], [.unixSeconds], [.iso8601, .unixMilliseconds],
      [.unixMilliseconds, .iso8601],
    ]
    configuration.dates = dates[Int.random(in: 0..<dates.count, using: &random)]
    configuration.outputFormatting = StoreCoder.OutputFormatting(
      rawValue: Int.random(in: 0..<8, using: &random))
    let nulls: [AttributePolicy.Nulls] = [.clear, .clear, .skip, .default, .fail]
    configuration.nulls = nulls[Int.random(in: 0..<5, using: &random)]
    let mismatches: [AttributePolicy.Mismatches] = [
      .throw, .throw, .skipAttribute, .useDefault, .skipElement,
    ]
    configuration.mismatches = mismatches[Int.random(in: 0..<5, using: &random)]
    configuration.emptyAsNil = Bool.random(using: &random)
    return configuration
  }

  @Test(arguments: seeds)
  func `the path of an attribute leads back to it for every class that check accepts`(
    seed: UInt64
  ) throws {
    let names = try ObjectSchema.of(Coding.Generated.self).properties.map(\.name)
    var random = SeededRandom(seed: seed)
    var pathCount = 0
    for _ in 0..<100 * Self.steps {
      let configuration = configuration(&random)
      let maker = PayloadMaker(seed: random.next(), dates: configuration.dates)
      try GeneratedMapping.$current.withValue(maker.mapping) {
        let coder = try StoreCoder(store: Store(), configuration: configuration)
        guard (try? coder.check(Coding.Generated.self)) != nil else { return }
        for name in names {
          guard let path = try coder.codingPath(of: name, dynamic: "Generated") else { continue }
          pathCount += 1
          #expect(
            try coder.attributePath(at: path, of: Coding.Generated.self) == name,
            "seed \(seed): \(path)")
        }
      }
      if pathCount > 20 * Self.steps { break }
    }
    #expect(pathCount > 20 * Self.steps)
  }

  @Test(arguments: seeds)
  func `an encoded object decodes unchanged for every class that check accepts`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var tally = Tally()
    while tally.accepted < Self.steps, tally.mappings < 100 * Self.steps {
      let configuration = configuration(&random)
      var maker = PayloadMaker(seed: random.next(), dates: configuration.dates)
      tally.mappings += 1
      try GeneratedMapping.$current.withValue(maker.mapping) {
        let coder = try StoreCoder(store: Store(), configuration: configuration)
        do {
          try coder.check(Coding.Generated.self)
        } catch {
          return
        }
        tally.accepted += 1
        do {
          for _ in 0..<6 { try round(&maker, coder, &tally) }
        } catch let error as StoreCodingError where error.kind == .nullForNonOptional {
          // An array element that an object omitted: its body would not be readable.
          #expect(error.byteOffset == nil)
          #expect(configuration.nulls == .fail || configuration.nulls == .default)
        }
      }
    }
    #expect(tally.accepted == Self.steps)
    let text =
      "\(tally.mappings) mappings, \(tally.accepted) accepted; \(tally.decoded) payloads, "
      + "\(tally.refused) refused; \(String(tally.checksum, radix: 16))"
    if Self.steps == 12, seed <= 3 {
      let name = "generated-classes-\(seed)"
      #expect(try text == CodingFixtures.snapshot(name, recording: text))
    } else {
      print("seed \(seed): \(text)")
    }
  }

  private func round(
    _ maker: inout PayloadMaker, _ coder: StoreCoder, _ tally: inout Tally
  ) throws {
    let store = coder.store
    let isList = Bool.random(using: &maker.random)
    var value: String
    if isList {
      let elements = (0..<Int.random(in: 1...3, using: &maker.random)).map { _ in
        maker.object("Generated")
      }
      value = PayloadMaker.enveloped(
        "[\(elements.joined(separator: ","))]", maker.mapping.listEnvelope)
    } else {
      value = PayloadMaker.enveloped(maker.object("Generated"), maker.mapping.objectEnvelope)
    }
    let payload = Data(value.utf8)
    @discardableResult
    func read(_ payload: Data, _ coder: StoreCoder) throws -> ReadResult<Coding.Generated> {
      isList
        ? try coder.read([Coding.Generated].self, from: payload)
        : try coder.read(Coding.Generated.self, from: payload)
    }
    func body(_ result: ReadResult<Coding.Generated>, _ coder: StoreCoder) throws -> Data {
      isList
        ? try coder.encodeArray(result.objects, useEnvelope: true)
        : try coder.encode(result.objects[0], useEnvelope: true)
    }
    let (version, before) = (store.version, try everything(coder))
    let result: ReadResult<Coding.Generated>
    do {
      result = try read(payload, coder)
    } catch {
      tally.refused += 1
      #expect(store.version == version, "\(value)")
      #expect(try everything(coder) == before, "\(value)")
      return
    }
    tally.decoded += 1
    let after = store.version
    let again = try read(payload, coder)
    #expect(again.unchanged + again.merged == result.objects.count, "\(value)")
    #expect(store.version == after, "the same again: \(value)")
    let written = try body(result, coder)
    tally.add(written)
    let back = try read(written, coder)
    #expect(back.objects == result.objects)
    if coder.configuration.encodesUnknown {
      // The body gives missing attributes their defaults, but only once.
      let defaults = store.version
      try read(written, coder)
      #expect(store.version == defaults, "its own body again: \(value)\n\(written.text)")
    } else {
      #expect(store.version == after, "its own body: \(value)\n\(written.text)")
    }
    let other = try StoreCoder(store: Store(), configuration: coder.configuration)
    let copy = try read(written, other)
    #expect(try body(copy, other).text == written.text, "in another store: \(value)")
  }

  private func everything(_ coder: StoreCoder) throws -> [Data] {
    let store = coder.store
    return try [
      coder.encodeArray(store.objects(Coding.Generated.self)),
      coder.encodeArray(store.objects(Coding.GeneratedChild.self)),
      Data("\(store.objects(Coding.GeneratedNote.self).count)".utf8),
    ]
  }
}
