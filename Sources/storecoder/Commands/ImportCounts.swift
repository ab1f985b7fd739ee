import Foundation
import ObjectStore
import StoreCoding

/// The effect of a file's objects on a store. Each object of the file counts once.
struct ImportCounts {
  private(set) var inserted = 0
  private(set) var updated = 0
  private(set) var unchanged = 0
  /// The number of objects that share their key with an earlier object in the file, in the same or an earlier batch.
  private(set) var merged = 0
  /// Hashes of the keys so far; nil if the keys are synthetic and therefore unique.
  private var keys: Set<Int>?
  private let keyNames: String

  init(_ schema: InferredSchema) {
    keys = schema.syntheticKey == nil ? [] : nil
    keyNames = schema.root.keyNames.map { "'\($0)'" }.joined(separator: ", ")
  }

  var total: Int { inserted + updated + unchanged + merged }

  /// `2 objects of users.json are`
  func stored(of file: String) -> String {
    "\(Terminal.count(total, "object")) of \(file) \(total == 1 ? "is" : "are")"
  }

  mutating func add(_ result: ReadResult<DynamicObject>) {
    for (object, outcome) in zip(result.objects, result.outcomes) {
      if isRepeated(object) {
        merged += 1
        continue
      }
      switch outcome {
      case .inserted: inserted += 1
      case .updated: updated += 1
      case .unchanged: unchanged += 1
      }
    }
  }

  private mutating func isRepeated(_ object: DynamicObject) -> Bool {
    guard keys != nil, let name = object.objectSchema.primaryKeyProperty?.name,
      let key = object[name] as? AnyHashable
    else { return false }
    return !(keys?.insert(key.hashValue).inserted ?? true)
  }

  /// Warns of merged objects on the standard error.
  func warn() {
    if merged == 0 { return }
    let objects = "\(Terminal.count(merged, "object")) \(merged == 1 ? "has" : "have")"
    Terminal.write(
      "storecoder: warning: \(objects) the same \(keyNames) as an earlier one of the file, "
        + "and the values were merged\n", to: .standardError)
  }
}
