import JSONText
import ObjectStore

/// A list of objects in a payload that arrives in chunks.
///
/// A scanner finds the ends of elements. The whole elements of a batch become a text that the decoder reads like any other
/// payload: the beginning of the payload, the elements, and the brackets that close it.
///
///     payload   {"total":3,"data":{"orders":[{"id":1},{"id":2},{"id":3}],"next":4}}
///     batch 1   {"total":3,"data":{"orders":[{"id":1}]}}
///     batch 2             {"data":{"orders":[        ,{"id":2}]}}
///     batch 3   {"total":3,"data":{"orders":[                 ,{"id":3}],"next":4}}
///
/// Positions after the bracket of the list are converted to those in the payload. The last batch contains everything
/// outside the list, so its metadata and the errors after the list are those of a payload that is read at once.
///
/// An error may depend on the text after it, so a malformed element is read again with the text that follows it.
final class ListStream<T: Object> {
  private enum Phase {
    /// The first bytes, which determine the encoding.
    case encoding
    /// The part before the list.
    case beginning
    /// The elements.
    case elements
    /// The part after the list.
    case rest
    /// The elements from `start` on contain an error.
    case malformed
    /// The payload was read, or rejected.
    case ended
  }

  /// The size in bytes at which a batch ends before it has enough elements.
  private static var batchByteCount: Int { 4 << 20 }
  /// The number of bytes of white space between elements that are kept.
  private static var spaceByteCount: Int { 64 << 10 }
  /// The number of bytes after an error that its message may depend on.
  private static var lookahead: Int { 128 }

  private let coder: StoreCoder
  private let makePart: () throws -> PayloadPart
  /// The maximum number of elements in a batch.
  private let size: Int
  private let makesObjects: Bool
  private let limits: CodingConfiguration.Limits

  private var phase = Phase.encoding
  /// The bytes that have arrived and are not yet read, and some before them.
  private var text: [UInt8] = []
  /// The index in `text` of the first byte that is not read: the one after the last element of the last batch, or after
  /// dropped white space.
  private var start = 0
  /// True if the comma before the next element was dropped together with white space.
  private var isAfterComma = false
  /// The position of this byte in the payload.
  private var position = JSONTextPosition()
  /// The number of bytes that have arrived.
  private(set) var receivedCount = 0
  /// The length of the byte order mark.
  private var markCount = 0
  /// True if no more bytes follow.
  private var isComplete = false
  /// True if the payload is longer than the limit. The bytes after the limit are not in `text`.
  private var isOverlong = false

  /// The number of bytes with which the search for the list is repeated.
  private var searchedCount = 0
  private var listStart = ListStartScanner()
  /// The payload up to the bracket of the list; empty for a sequence.
  private var head: [UInt8] = []
  /// The shortest beginning of a payload with the list at the same path; empty for a sequence.
  private var shortHead: [UInt8] = []
  /// The brackets that close the list and the values that contain it; empty for a sequence.
  private var closingBrackets: [UInt8] = []
  /// The path from the top of the payload to the list.
  private var components: [JSONPath.Component] = []
  private var scanner = JSONElementScanner(.array, from: 0)
  private var isSequence = false
  /// The index in `text` after the list.
  private var listEnd = 0
  /// The number of elements from `start` on that are complete, and the index in `text` after the last one.
  private var pending = (count: 0, end: 0)
  /// The number of elements in the batches so far.
  private var elementCount = 0

  /// Checks an applied batch in its transaction; nil if there is nothing to check.
  private let inspect: ((ReadResult<T>, RowBatch) throws -> Void)?

  /// - Parameter part: Returns the list, or throws the error for its class or path.
  init(
    _ coder: StoreCoder, _ part: @escaping () throws -> PayloadPart, size: Int,
    makesObjects: Bool,
    inspecting inspect: ((ReadResult<T>, RowBatch) throws -> Void)? = nil
  ) {
    if size < 1 { misuse("The size of a batch must be at least 1 (was \(size))") }
    self.coder = coder
    makePart = part
    self.size = size
    self.makesObjects = makesObjects
    self.inspect = inspect
    limits = coder.configuration.limits
  }

