package import Foundation
import JSONText
package import ObjectStore

extension StoreCoder {
  /// The keys of the objects of a list that no attribute reads, each once, by their first places. What
  /// stands beside an envelope is no object's, and is not told.
  /// - Throws: ``StoreCodingError`` for wrong declarations, and `JSONError` for what is no JSON.
  package func unreadKeys<T: Object>(inListOf type: T.Type, _ data: Data) throws -> [UnreadKey] {
    let plan = try plan(type)
    let input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
    let depth = configuration.limits.usedDepth
    let repairs = configuration.invalidUnicode == .repair
    return try DeepStack.run(depth: depth) {
      var keys = UnreadKeys(
        PayloadText(input, depthLimit: depth, repairsUnicode: repairs), depthLimit: depth,
        repairsUnicode: repairs)
      try keys.list(plan.listEnvelope?.components[...] ?? [], plan.root)
      return keys.found
    }
  }
}
