extension JSONWriter {
  /// Writes a value that is JSON text already, in the writer's formatting.
  ///
  /// Its white space is replaced, and its keys are sorted with `sortedKeys`; numbers and strings stay byte
  /// for byte. Compact, unsorted and without white space its bytes are copied as they are.
  ///
  /// - Parameters:
  ///   - json: One valid value, as from ``JSONReader/rawValue()``, which may have a trailing comma.
  ///     White space around it is no matter.
  ///   - isVerbatim: Whether its bytes are copied as they are whatever the formatting.
  public mutating func raw(_ json: UnsafeBufferPointer<UInt8>, isVerbatim: Bool = false) {
    // A space in a string is no white space, but finding that out takes as long as writing it.
    if !isVerbatim,
      isPretty || formatting.contains(.sortedKeys) || json.contains(where: { $0 <= 0x20 })
    {
      rewrite(json, sortingKeys: formatting.contains(.sortedKeys))
    } else {
      separate()
      copy(json)
      place = .comma
    }
  }

  /// Writes a value that is JSON text already, without its white space and trailing commas.
  ///
  /// - Parameters:
  ///   - json: One valid value, as from ``JSONReader/rawValue()``.
  ///   - sortingKeys: Whether members are ordered by the bytes of their unescaped keys; those with
  ///     the same key stay in the order they have.
  /// - Complexity: O(n), with `sortingKeys` O(n log n). Iterative, whatever the depth.
  public mutating func minified(_ json: UnsafeBufferPointer<UInt8>, sortingKeys: Bool) {
    rewrite(json, sortingKeys: sortingKeys)
  }

  private mutating func rewrite(_ json: UnsafeBufferPointer<UInt8>, sortingKeys: Bool) {
    if sortingKeys {
      var outline = JSONOutline(
        json, order: formatting.contains(.readableKeyOrder) ? .numericCaseInsensitive : .bytes)
      outline.write(to: &self)
      return
    }
    var tokens = JSONTokens(json)
    while let token = tokens.next() { write(token) }
  }

  fileprivate mutating func write(_ token: JSONTokens.Token) {
    switch token.kind {
    case .beginObject: beginObject()
    case .endObject: endObject()
    case .beginArray: beginArray()
    case .endArray: endArray()
    case .key: key(literal: token.bytes)
    case .scalar: numberText(token.bytes)
    }
  }
}

/// The tokens of a value that is known to be valid, without commas and colons.
private struct JSONTokens {
  struct Token {
    enum Kind: UInt8 { case beginObject, endObject, beginArray, endArray, key, scalar }

    var kind: Kind
    var bytes: UnsafeBufferPointer<UInt8>
  }

  private let json: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ json: UnsafeBufferPointer<UInt8>) {
    self.json = json
  }

  mutating func next() -> Token? {
    skipBetween()
    guard index < json.count else { return nil }
    let start = index
    var kind = Token.Kind.scalar
    switch json[index] {
    case Byte.openBrace:
      kind = .beginObject
      index += 1
    case Byte.closeBrace:
      kind = .endObject
      index += 1
    case Byte.openBracket:
      kind = .beginArray
      index += 1
    case Byte.closeBracket:
      kind = .endArray
      index += 1
    case Byte.quote:
      index += 1
      while index < json.count, json[index] != Byte.quote {
        index += json[index] == Byte.backslash ? 2 : 1
      }
      index = min(index + 1, json.count)
      let end = index
      while index < json.count, json[index] <= 0x20 { index += 1 }
      if index < json.count, json[index] == Byte.colon { kind = .key }
      return Token(kind: kind, bytes: UnsafeBufferPointer(rebasing: json[start..<end]))
    default:
      while index < json.count, !Self.endsScalar(json[index]) { index += 1 }
    }
    return Token(kind: kind, bytes: UnsafeBufferPointer(rebasing: json[start..<index]))
  }

  private mutating func skipBetween() {
    while index < json.count {
      let byte = json[index]
      guard byte <= 0x20 || byte == Byte.comma || byte == Byte.colon else { return }
      index += 1
    }
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == Byte.comma || byte == Byte.closeBrace || byte == Byte.closeBracket
  }
}

/// All tokens of a value in a list, with the links that sorting its members needs.
///
///     {"b":[1],"a":2}
///
///     index   0    1    2    3    4    5    6    7
///     token   {   "b"   [    1    ]   "a"   2    }
///     after   8    2    5    4    5    6    7    8
///
/// `after` is the token behind a value: the next member or element, or the end of the container.
private struct JSONOutline {
  private var tokens: [JSONTokens.Token] = []
  private var after: [Int] = []
  private let order: JSONKeyOrder

  init(_ json: UnsafeBufferPointer<UInt8>, order: JSONKeyOrder) {
    self.order = order
    var scanner = JSONTokens(json)
    var open: [Int] = []
    while let token = scanner.next() {
      let index = tokens.count
      tokens.append(token)
      after.append(index + 1)
      switch token.kind {
      case .beginObject, .beginArray: open.append(index)
      case .endObject, .endArray:
        if let begin = open.popLast() { after[begin] = index + 1 }
      case .key, .scalar: break
      }
    }
  }

  /// Writes the value with sorted members, with a stack of its own instead of recursion.
  mutating func write(to writer: inout JSONWriter) {
    // Tokens still to be written, the next one last: a container's end below its contents, and a
    // key or value for everything that belongs to it.
    var pending = tokens.isEmpty ? [] : [0]
    while let index = pending.popLast() {
      let token = tokens[index]
      writer.write(token)
      switch token.kind {
      case .key:
        pending.append(index + 1)
      case .beginObject:
        pending.append(after[index] - 1)
        pending.append(contentsOf: sortedKeys(of: index).reversed())
      case .beginArray:
        pending.append(after[index] - 1)
        pending.append(contentsOf: elements(of: index).reversed())
      case .scalar, .endObject, .endArray:
        break
      }
    }
  }

  private func elements(of array: Int) -> [Int] {
    var elements: [Int] = []
    var index = array + 1
    while index < after[array] - 1 {
      elements.append(index)
      index = after[index]
    }
    return elements
  }

  private func sortedKeys(of object: Int) -> [Int] {
    var members: [(key: Int, bytes: [UInt8])] = []
    var index = object + 1
    while index < after[object] - 1 {
      members.append((index, Self.unescaped(tokens[index].bytes)))
      index = after[index + 1]
    }
    members.sort { first, second in
      first.bytes.withUnsafeBufferPointer { a in
        second.bytes.withUnsafeBufferPointer { b in
          if order.areInIncreasingOrder(a, b) { return true }
          return !order.areInIncreasingOrder(b, a) && first.key < second.key
        }
      }
    }
    return members.map(\.key)
  }

  /// The bytes that a valid quoted key stands for.
  private static func unescaped(_ quoted: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let inner = quoted.dropFirst().dropLast()
    if !inner.contains(Byte.backslash) { return Array(inner) }
    // A key that was valid where it came from is valid here.
    let input = try? JSONInput(borrowing: UnsafeRawBufferPointer(quoted), encoding: .utf8)
    guard let input else { return Array(inner) }
    var reader = JSONReader(input, repairsUnicode: true)
    guard let key = try? reader.string() else { return Array(inner) }
    return Array(key.bytes)
  }
}