  /// True after the last batch or an error.
  var hasEnded: Bool { phase == .ended }

  /// Adds bytes. Drops those that were read, but for the space that the beginning of a piece needs.
  func append(_ chunk: some Sequence<UInt8>) {
    let readCount = start - opening.count - 1
    if readCount > text.count / 2 {
      text.removeFirst(readCount)
      moveIndices(by: -readCount)
    }
    let count = text.count
    text.append(contentsOf: chunk)
    receivedCount += text.count - count
    if let limit = limits.byteCount, receivedCount > limit {
      text.removeLast(min(receivedCount - limit, text.count - count))
      isOverlong = true
    }
  }

  /// Adjusts the indices in `text` to bytes that were added or removed at its beginning.
  private func moveIndices(by count: Int) {
    start += count
    pending.end += count
    listEnd += count
    scanner.move(by: count)
  }

  /// Records that no more bytes follow.
  func complete() {
    isComplete = true
  }

  /// Ends the stream and frees its memory.
  func end() {
    phase = .ended
    text = []
  }

  /// Reads and applies the next batch.
  ///
  /// - Returns: The batch; nil if it needs more bytes or the stream has ended.
  /// - Throws: `StoreCodingError`, which then says how many elements were applied before.
  func next() throws -> ReadResult<T>? {
    do {
      return try nextBatch()
    } catch {
      end()
      guard let error = error as? StoreCodingError, elementCount > 0 else { throw error }
      throw error.advising(
        elementCount == 1
          ? "the first element was applied" : "the first \(elementCount) elements were applied")
    }
  }

  private func nextBatch() throws -> ReadResult<T>? {
    if phase == .ended { return nil }
    let part = try makePart()
    while true {
      let isWaiting: Bool
      switch phase {
      case .encoding: isWaiting = try !findEncoding()
      case .beginning: isWaiting = try !findList(part)
      case .elements:
        let event = text.withUnsafeBytes { scanner.next(in: $0, isComplete: isComplete) }
        isWaiting = event == .incomplete && !isComplete
        switch event {
        case .element(let range):
          if range.count > limits.streamElementByteCount {
            throw tooLong(at: range.lowerBound, part)
          }
          pending = (pending.count + 1, range.upperBound)
          if pending.count == size || pending.end - start >= Self.batchByteCount,
            let batch = try readPending(part)
          {
            return batch
          }
        case .end(let index):
          if isSequence {
            let batch = pending.count > 0 ? try readPending(part) : nil
            if phase == .malformed { break }
            end()
            return batch
          }
          listEnd = index + 1
          phase = .rest
        case .incomplete:
          if let first = scanner.elementStart, text.count - first > limits.streamElementByteCount {
            throw tooLong(at: first, part)
          }
          if isComplete { phase = .malformed }
          if scanner.elementStart == nil,
            text.count - max(start, pending.end) > Self.spaceByteCount
          {
            if pending.count > 0, let batch = try readPending(part) { return batch }
            dropSpace()
          }
        case .malformed: phase = .malformed
        }
      case .rest:
        if isComplete { return try readLast(part) }
        try checkRest(part)
        isWaiting = true
      case .malformed:
        try readMalformed(part)
        isWaiting = true
      case .ended: return nil
      }
      if isWaiting {
        if isOverlong, let limit = limits.byteCount {
          throw StoreCodingError(.limitExceeded, expected: "\(limit) bytes")
        }
        return nil
      }
    }
  }

  // MARK: - Before the list

  /// Skips a byte order mark. Returns false if more bytes are needed.
  private func findEncoding() throws -> Bool {
    guard isComplete || text.count >= 4 else { return false }
    guard let count = text.prefix(4).withUnsafeBytes({ JSONInput.utf8MarkCount($0) }) else {
      throw StoreCodingError(
        .syntax, expected: "a stream must be UTF-8", found: "UTF-16 or UTF-32", byteOffset: 0)
    }
    markCount = count
    text.removeFirst(count)
    phase = .beginning
    return true
  }

