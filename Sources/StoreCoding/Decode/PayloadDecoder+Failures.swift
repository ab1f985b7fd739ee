import JSONText
import ObjectStore

// Bad values of one object or collection. Each of them is passed over, or refuses the payload, as if it
// were the only one: so all are read, and the order of keys makes no difference.

/// The places around the reader that pass over bad values.
///
/// Places are numbered from the outermost, which is 1; 0 refuses the payload. Of two bad values the one
/// with the lower number is the stricter: more is left out for it.
///
///     [{"owner": {"id": "x"}}]      1 the element of the list    2 the value of `owner`
///
/// Each number is that of the innermost place for one kind of bad value.
struct PassingPlaces {
  /// For a value whose attribute declares nothing that reaches beyond it.
  private(set) var undeclared = 0
  /// For an object without a known key, or without its primary key.
  private(set) var unknownObject = 0
  /// For a value whose attribute declares to leave out the element.
  private(set) var element = 0
  /// The number of places.
  private var count = 0

  /// The places around an element of the list that is the payload.
  mutating func enterTopElement(_ policy: MismatchPolicy) {
    count = 1
    element = 1
    undeclared = policy == .skipElement ? 1 : 0
    unknownObject = undeclared
  }

  /// The places around objects in the value of an attribute.
  mutating func enter(_ field: CodingField) {
    if field.skipsElements {
      count += 1
      (undeclared, unknownObject, element) = (count, count, count)
    } else if field.passesOver {
      count += 1
      undeclared = count
      if field.passesForeignObjects { unknownObject = count }
    } else if let policy = field.errorPolicy {
      undeclared = policy == .skipElement ? element : 0
      unknownObject = undeclared
    }
  }
}

/// The strictest failure of an object or a collection so far.
final class Failure {
  let error: StoreCodingError
  fileprivate let place: Int
  /// Tells failures of one place apart, whatever their order in the payload is.
  fileprivate let rank: Int

  fileprivate init(_ error: StoreCodingError, place: Int, rank: Int) {
    self.error = error
    self.place = place
    self.rank = rank
  }
}

extension PayloadDecoder {
  /// The number of the place that passes over a failure; 0 if it refuses the payload.
  private func place(of error: StoreCodingError) -> Int {
    guard error.isSkippable else { return 0 }
    return place(of: error.policy, isUnknownObject: error.isOfUnknownObject)
  }

  private func place(of policy: MismatchPolicy?, isUnknownObject: Bool = false) -> Int {
    switch policy {
    case .throw: 0
    case .skipElement: places.element
    default: isUnknownObject ? places.unknownObject : places.undeclared
    }
  }

  /// Notes a failure, and passes the value that it came up in: a stricter one may follow. Throws a failure
  /// that refuses the payload.
  ///
  /// - Parameters:
  ///   - rank: the place of the value among the others by what declares it, not by where it is written.
  ///   - start: where the value begins.
  @inline(never)
  mutating func note(
    _ error: any Error, rank: Int, from start: Int, depth: Int, in noted: inout Failure?
  ) throws {
    guard let error = error as? StoreCodingError else { throw error }
    let place = place(of: error)
    guard place > 0 else { throw error }
    if noted.map({ (place, rank) < ($0.place, $0.rank) }) ?? true {
      noted = Failure(error, place: place, rank: rank)
    }
    if isRead(from: start, depth: depth) { return }
    reader.rewind(to: start, depth: depth)
    try skip()
  }

  /// The error of an object or collection that was read to its end.
  mutating func refuse(_ failure: Failure, from start: Int) -> StoreCodingError {
    refused = start..<reader.byteOffset
    return failure.error
  }

  /// The field below a part of a path that says what happens where nothing can be below: the strictest, and
  /// of equals the first.
  func strictestField(_ node: PlanNode) -> CodingField? {
    node.fields.min { place(of: $0) < place(of: $1) }
  }

  private func place(of field: CodingField) -> Int {
    field.passesOver ? .max : place(of: field.errorPolicy)
  }
}

extension StoreCodingError {
  /// Whether it is about an object that cannot be told from others.
  fileprivate var isOfUnknownObject: Bool { kind == .noKeysFound || kind == .primaryKeyNotFound }
}
