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

  /// Encodes some values of an object, as members with the names of the columns. Each object has all of them: values
  /// that the object does not have are null.
  private func data(_ object: DynamicObject, _ columns: [QueryColumn]) throws -> Data {
    var data = Data("{".utf8)
    for (index, column) in columns.enumerated() {
      if index > 0 { data.append(UInt8(ascii: ",")) }
      data.append(contentsOf: "\(Self.text(column.name)):".utf8)
      data.append(try value(of: column, for: object))
    }
    data.append(UInt8(ascii: "}"))
    return data
  }

  private func value(of column: QueryColumn, for object: DynamicObject) throws -> Data {
    let null = Data("null".utf8)
    guard let owner = column.owner(from: object) else { return null }
    let body = try encoding {
      try $0.encode(owner, only: [column.attribute.name], linkedObjects: .full)
    }
    // The body also contains the key.
    var reader = JSONReader(try body.withUnsafeBytes { try JSONInput(copying: $0) })
    guard try reader.beginObject() else { return null }
    repeat {
      let name = try reader.key().string
      let value = try reader.rawValue()
      if name == column.attribute.name { return Data(value) }
    } while try reader.objectContinues()
    return null
  }

  /// Returns a string as a JSON string literal.
  static func text(_ text: String) -> String { self.text(.string(text)) }

  /// Returns a value as JSON on one line.
  static func text(_ value: JSONValue) -> String { value.jsonText }

  /// Writes objects as an array, or one per line. Stops at the first object that needs a damaged attribute.
  /// - Parameter columns: The values to write; nil for all attributes.
  func write(
    _ objects: some Sequence<DynamicObject>, columns: [QueryColumn]? = nil, asLines: Bool,
    to handle: FileHandle
  ) throws {
    var buffer = Data()
    var isFirst = true
    if !asLines { buffer.append(UInt8(ascii: "[")) }
    for object in objects {
      if !asLines { buffer.append(contentsOf: (isFirst ? "\n" : ",\n").utf8) }
      isFirst = false
      let text = Result { try columns.map { try data(object, $0) } ?? data(object) }
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