  /// Determines the form of the payload and finds its list. Returns false if more bytes are needed.
  private func findList(_ part: PayloadPart) throws -> Bool {
    // The text is searched when the list begins, and for errors each time that it has grown by a quarter, which makes
    // the repeated searches linear. A short text is searched each time.
    let begins = text.withUnsafeBytes { listStart.finds(part.path?.components ?? [], in: $0) }
    guard
      begins || isComplete || text.count <= 4096
        || text.count >= searchedCount + searchedCount / 4
    else { return false }
    searchedCount = text.count
    if part.path?.components.isEmpty ?? true,
      text.first(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) == UInt8(ascii: "{")
    {
      isSequence = true
      scanner = JSONElementScanner(.sequence, from: 0)
      phase = .elements
      return true
    }
    let limit = limits.metadataByteCount ?? .max
    do {
      let list = try text.withUnsafeBytes { try coder.listStart(in: $0, part) }
      guard list.byteOffset < limit else { throw metadataLimit }
      components = list.path
      start = list.byteOffset + 1
    } catch let error as StoreCodingError where !isComplete {
      if isFinal(error) { throw error }
      guard text.count > limit else { return false }
      throw error.isSkippable ? error : metadataLimit
    }
    head = Array(text[..<start])
    head.withUnsafeBytes { position.advance(over: $0) }
    shortHead = beginning(of: components)
    closingBrackets =
      "]".utf8 + components.reversed().map { UInt8(ascii: $0.index == nil ? "}" : "]") }
    scanner = JSONElementScanner(.array, from: start)
    let space = Array(repeating: UInt8(ascii: " "), count: shortHead.count + 1)
    text.insert(contentsOf: space, at: 0)
    moveIndices(by: space.count)
    phase = .elements
    return true
  }

  /// True if the error does not depend on bytes that have not arrived. Errors about a whole object may list its keys.
  private func isFinal(_ error: StoreCodingError) -> Bool {
    guard !isComplete else { return true }
    guard !error.isSkippable, let byteOffset = error.byteOffset else { return false }
    return byteOffset + Self.lookahead <= position.byteOffset + text.count - start
  }

  private var metadataLimit: StoreCodingError {
    StoreCodingError(
      .limitExceeded,
      expected: "\(limits.metadataByteCount ?? .max) bytes outside the list of a stream")
  }

  // MARK: - Elements

  /// Reads the complete elements. Returns nil if one is malformed.
  private func readPending(_ part: PayloadPart) throws -> ReadResult<T>? {
    let isFirst = elementCount == 0
    do {
      let piece = piece(
        headCount: opening.count, byteCount: markCount + position.byteOffset + pending.end - start,
        hasMetadata: isFirst)
      let batch: ReadResult<T> = try withPending {
        try readPiece(piece, $0, part)
      }
      text.withUnsafeBytes {
        position.advance(over: UnsafeRawBufferPointer(rebasing: $0[start..<pending.end]))
      }
      start = pending.end
      isAfterComma = false
      elementCount += pending.count
      pending.count = 0
      return batch
    } catch let error as StoreCodingError where error.kind == .syntax {
      phase = .malformed
      return nil
    }
  }

