import JSONText
import ObjectStore

// The handling of several bad values in one object or collection. All values are read, and the strictest failure
// determines the outcome, so the result does not depend on the order of keys.

/// The strictest failure so far in an object or collection.
final class Failure {
  let error: StoreCodingError
  fileprivate let scope: Int
  /// The order among failures of one scope, independent of the order in the payload.
  fileprivate let rank: Int

  fileprivate init(_ error: StoreCodingError, scope: Int, rank: Int) {
    self.error = error
    self.scope = scope
    self.rank = rank
  }
}

extension ObjectReader {
  /// The number of the scope that skips the value with the error; 0 if the payload is rejected.
  private func scope(of error: StoreCodingError) -> Int {
    guard error.isSkippable else { return 0 }
    return scope(of: error.policy, isUnknownObject: error.isAboutUnknownObject)
  }

  private func scope(of policy: AttributePolicy.Mismatches?, isUnknownObject: Bool = false) -> Int {
    switch policy {
    case .throw: 0
    case .skipElement: scopes.element
    default: isUnknownObject ? scopes.unknownObject : scopes.undeclared
    }
  }

  /// Records a failure and skips its value, because a stricter failure may follow. Throws a failure that
  /// rejects the payload.
  ///
  /// - Parameters:
  ///   - rank: The position of the value in the declaration order, not in the payload.
  ///   - start: The offset of the value.
  @inline(never)
  mutating func record(
    _ error: any Error, rank: Int, from start: Int, depth: Int, in failure: inout Failure?
  ) throws {
    guard let error = error as? StoreCodingError else { throw error }
    try keep(error, rank: rank, in: &failure)
    if isPast(from: start, depth: depth) { return }
    reader.rewind(to: start, depth: depth)
    try skip()
  }

  /// Records a failure whose value was skipped. Throws a failure that rejects the payload.
  mutating func keep(
    _ error: StoreCodingError, rank: Int, in failure: inout Failure?
  ) throws {
    let scope = scope(of: error)
    guard scope > 0 else { throw error }
    if failure.map({ (scope, rank) < ($0.scope, $0.rank) }) ?? true {
      failure = Failure(error, scope: scope, rank: rank)
    }
  }

  /// Returns the error of an object or collection that was read to its end, and records the range of the value.
  mutating func reject(_ failure: Failure, from start: Int) -> StoreCodingError {
    rejectedRange = start..<reader.byteOffset
    return failure.error
  }

  /// The field that determines the outcome if a value has the wrong type to contain any of them: the strictest field, or
  /// the first of equally strict ones.
  func strictestField(of fields: [CodingField]) -> CodingField? {
    fields.min { scope(of: $0) < scope(of: $1) }
  }

  private func scope(of field: CodingField) -> Int {
    field.skipsBadValue ? .max : scope(of: field.errorPolicy)
  }
}

extension StoreCodingError {
  /// True if the error is about an object that cannot be identified.
  fileprivate var isAboutUnknownObject: Bool { kind == .noKeysFound || kind == .primaryKeyNotFound }
}
