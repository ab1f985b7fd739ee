import JSONText
import ObjectStore

// Parts of a payload that arrives in pieces.

/// The location of a list in a payload. Thrown to end the search for it, because the payload may be incomplete.
struct ListStart: Error {
  /// The offset of the opening bracket.
  let byteOffset: Int
  /// The components of the path that lead to the list. An index is a key if it is that of an object.
  var path: [JSONPath.Component] = []
}

extension PayloadWalk {
  /// Finds the list in the first part of a payload.
  ///
  /// - Throws: The errors of ``read(_:)`` before the list.
  mutating func listStart(of part: PayloadPart) throws -> ListStart {
    endsAtList = true
    do {
      try read(part)
    } catch let start as ListStart {
      return start
    }
    // Not reached: `read` throws an error if it does not find the list.
    throw objects.topError(.nonArrayTopLevelObject)
  }

  /// Reads a piece of a list into the top rows of the batch.
  mutating func read(_ piece: ListPiece, of part: PayloadPart) throws {
    firstIndex = piece.firstIndex
    guard piece.isSequence, case .list(let plan) = part.content else { return try read(part) }
    contents = [PartContent()]
    objects.clearsAbsent = part.absent == .clear
    objects.scopes.enterTopElement(objects.configuration.mismatches)
    let path = part.elementPath[...]
    var index = piece.firstIndex
    while !objects.reader.isAtEnd() {
      try objects.checkElementLimit(index)
      try element(index, of: part, plan, at: path)
      index += 1
    }
  }
}
