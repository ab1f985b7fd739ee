import JSONText
import ObjectStore

// Parts of a payload that arrives in pieces.

/// The place of a list in a payload. Thrown to end the search for it, because the payload may be incomplete.
struct ListStart: Error {
  /// The offset of the opening bracket.
  let byteOffset: Int
  /// The components of the path that lead to the list. An index is a key if it is that of an object.
  var path: [JSONPath.Component] = []
}

extension PayloadDecoder {
  /// Finds the list in the first part of a payload.
  ///
  /// - Parameter envelope: The path to the list; nil if the payload is the list.
  /// - Throws: The errors of ``topList(_:in:)`` before the list.
  mutating func listStart(in envelope: JSONPath?) throws -> ListStart {
    do {
      try enveloped(envelope?.components[...] ?? [], envelope?.text) { decoder in
        guard decoder.reader.kind() == .array else {
          throw decoder.listError(isEnveloped: envelope != nil)
        }
        throw ListStart(byteOffset: decoder.reader.byteOffset)
      }
    } catch let start as ListStart {
      return start
    }
    // Not reached: `enveloped` throws an error if it does not find the list.
    throw topError(.nonArrayTopLevelObject)
  }

  /// Reads a part of a list into the top rows of the batch.
  mutating func topPart(_ part: ListPart, _ plan: CodingPlan, in envelope: JSONPath?) throws {
    firstIndex = part.firstIndex
    guard part.isSequence else { return try topList(plan, in: envelope) }
    scopes.enterTopElement(configuration.mismatches)
    var index = part.firstIndex
    while !reader.isAtEnd() {
      try topElement(plan, at: envelope?.elementPath ?? [], index)
      index += 1
    }
  }
}
