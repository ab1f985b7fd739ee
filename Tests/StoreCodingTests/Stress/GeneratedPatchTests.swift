import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// A patch applied to the former body gives the new body, for generated classes with every kind of attribute. Of a link to
/// another object than before, a merge patch only gives the key and the members that the object has.
///
/// `STORE_RANDOM_STEPS` sets five times the number of mappings per seed, `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Patches of generated classes` {
  static let steps = SeededRandom.steps(10, per: 5)

  /// The value without nulls in objects and without empty arrays and objects, which options omit.
  private static func reduced(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      let reduced = members.map { (key: $0.key, value: Self.reduced($0.value)) }
        .filter { $0.value != .null }
      return reduced.isEmpty ? .null : .object(JSONObject(reduced))
    case .array(var elements):
      elements = elements.map(Self.reduced)
      while elements.last == .some(.null) { elements.removeLast() }
      return elements.isEmpty ? .null : .array(elements)
    default: return value
    }
  }

  /// The value with only the keys of linked objects that are other objects in `base`.
  private static func reduced(
    _ value: JSONValue, from base: JSONValue?, _ keys: [[[String]]]
  ) -> JSONValue {
    guard case .object(let members) = value, case .object? = base else { return value }
    for paths in keys {
      let ids = [value, base].map { value in
        paths.map { path in
          path.reduce(value) { value, name in value?[name] ?? Int(name).flatMap { value?[$0] } }
        }
      }
      if ids.allSatisfy({ !$0.contains(nil) }), ids[0] != ids[1] {
        return .array(ids[0].compactMap(\.self))
      }
    }
    return .object(
      JSONObject(members.map { ($0.key, Self.reduced($0.value, from: base?[$0.key], keys)) }))
  }

  /// The paths of the key attributes of each linked class.
  private static func keys(_ coder: StoreCoder) throws -> [[[String]]] {
    try [("GeneratedChild", ["key"]), ("GeneratedPair", ["left", "right"])].map { name, keys in
      try keys.map { attribute in
        let path = try #require(try coder.codingPath(of: attribute, dynamic: name))
        guard path.hasPrefix("/") else { return path.split(separator: ".").map(String.init) }
        return path.dropFirst().split(separator: "/").map {
          String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
      }
    }
  }

  @Test(arguments: SeededRandom.seeds(1...3))
  func `the patch applied to the former body is the new body`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var (accepted, mappings, patched) = (0, 0, 0)
    while accepted < Self.steps, mappings < 100 * Self.steps {
      mappings += 1
      var maker = PayloadMaker(seed: random.next(), dates: [.iso8601])
      try GeneratedMapping.$current.withValue(maker.mapping) {
        // A patch does not name attributes that the new state does not know, so they stay.
        let coders = try (0..<2).map { _ in try makeCoder { $0.encodesUnknown = true } }
        guard (try? coders[0].check(Coding.Generated.self)) != nil else { return }
        accepted += 1
        for _ in 0..<8 {
          let states = coders.map { coder in
            try? coder.decode(
              Coding.Generated.self, from: Data(maker.object("Generated").utf8), at: "")
          }
          guard let old = states[0], let new = states[1] else { continue }
          if old.id != new.id {
            guard
              (try? coders[1].store.rekey(Coding.Generated.self, from: new.id, to: old.id)) != nil
            else { continue }
          }
          if try check(old.frozen(), new, coders[0]) { patched += 1 }
        }
      }
    }
    #expect(accepted == Self.steps)
    // Some payloads are refused, and some states cannot be encoded.
    #expect(4 * patched > Self.steps)
  }

  /// Returns false if a state cannot be encoded.
  private func check(
    _ old: Frozen<Coding.Generated>, _ new: Coding.Generated, _ coder: StoreCoder
  ) throws -> Bool {
    let states = [try? coder.encode(old), try? coder.encode(new)]
    guard let old0 = states[0], let new0 = states[1] else { return false }
    let (base, goal) = try (Self.json(old0), Self.reduced(Self.json(new0)))
    for tests in [CodingConfiguration.BodyFormat.Tests.none, .exact, .all] {
      let patch = try coder.patch(
        from: old, to: new, as: .jsonPatch(tests: tests), linkedObjects: .full)
      let result = try patch.map { try PatchReference.applying(Self.json($0), to: base) }
      #expect(Self.reduced(result ?? base) == goal, "\(old0.text) \(patch.map(\.text) ?? "-")")
    }
    do {
      let patch = try coder.patch(from: old, to: new, as: .mergePatch, linkedObjects: .full)
      let result = try patch.map { PatchReference.merging(try Self.json($0), into: base) }
      let keys = try Self.keys(coder)
      #expect(
        Self.reduced(Self.reduced(result ?? base, from: base, keys))
          == Self.reduced(Self.reduced(goal, from: base, keys)),
        "\(old0.text) \(patch.map(\.text) ?? "-")")
    } catch let error as StoreCodingError {
      #expect(error.kind == .notMergeable)
    }
    return true
  }

  private static func json(_ body: Data) throws -> JSONValue {
    try #require(body.withUnsafeBytes { JSONValue(text: $0) })
  }
}