  /// Calls `body` with the complete elements, after an opening and before the brackets that close the list.
  ///
  /// The text is not copied: the opening replaces bytes that were read, and the brackets are replaced afterwards by the
  /// bytes that follow the elements.
  private func withPending<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let opening = opening
    let first = start - opening.count
    text.replaceSubrange(first..<start, with: opening)
    let end = pending.end
    let rest = Array(text[end...].prefix(closingBrackets.count))
    text.replaceSubrange(end..<end + rest.count, with: closingBrackets)
    let closedEnd = end + closingBrackets.count
    defer { text.replaceSubrange(end..<closedEnd, with: rest) }
    return try text.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[first..<closedEnd]))
    }
  }

  /// Drops the white space up to the end of the text, with the comma in it, unless elements precede it.
  private func dropSpace() {
    guard pending.count == 0 else { return }
    // With a line feed after it, a carriage return is one end of line.
    let end = text.last == UInt8(ascii: "\r") ? text.count - 1 : text.count
    text.withUnsafeBytes {
      position.advance(over: UnsafeRawBufferPointer(rebasing: $0[start..<end]))
    }
    isAfterComma = isAfterComma || text[start..<end].contains(UInt8(ascii: ","))
    start = end
  }

  /// The text before the elements of the next batch. `text` has space for it and for one more byte before `start`.
  private var opening: [UInt8] { opening(elementCount == 0 ? head : shortHead) }

  /// The text before the elements from `start` on, which begins with `head`.
  private func opening(_ head: [UInt8]) -> [UInt8] {
    isAfterComma ? head + ",".utf8 : head
  }

  /// Describes a piece whose elements begin at `headCount`.
  private func piece(
    headCount: Int, byteCount: Int = 0, hasMetadata: Bool = false
  ) -> ListPiece {
    ListPiece(
      gap: .init(byteOffset: headCount, position: position), firstIndex: elementCount,
      isSequence: isSequence, byteCount: byteCount, hasMetadata: hasMetadata,
      makesObjects: makesObjects)
  }

  /// The shortest beginning of a payload with a list at a path.
  private func beginning(of components: [JSONPath.Component]) -> [UInt8] {
    var head: [UInt8] = []
    for component in components {
      switch component {
      case .key(let key):
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(key)
        writer.null()
        // Without the null.
        head += writer.withBytes { Array($0.dropLast(4)) }
      case .index(let index):
        head += "[".utf8
        for _ in 0..<index { head += "0,".utf8 }
      }
    }
    return head + "[".utf8
  }

  private func readPiece(
    _ piece: ListPiece, _ text: UnsafeRawBufferPointer, _ part: PayloadPart
  ) throws -> ReadResult<T> {
    guard let inspect else { return try coder.read(piece, text, of: part) }
    return try coder.store.write { try coder.read(piece, text, of: part, inspecting: inspect) }
  }

  // MARK: - The end

  /// Reads the remaining elements and the part after the list. Returns nil if there is nothing to report.
  private func readLast(_ part: PayloadPart) throws -> ReadResult<T>? {
    let opening = opening(head)
    let rest = opening + text[start...]
    let piece = piece(headCount: opening.count, byteCount: receivedCount, hasMetadata: true)
    let batch: ReadResult<T> = try rest.withUnsafeBytes {
      try readPiece(piece, $0, part)
    }
    end()
    return pending.count > 0 || !components.isEmpty ? batch : nil
  }

  /// Throws an error if the part of the payload outside the list is too long.
  private func checkRest(_ part: PayloadPart) throws {
    guard head.count + text.count - listEnd > limits.metadataByteCount ?? .max else { return }
    throw firstError(part, before: text.count) ?? metadataLimit
  }

  // MARK: - Errors

  /// Throws the first error of the elements. Returns if more bytes are needed.
  private func readMalformed(_ part: PayloadPart) throws {
    let error = firstError(part, before: text.count)
    // A complete text that the scanner rejects has an error.
    if error != nil || isComplete { throw error ?? StoreCodingError(.syntax) }
  }

  /// Returns the error for an element that is larger than the limit, or an earlier one.
  private func tooLong(
    at index: Int, _ part: PayloadPart
  ) -> any Error {
    let limit = limits.streamElementByteCount
    if let error = firstError(part, before: index + limit) { return error }
    text.withUnsafeBytes {
      position.advance(over: UnsafeRawBufferPointer(rebasing: $0[start..<index]))
    }
    var error = StoreCodingError(
      .limitExceeded, expected: "\(limit) bytes for an element of a stream",
      byteOffset: position.byteOffset)
    error.position = (position.line, position.column)
    error.prepend(components + [.index(elementCount + pending.count)])
    return error
  }

  /// Returns the first error in the text up to an index; nil if there is none that is independent of the bytes after it.
  private func firstError(
    _ part: PayloadPart, before index: Int
  ) -> (any Error)? {
    let opening = opening(head)
    let beginning = opening + text[start..<index]
    do {
      try beginning.withUnsafeBytes {
        try coder.check(piece(headCount: opening.count), $0, of: part)
      }
      return nil
    } catch {
      guard !isComplete || index < text.count, let failure = error as? StoreCodingError,
        failure.kind == .syntax, let byteOffset = failure.byteOffset
      else { return error }
      let isFinal = byteOffset + Self.lookahead <= position.byteOffset + index - start
      return isFinal ? error : nil
    }
  }
}
