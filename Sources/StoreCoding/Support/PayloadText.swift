import JSONText
import ObjectStore

/// The text of a payload and how it is read, to tell what stands in it.
struct PayloadText {
  let input: JSONInput
  private let depthLimit: Int
  private let repairsUnicode: Bool

  init(_ input: JSONInput, depthLimit: Int, repairsUnicode: Bool) {
    self.input = input
    self.depthLimit = depthLimit
    self.repairsUnicode = repairsUnicode
  }

  /// The value that begins at a place: its type, and its text clipped to 40 characters.
  func describeValue(at byteOffset: Int) -> String {
    var probe = JSONReader(input, depthLimit: depthLimit, repairsUnicode: repairsUnicode)
    probe.rewind(to: byteOffset, depth: 0)
    let kind = probe.kind()
    switch kind {
    case .object: return "an object"
    case .array: return "an array"
    case .null: return "null"
    case .invalid: return "no value"
    case .string, .number, .bool: break
    }
    guard let raw = try? probe.rawValue() else { return "no value" }
    let clipped = MessageText.clipped(UnsafeRawBufferPointer(raw))
    return switch kind {
    case .string: "string \(clipped)"
    case .number: "number \(clipped)"
    default: clipped
    }
  }
}
