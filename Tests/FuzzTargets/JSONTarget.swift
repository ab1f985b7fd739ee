import JSONText

/// Reads bytes as JSON text, in all ways that the reader has, and writes what was read.
enum JSONTarget {
  static func run(_ bytes: [UInt8]) {
    // In memory of exactly this size, so that the address sanitizer notices a byte read after it.
    let exact = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { exact.deallocate() }
    exact.copyBytes(from: bytes)
    let text = UnsafeRawBufferPointer(exact)
    for options in ReaderOptions.all { checkReading(text, bytes, options) }
    ScannedElements.check(text, .sequence, from: 0)
    if let bracket = bytes.firstIndex(of: UInt8(ascii: "[")) {
      ScannedElements.check(text, .array, from: bracket + 1)
    }
  }

  /// The options of a reader.
  struct ReaderOptions {
    var dialect = JSONDialect.default
    var repairsUnicode = false
    var refusesDuplicateKeys = false
    var encoding = JSONInput.Encoding.utf8

    static let all = [
      ReaderOptions(), ReaderOptions(encoding: .detected),
      ReaderOptions(dialect: .strict, repairsUnicode: true),
      ReaderOptions(repairsUnicode: true, refusesDuplicateKeys: true),
    ]

    func reader(_ input: JSONInput) -> JSONReader {
      JSONReader(
        input, dialect: dialect, repairsUnicode: repairsUnicode,
        refusesDuplicateKeys: refusesDuplicateKeys)
    }
  }

  /// The results of reading a text: its tree and its raw bytes, or the errors.
  private struct Outcome: Equatable {
    var tree: JSONTree?
    var raw: [UInt8]?
    var errors: [JSONError?] = []
  }

  private static func outcome(
    _ options: ReaderOptions, _ input: () throws(JSONError) -> JSONInput
  ) -> Outcome {
    var outcome = Outcome()
    outcome.errors.append(
      error { () throws(JSONError) in
        var reader = options.reader(try input())
        let tree = try JSONTree(&reader)
        try reader.finish()
        outcome.tree = tree
      })
    outcome.errors.append(
      error { () throws(JSONError) in
        var reader = options.reader(try input())
        let raw = Array(try reader.rawValue())
        try reader.finish()
        outcome.raw = raw
      })
    outcome.errors.append(
      error { () throws(JSONError) in
        var reader = options.reader(try input())
        try reader.skipValue()
        try reader.finish()
      })
    return outcome
  }

  private static func error(of body: () throws(JSONError) -> Void) -> JSONError? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private static func checkReading(
    _ text: UnsafeRawBufferPointer, _ bytes: [UInt8], _ options: ReaderOptions
  ) {
    let copied = outcome(options) { () throws(JSONError) in
      try JSONInput(copying: text, encoding: options.encoding)
    }
    let borrowed = outcome(options) { () throws(JSONError) in
      try JSONInput(borrowing: text, encoding: options.encoding)
    }
    law(borrowed == copied, "borrowed text is read like copied text: \(borrowed), \(copied)")
    let errors = copied.errors
    law(errors.allSatisfy { $0 == errors[0] }, "reading and skipping agree: \(errors)")
    if options.encoding == .utf8, !options.repairsUnicode {
      let isJSON = JSONChecker.accepts(bytes, allowsTrailingComma: options.dialect == .default)
      law(isJSON == (errors[0] == nil), "a naive checker agrees with \(errors)")
    }
    guard let tree = copied.tree, let raw = copied.raw else { return }
    checkWriting(tree, raw)
    if options.encoding == .detected { tree.forEachNumber(NumberLaws.check) }
  }

  // MARK: - Writing

  private static func written(
    _ formatting: JSONWriter.Formatting, _ write: (inout JSONWriter) -> Void
  ) -> JSONTree? {
    var writer = JSONWriter(formatting: formatting, capacity: 0)
    write(&writer)
    return writer.withBytes { text in
      guard let input = try? JSONInput(copying: text, encoding: .utf8) else { return nil }
      var reader = JSONReader(input)
      guard let tree = try? JSONTree(&reader), reader.isAtEnd() else { return nil }
      return tree
    }
  }

  private static func checkWriting(_ tree: JSONTree, _ raw: [UInt8]) {
    for formatting: JSONWriter.Formatting in [[], .prettyPrinted, [.escapesSlashes]] {
      let found = written(formatting) { tree.write(to: &$0) }
      law(found, equals: tree, "a written value is read again, formatting \(formatting)")
    }
    for formatting: JSONWriter.Formatting in [[], .prettyPrinted, .sortedKeys] {
      let found = written(formatting) { writer in
        raw.withUnsafeBufferPointer { writer.raw($0) }
      }
      law(
        found, equals: formatting == .sortedKeys ? tree.sorted : tree,
        "a raw value is read again, formatting \(formatting)")
    }
    // Keys that differ only in case or leading zeros have no order that a tree shows.
    _ = written([.sortedKeys, .readableKeyOrder]) { writer in
      raw.withUnsafeBufferPointer { writer.raw($0) }
    }
  }
}
