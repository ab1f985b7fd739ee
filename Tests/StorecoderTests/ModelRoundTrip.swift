import Foundation
import ObjectStore
import StoreCoding
import Testing

@testable import storecoder

/// Decodes JSON with the declarations of a model as classes made at run time, and encodes it again.
struct ModelRoundTrip {
  private let schema: ModelSchema
  private let coder: StoreCoder

  init(_ schema: ModelSchema) throws {
    self.schema = schema
    coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: schema.classes))
  }

  /// Expects that encoding results in the same values.
  func check(
    _ json: String, at path: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let keys = path.split(separator: ".").map(String.init)
    let name = schema.root.className
    var value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    for key in keys { value = (value as? [String: Any])?[key] ?? value }
    let data = Data(json.utf8)
    let body =
      if value is [Any] {
        try coder.encodeArray(coder.decodeArray(dynamic: name, from: data, at: path))
      } else {
        try coder.encode(coder.decode(dynamic: name, from: data, at: path))
      }
    let expected = try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
    #expect(
      try StorecoderTool.canonical(String(decoding: body, as: UTF8.self))
        == String(decoding: expected, as: UTF8.self), "\(json)\n\(SwiftModels(schema).text)",
      sourceLocation: sourceLocation)
  }
}
