import Foundation
import ObjectStore
import StoreCoding

/// The laws of decoding payloads of one class.
struct DecodingLaws<T: Object> {
  private let options: PayloadOptions
  private let isList: Bool
  private let coder: StoreCoder
  private let dumper: StoreCoder

  init(_ options: PayloadOptions, isList: Bool) throws {
    self.options = options
    self.isList = isList
    let store = try Store()
    coder = StoreCoder(store: store, configuration: options.configuration)
    var configuration = StoreCoder.Configuration()
    // Objects may be linked in cycles.
    configuration.writesEachObjectOnce = true
    dumper = StoreCoder(store: store, configuration: configuration)
    // The first use of a class may create a version.
    _ = store.objects(T.self).count
  }

  private var store: Store { coder.store }

  /// All objects, by class, as text.
  private var content: [String] {
    store.schemas.filter { !$0.isEmbedded }.flatMap { content(of: $0.tableName) }
  }

  private func content(of className: String) -> [String] {
    do {
      return try store.objects(dynamic: className).map { object in
        let body = Result { String(decoding: try dumper.encode(object), as: UTF8.self) }
        return "\(className): \(body) without \(object.unknownAttributes)"
      }
    } catch {
      fatalError("\(error)")
    }
  }

  mutating func check(_ payload: Data) {
    let (before, version) = (content, store.version)
    checkWithoutChanges(payload)
    law(store.version, equals: version, "audits, updates and plans create no version")
    var objects: [T] = []
    let error = failure { objects = try decode(payload, coder) }
    law(error, equals: failure { try plan(payload) }, "a plan has the error of decoding")
    guard error == nil else {
      law(store.version, equals: version, "a rejected payload creates no version")
      return law(content, equals: before, "a rejected payload changes nothing")
    }
    checkRepeated(payload, "decoding a payload again")
    for object in objects.prefix(4) { checkBody(of: object) }
  }

  private func failure(_ body: () throws -> Void) -> String? { FuzzTargets.failure(of: body) }

  @discardableResult
  private func decode(_ payload: Data, _ coder: StoreCoder) throws -> [T] {
    if isList { return try coder.decodeArray(T.self, from: payload, absent: options.absent) }
    return [try coder.decode(T.self, from: payload, absent: options.absent)]
  }

  /// Plans the payload in a store with the same content.
  private func plan(_ payload: Data) throws {
    if isList {
      _ = try coder.plan([T].self, from: payload, absent: options.absent).description
    } else {
      _ = try coder.plan(T.self, from: payload, absent: options.absent).description
    }
  }

  /// Reads the payload without applying it. Errors are compared by `check`.
  private func checkWithoutChanges(_ payload: Data) {
    _ = failure {
      let audit =
        try isList
        ? coder.audit([T].self, from: payload)
        : coder.audit(
          T.self, from: payload)
      _ = "\(audit)"
    }
    _ = failure {
      if isList {
        _ = "\(try coder.updateDictionaries(for: T.self, from: payload, absent: options.absent))"
      } else {
        _ = "\(try coder.updateDictionary(for: T.self, from: payload, absent: options.absent))"
      }
    }
    _ = failure { try plan(payload) }
  }

  /// Decodes what the store already has.
  private func checkRepeated(_ payload: Data, _ action: String) {
    let (before, version) = (content, store.version)
    let error = failure { try decode(payload, coder) }
    law(error, equals: nil, "\(action) succeeds")
    law(content, equals: before, "\(action) changes nothing")
    law(store.version, equals: version, "\(action) creates no version")
  }

  /// Encodes an object, and decodes the body in the same store and in an empty one.
  private func checkBody(of object: T) {
    // Such a body also has the defaults of attributes that no payload has given.
    if options.configuration.encodesUnknown { return }
    guard let body = try? coder.encode(object, useEnvelope: true) else { return }
    let (before, version) = (content, store.version)
    let text = String(decoding: body, as: UTF8.self)
    let error = failure { try coder.decode(T.self, from: body) }
    law(error, equals: nil, "the body \(text) is decoded")
    law(content, equals: before, "the body \(text) changes nothing")
    law(store.version, equals: version, "the body \(text) creates no version")
    do {
      let other = StoreCoder(store: try Store(), configuration: options.configuration)
      let again = try other.encode(other.decode(T.self, from: body), useEnvelope: true)
      law(String(decoding: again, as: UTF8.self), equals: text, "a decoded body is encoded again")
    } catch {
      fatalError("broken law: the body \(text) is decoded by another store: \(error)")
    }
  }
}
