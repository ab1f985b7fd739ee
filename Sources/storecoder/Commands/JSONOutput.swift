import Foundation
import JSONText
import ObjectStore
import StoreCoding

/// Objects as the JSON they came from.
struct JSONOutput {
  private let store: Store
  private let coder: StoreCoder
  /// For objects that links lead back to.
  private let coderOfCircles: StoreCoder
  private let cache: CacheFile

  init(_ store: Store, _ cache: CacheFile) {
    self.store = store
    coder = StoreCoder(store: store)
    var configuration = StoreCoder.Configuration.default
    configuration.writesEachObjectOnce = true
    configuration.limits.depth = .max
    coderOfCircles = StoreCoder(store: store, configuration: configuration)
    self.cache = cache
  }

  /// An object without the key that was made for it. If links lead back to it, or round in circles in what it
  /// leads to, each object stands in it once, and its key where it comes again.
  func data(_ object: DynamicObject) throws -> Data {
    let data: Data
    do {
      data = try coder.encode(object)
    } catch let error as StoreCodingError where error.kind == .cycle {
      data = try coderOfCircles.encode(object)
    }
    guard let key = cache.madeKey(of: object.objectSchema.className),
      let value = object[key] as? String
    else { return data }
    // It is the first attribute.
    let head = Data("{\(Self.text(key)):\(Self.text(value))".utf8)
    guard data.starts(with: head) else { return data }
    var rest = data.dropFirst(head.count)
    if rest.first == UInt8(ascii: ",") { rest = rest.dropFirst() }
    return Data("{".utf8) + rest
  }

  /// A text in quotes, escaped.
  static func text(_ text: String) -> String { self.text(.string(text)) }

  /// A value on one line.
  static func text(_ value: JSONValue) -> String {
    var writer = JSONWriter(capacity: 256)
    write(value, to: &writer)
    return writer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
    func withUTF8(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
      var text = text
      text.withUTF8(body)
    }
    switch value {
    case .null: writer.null()
    case .bool(let flag): writer.bool(flag)
    case .int(let number): writer.int(number)
    case .double(let number): if !writer.double(number) { writer.null() }
    case .number(let text): withUTF8(text) { writer.numberText($0) }
    case .string(let text): withUTF8(text) { writer.string($0) }
    case .array(let values):
      writer.beginArray()
      for value in values { write(value, to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (key, value) in members {
        withUTF8(key) { writer.key($0) }
        write(value, to: &writer)
      }
      writer.endObject()
    }
  }

  /// Writes objects as an array, or each on a line of its own; ends at the first that leads to what cannot be
  /// read.
  func write(_ objects: some Sequence<DynamicObject>, asLines: Bool, to handle: FileHandle) throws {
    var buffer = Data()
    var isFirst = true
    if !asLines { buffer.append(UInt8(ascii: "[")) }
    for object in objects {
      if !asLines { buffer.append(contentsOf: (isFirst ? "\n" : ",\n").utf8) }
      isFirst = false
      let text = Result { try data(object) }
      try CacheFile.checkDamage(of: store)
      buffer.append(try text.get())
      if asLines { buffer.append(UInt8(ascii: "\n")) }
      if buffer.count > 1 << 20 {
        try handle.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try CacheFile.checkDamage(of: store)
    if !asLines { buffer.append(contentsOf: (isFirst ? "]\n" : "\n]\n").utf8) }
    try handle.write(contentsOf: buffer)
  }
}
