import Foundation
import ObjectStore
import StoreCoding

/// Decodes batches of an imported file as objects of the inferred root class, with a synthetic key if the objects have
/// none.
final class ImportPayload {
  private let coder: StoreCoder
  private let schema: InferredSchema
  /// The objects of the file, if it contains all.
  let list: ListPages<DynamicObject>?
  /// The number of occurrences of each content hash, for objects without a key.
  private var seen: [UInt64: Int] = [:]

  init(_ store: Store, _ schema: InferredSchema, _ options: ImportOptions) throws {
    var configuration = StoreCoder.Configuration.default
    configuration.keys = .asDeclared
    coder = StoreCoder(store: store, configuration: configuration)
    self.schema = schema
    list = try options.completeList(of: schema.root.className, coder)
  }

  /// Decodes a batch. Precondition: a write transaction is open.
  /// - Throws: `CommandError` with the position in the file.
  func read(_ batch: JSONSource.Batch, _ source: JSONSource) throws -> ReadResult<DynamicObject> {
    var payload = Data("[".utf8)
    for (index, element) in batch.elements.enumerated() {
      if index > 0 { payload.append(UInt8(ascii: ",")) }
      let bytes = batch.input.bytes(element)
      guard let key = schema.syntheticKey, let brace = bytes.firstIndex(of: UInt8(ascii: "{"))
      else {
        payload.append(contentsOf: bytes)
        continue
      }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[(brace + 1)...])
      let isEmpty = rest.first { $0 > 0x20 } == UInt8(ascii: "}")
      payload.append(
        contentsOf: "{\(JSONOutput.text(key)):\"\(content(bytes))\"\(isEmpty ? "" : ",")".utf8)
      payload.append(contentsOf: rest)
    }
    payload.append(UInt8(ascii: "]"))
    do {
      return try list?.read(payload)
        ?? coder.read([DynamicObject].self, dynamic: schema.root.className, from: payload)
    } catch let error as StoreCodingError {
      throw CommandError(text: "\(source.name): \(error)")
    }
  }

  /// Returns a stable identifier for the content of an object: 16 hexadecimal digits, and a counter for repeated
  /// content.
  private func content(_ bytes: UnsafeRawBufferPointer) -> String {
    // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    // White space is significant only in strings.
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte <= 0x20 {
        continue
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      }
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    seen[hash, default: 0] += 1
    let digits = String(hash, radix: 16)
    let text = String(repeating: "0", count: 16 - digits.count) + digits
    let count = seen[hash] ?? 1
    return count == 1 ? text : "\(text)-\(count)"
  }
}
