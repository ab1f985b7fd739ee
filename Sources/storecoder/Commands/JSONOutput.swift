import Foundation
import JSONText
import ObjectStore
import StoreCoding

/// Writes objects in their original JSON form.
struct JSONOutput {
  private let store: Store
  private let coder: StoreCoder
  /// The coder for objects on a cycle of links.
  private let cycleCoder: StoreCoder
  private let cache: CacheFile

  init(_ store: Store, _ cache: CacheFile) {
    self.store = store
    coder = StoreCoder(store: store)
    var configuration = StoreCoder.Configuration.default
    configuration.writesEachObjectOnce = true
    configuration.limits.depth = .max
    cycleCoder = StoreCoder(store: store, configuration: configuration)
    self.cache = cache
  }

  /// Encodes an object without its synthetic key. If the object graph has a cycle, each object is written in full
  /// once and only as its key elsewhere.
  func data(_ object: DynamicObject) throws -> Data {
    let data = try encoding { try $0.encode(object) }
    guard let key = cache.syntheticKey(of: object.objectSchema.className),
      let value = object[key] as? String
    else { return data }
    // The synthetic key is the first attribute.
    let head = Data("{\(Self.text(key)):\(Self.text(value))".utf8)
    guard data.starts(with: head) else { return data }
    var rest = data.dropFirst(head.count)
    if rest.first == UInt8(ascii: ",") { rest = rest.dropFirst() }
    return Data("{".utf8) + rest
  }

  private func encoding(_ body: (StoreCoder) throws -> Data) throws -> Data {
    do {
      return try body(coder)
    } catch let error as StoreCodingError where error.kind == .cycle {
      return try body(cycleCoder)
    }
  }

  /// Returns the values of attributes of an object.
  /// - Parameter names: Different names of attributes.
  func values(of object: DynamicObject, _ names: [String]) throws -> [String: Cell] {
    let body = try encoding { try $0.encode(object, only: names, linkedObjects: .full) }
    var values: [String: Cell] = [:]
    let wanted = Set(names)
    var reader = JSONReader(
      try body.withUnsafeBytes { try JSONInput(copying: $0, encoding: .utf8) }, depthLimit: .max)
    guard try reader.beginObject() else { return values }
    repeat {
      let name = try reader.key().string
      // The body also contains the key.
      if wanted.contains(name) {
        values[name] = try Cell(json: reader.rawValue())
      } else {
        try reader.skipValue()
      }
    } while try reader.objectContinues()
    return values
  }

  /// Returns a string as a JSON string literal.
  static func text(_ text: String) -> String { self.text(.string(text)) }

  /// Returns a value as JSON on one line.
  static func text(_ value: JSONValue) -> String { value.jsonText }

  /// Writes objects as an array, or one per line. Stops at the first object that needs a damaged attribute.
  func write(_ objects: Results<DynamicObject>, asLines: Bool, to handle: FileHandle) throws {
    var buffer = Data()
    var isFirst = true
    if !asLines { buffer.append(UInt8(ascii: "[")) }
    try objects.forEachWithProgress("writing") { object in
      if !asLines { buffer.append(contentsOf: (isFirst ? "\n" : ",\n").utf8) }
      isFirst = false
      let text = Result { try data(object) }
      try CacheFile.checkDamage(of: store)
      buffer.append(try text.get())
      if asLines { buffer.append(UInt8(ascii: "\n")) }
      if buffer.count > 1 << 20 {
        try Terminal.write(buffer, to: handle)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try CacheFile.checkDamage(of: store)
    if !asLines { buffer.append(contentsOf: (isFirst ? "]\n" : "\n]\n").utf8) }
    try Terminal.write(buffer, to: handle)
  }
}

extension Results<DynamicObject> {
  /// Calls `body` with each object, and shows the progress unless the results themselves are shown in the terminal.
  func forEachWithProgress(_ what: String, _ body: (DynamicObject) throws -> Void) throws {
    let progress = Progress(isShown: Progress.isPossible && isatty(STDOUT_FILENO) == 0)
    defer { progress.clear() }
    let total = Double(Swift.max(1, count))
    for (index, object) in enumerated() {
      try body(object)
      if index.isMultiple(of: 256) { progress.show(Double(index) / total, what) }
    }
  }
}
