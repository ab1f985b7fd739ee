import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Audits of classes with every kind of attribute, option, path and envelope, compared with decoding.
@Suite struct `Audits of generated classes` {
  private func configuration(_ random: inout SeededRandom) -> StoreCoder.Configuration {
    var configuration = random.once(in: 4) ? StoreCoder.Configuration.realmCoder : .default
    if random.once(in: 4) { configuration.dates = [.iso8601, .unixMilliseconds] }
    configuration.nulls = [.clear, .clear, .clear, .skip, .default, .fail][random.below(6)]
    configuration.mismatches =
      [.throw, .skipAttribute, .useDefault, .skipElement][random.below(4)]
    configuration.emptyAsNil = random.once(in: 2)
    return configuration
  }

  /// Replaces one value of a payload.
  private func damaged(_ payload: String, _ random: inout SeededRandom) -> String {
    let values = payload.matches(of: /:(-?[0-9]+(\.[0-9]+)?|true|false|null|"[^"\\]*")/)
    guard !values.isEmpty else { return payload }
    let range = values[random.below(values.count)].range
    let value = [#""~""#, "null", "[]", "[{}]", "{}", "1.5", "true", "300"][random.below(8)]
    return payload.replacingCharacters(in: range, with: ":\(value)")
  }

  /// True if decoding refuses, skips or replaces a value. Nil for an outcome that no audit records.
  private func hasMismatch(_ data: Data, isList: Bool, _ coder: StoreCoder) -> Bool? {
    do {
      let issues =
        isList
        ? try coder.read([Coding.Generated].self, from: data).issues
        : try coder.read(Coding.Generated.self, from: data).issues
      // Of a duplicate key, decoding discards the first value, but an audit counts both.
      if issues.contains(where: { $0.kind == .duplicateKey }) { return nil }
      return issues.contains { $0.kind != .mergedObject }
    } catch let error as StoreCodingError {
      return error.kind == .duplicateKey || error.kind == .limitExceeded ? nil : true
    } catch {
      return nil
    }
  }

  @Test(arguments: SeededRandom.seeds(1...2))
  func `an audit has mismatches exactly if decoding refuses, skips or replaces a value`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var (bad, good) = (0, 0)
    for _ in 0..<SeededRandom.steps(5) {
      let configuration = configuration(&random)
      var maker = PayloadMaker(seed: random.next(), dates: configuration.dates)
      try GeneratedMapping.$current.withValue(maker.mapping) {
        let coder = try StoreCoder(store: Store(), configuration: configuration)
        guard (try? coder.check(Coding.Generated.self)) != nil else { return }
        for _ in 0..<6 {
          let isList = random.once(in: 2)
          let object = maker.object("Generated")
          var text =
            isList
            ? PayloadMaker.enveloped("[\(object)]", maker.mapping.listEnvelope)
            : PayloadMaker.enveloped(object, maker.mapping.objectEnvelope)
          for _ in 0..<random.below(2) { text = damaged(text, &random) }
          let data = Data(text.utf8)
          guard let expected = hasMismatch(data, isList: isList, coder) else { continue }
          let audit =
            try? isList
            ? coder.audit([Coding.Generated].self, from: data)
            : coder.audit(Coding.Generated.self, from: data)
          // Without an audit, the text is not JSON.
          let found = audit.map { !$0.mismatches.isEmpty || !$0.unknownRawValues.isEmpty } ?? true
          #expect(
            found == expected,
            "\(text)\n\(audit.map { "\($0)" } ?? "")\n\(coder.explain(Coding.Generated.self))")
          if found { bad += 1 } else { good += 1 }
        }
      }
    }
    #expect(bad > 0 && good > 0, "\(bad) bad, \(good) good")
  }
}
