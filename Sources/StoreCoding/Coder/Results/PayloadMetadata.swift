import JSONText
import ObjectStore

/// The part of a payload outside the content of its envelope, such as a total count or the address of the next page.
struct PayloadMetadata: Sendable {
  private enum Text {
    /// The text of the payload, with null in place of the content.
    case kept([UInt8])
    /// The number of bytes, which exceeds the limit.
    case tooLong(Int)
  }

  /// Nil if the payload has no envelope.
  private let text: Text?
  /// The paths of the content.
  private let envelopes: [[JSONPath.Component]]
  private let configuration: CodingConfiguration

  /// Copies the text around the content.
  ///
  /// - Complexity: O(bytes outside the content), at most the limit.
  ///
  /// - Parameters:
  ///   - contentRanges: The byte ranges of the content, in order; nil if the whole payload is content.
  ///   - envelopes: The paths of the content.
  init(
    of contentRanges: [Range<Int>]?, in input: JSONInput, _ envelopes: [JSONPath],
    _ configuration: CodingConfiguration
  ) {
    self.envelopes = envelopes.map(\.components)
    self.configuration = configuration
    guard let contentRanges else {
      text = nil
      return
    }
    let count = contentRanges.reduce(input.count) { $0 - $1.count }
    guard count <= configuration.limits.metadataByteCount ?? .max else {
      text = .tooLong(count)
      return
    }
    let payload = UnsafeBufferPointer(start: input.start, count: input.count)
    var kept: [UInt8] = []
    kept.reserveCapacity(count + 4 * contentRanges.count)
    var next = 0
    for range in contentRanges {
      kept += payload[next..<range.lowerBound]
      kept += "null".utf8
      next = range.upperBound
    }
    kept += payload[next...]
    text = .kept(kept)
  }

  /// Returns the value at a path, or nil if there is none.
  ///
  /// - Parameter path: A path from the top of the payload; empty for all values around the content.
  /// - Throws: `invalidDeclarations` for a text that is not a path; `limitExceeded` if the text was too long to be kept
  ///   or is nested too deeply for a `JSONValue`.
  /// - Complexity: O(kept bytes).
  func value(at path: String) throws(StoreCodingError) -> JSONValue? {
    let components: [JSONPath.Component]
    do throws(JSONPath.Mistake) {
      components = path.isEmpty ? [] : try JSONPath(checking: path).components
    } catch {
      throw StoreCodingError(.invalidDeclarations(["metadata: \(error.sentence)"]))
    }
    switch text {
    case nil: return nil
    case .tooLong(let count):
      throw StoreCodingError(
        .limitExceeded,
        expected: "\(configuration.limits.metadataByteCount ?? .max) bytes outside the envelope",
        found: "\(count) bytes")
    case .kept(let bytes):
      let parsed = bytes.withUnsafeBytes {
        JSONValue(
          text: $0, dialect: configuration.dialect == .strict ? .strict : .default,
          repairsUnicode: configuration.invalidUnicode == .repair)
      }
      // The payload was read to its end, so its text is JSON.
      guard var value = parsed else {
        throw StoreCodingError(
          .limitExceeded,
          expected: "\(JSONValue.depthLimit) nested arrays and objects in a JSONValue")
      }
      value.remove(envelopes.map { $0[...] })
      return components.reduce(value) { $0?[$1] }
    }
  }
}

extension JSONValue {
  /// Removes the members at some paths. An element of an array is kept as null, so that other indices remain valid.
  ///
  /// - Complexity: O(*n*) in the numbers of components and of the members along the paths.
  fileprivate mutating func remove(_ paths: [ArraySlice<JSONPath.Component>]) {
    let (keys, groups) = paths.groupedByKey { $0.first?.key }
    if keys.isEmpty { return }
    switch self {
    case .object(let members):
      let below = Dictionary(zip(keys.map { ExactString($0) }, groups)) { first, _ in first }
      self = .object(
        JSONObject(
          members.compactMap { name, value in
            guard let paths = below[ExactString(name)] else { return (key: name, value: value) }
            if paths.contains(where: { $0.count == 1 }) { return nil }
            var value = value
            value.remove(paths.map { $0.dropFirst() })
            return (key: name, value: value)
          }))
    case .array(var elements):
      self = .null
      for paths in groups {
        guard let index = paths[0].first?.index, elements.indices.contains(index) else { continue }
        elements[index].remove(paths.map { $0.dropFirst() })
      }
      self = .array(elements)
    default: break
    }
  }
}
