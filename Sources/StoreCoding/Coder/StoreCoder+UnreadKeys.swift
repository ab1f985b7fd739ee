package import Foundation
import JSONText
package import ObjectStore

extension StoreCoder {
  /// Returns the keys in the objects of a list that no attribute reads, each once, in order of first
  /// occurrence. Keys next to an envelope belong to no object and are not included.
  /// - Throws: ``StoreCodingError`` for invalid declarations, `JSONError` for invalid JSON.
  package func unreadKeys<T: Object>(inListOf type: T.Type, _ data: Data) throws -> [UnreadKey] {
    let plan = try plan(type)
    let input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
    let depth = configuration.limits.usedDepth
    let repairs = configuration.invalidUnicode == .repair
    return try DeepStack.run(depth: depth) {
      var keys = UnreadKeys(
        PayloadText(input, depthLimit: depth, repairsUnicode: repairs), depthLimit: depth,
        repairsUnicode: repairs)
      try keys.list(
        plan.listEnvelope?.components[...] ?? [], plan.listEnvelope?.elementPath?[...] ?? [],
        plan.root)
      return keys.found
    }
  }
}
