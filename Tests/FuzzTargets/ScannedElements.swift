import JSONText

/// The laws of the scanner that finds elements in text that arrives in pieces.
enum ScannedElements {
  static func check(
    _ text: UnsafeRawBufferPointer, _ form: JSONElementScanner.Form, from start: Int
  ) {
    let whole = events(text, form, from: start, every: text.count + 1)
    for size in [1, 2, 7, 64] where size < text.count {
      let found = events(text, form, from: start, every: size)
      law(found, equals: whole, "pieces of \(size) bytes have the same elements")
    }
    if form == .array, let elements = elements(text, from: start) {
      law(whole, equals: elements, "the scanner finds the elements that the reader finds")
    }
  }

  private static func events(
    _ text: UnsafeRawBufferPointer, _ form: JSONElementScanner.Form, from start: Int,
    every size: Int
  ) -> [JSONElementScanner.Event] {
    var scanner = JSONElementScanner(form, from: start)
    var events: [JSONElementScanner.Event] = []
    var count = min(max(size, start), text.count)
    while true {
      let event = scanner.next(
        in: UnsafeRawBufferPointer(rebasing: text[..<count]), isComplete: count == text.count)
      switch event {
      case .incomplete where count < text.count: count = min(count + size, text.count)
      case .element: events.append(event)
      default: return events + [event]
      }
    }
  }

  /// The elements of an array that begins before `start`, and its end; nil unless the text is one array.
  private static func elements(
    _ text: UnsafeRawBufferPointer, from start: Int
  ) -> [JSONElementScanner.Event]? {
    guard let input = try? JSONInput(copying: text, encoding: .utf8) else { return nil }
    var reader = JSONReader(input)
    reader.skipWhitespace()
    guard reader.byteOffset == start - 1 else { return nil }
    do throws(JSONError) {
      var events: [JSONElementScanner.Event] = []
      if try reader.beginArray() {
        repeat {
          reader.skipWhitespace()
          let start = reader.byteOffset
          try reader.skipValue()
          events.append(.element(start..<reader.byteOffset))
        } while try reader.arrayContinues()
      }
      events.append(.end(reader.byteOffset - 1))
      try reader.finish()
      return events
    } catch {
      return nil
    }
  }
}
