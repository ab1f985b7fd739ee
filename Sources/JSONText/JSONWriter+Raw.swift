extension JSONWriter {
  /// Writes a value that is already JSON text, in the writer's formatting.
  ///
  /// White space is replaced, and keys are sorted with `sortedKeys`; numbers and strings are kept byte for
  /// byte. If the formatting is compact and unsorted and the value has no white space, its bytes are copied.
  ///
  /// - Parameters:
  ///   - json: One valid value, as returned by ``JSONReader/rawValue()``, possibly surrounded by white space. Trailing
  ///     commas are removed only if the value is rewritten.
  ///   - isVerbatim: True to copy the bytes regardless of the formatting.
  public mutating func raw(_ json: UnsafeBufferPointer<UInt8>, isVerbatim: Bool = false) {
    // A space inside a string is not white space, but detecting that takes as long as rewriting.
    if !isVerbatim,
      isPretty || formatting.contains(.sortedKeys) || json.contains(where: { $0 <= 0x20 })
    {
      rewrite(json, sortingKeys: formatting.contains(.sortedKeys))
    } else {
      separate()
      copy(json)
      separator = .comma
    }
  }

  /// Writes a value that is already JSON text, without its white space and trailing commas.
  ///
  /// - Parameters:
  ///   - json: One valid value, as returned by ``JSONReader/rawValue()``.
  ///   - sortingKeys: True to sort members by the bytes of their unescaped keys. The sort is stable for
  ///     duplicate keys.
  /// - Complexity: O(*n*), with `sortingKeys` O(*n* log *n*). Iterative at any depth.
  public mutating func minified(_ json: UnsafeBufferPointer<UInt8>, sortingKeys: Bool) {
    rewrite(json, sortingKeys: sortingKeys)
  }

  private mutating func rewrite(_ json: UnsafeBufferPointer<UInt8>, sortingKeys: Bool) {
    if sortingKeys {
      let outline = JSONOutline(
        json, order: formatting.contains(.readableKeyOrder) ? .numericCaseInsensitive : .bytes)
      outline.write(to: &self)
      return
    }
    JSONToken.forEach(in: json) { write($0) }
  }

  fileprivate mutating func write(_ token: JSONToken) {
    switch token {
    case .beginObject: beginObject()
    case .endObject: endObject()
    case .beginArray: beginArray()
    case .endArray: endArray()
    case .key(let bytes): key(literal: bytes)
    case .scalar(let bytes): numberText(bytes)
    }
  }
}

/// A token of a value. Commas and colons are omitted; keys and scalars keep their bytes.
private enum JSONToken {
  case beginObject, endObject, beginArray, endArray
  case key(UnsafeBufferPointer<UInt8>)
  case scalar(UnsafeBufferPointer<UInt8>)

  /// Calls `body` with the tokens of a valid value. Iterative at any depth.
  static func forEach(in json: UnsafeBufferPointer<UInt8>, _ body: (JSONToken) -> Void) {
    guard let input = try? JSONInput(borrowing: UnsafeRawBufferPointer(json), encoding: .utf8)
    else { return }
    var reader = JSONReader(input, depthLimit: .max)
    // The reader may read from a copy, which the tokens outlive, so they are moved to the bytes of `json`.
    try? forEach(in: &reader) { token in
      body(token.moved(by: json.baseAddress.map { $0 - input.start } ?? 0))
    }
  }

  private func moved(by distance: Int) -> JSONToken {
    func moved(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: bytes.baseAddress.map { $0 + distance }, count: bytes.count)
    }
    return switch self {
    case .key(let bytes): .key(moved(bytes))
    case .scalar(let bytes): .scalar(moved(bytes))
    default: self
    }
  }

  private static func forEach(
    in reader: inout JSONReader, _ body: (JSONToken) -> Void
  ) throws(JSONError) {
    var containers: [Bool] = []
    values: while true {
      switch reader.kind() {
      case .object:
        body(.beginObject)
        if try reader.beginObject() {
          containers.append(true)
          body(.key(try reader.rawKey()))
          continue values
        }
        body(.endObject)
      case .array:
        body(.beginArray)
        if try reader.beginArray() {
          containers.append(false)
          continue values
        }
        body(.endArray)
      default:
        body(.scalar(try reader.rawValue()))
      }
      while let isObject = containers.last {
        if isObject, try reader.objectContinues() {
          body(.key(try reader.rawKey()))
          continue values
        }
        if !isObject, try reader.arrayContinues() { continue values }
        containers.removeLast()
        body(isObject ? .endObject : .endArray)
      }
      return
    }
  }
}

/// The tokens of a value with the links required for sorting members.
///
///     {"b":[1],"a":2}
///
///     index   0    1    2    3    4    5    6    7
///     token   {   "b"   [    1    ]   "a"   2    }
///     after   8    2    5    4    5    6    7    8
///
/// `after` is the index of the token after a value: the next member or element, or the end of the container.
private struct JSONOutline {
  private let tokens: [JSONToken]
  private let after: [Int]
  private let order: JSONKeyOrder

  init(_ json: UnsafeBufferPointer<UInt8>, order: JSONKeyOrder) {
    self.order = order
    var tokens: [JSONToken] = []
    var after: [Int] = []
    var open: [Int] = []
    JSONToken.forEach(in: json) { token in
      let index = tokens.count
      tokens.append(token)
      after.append(index + 1)
      switch token {
      case .beginObject, .beginArray: open.append(index)
      case .endObject, .endArray:
        if let begin = open.popLast() { after[begin] = index + 1 }
      case .key, .scalar: break
      }
    }
    self.tokens = tokens
    self.after = after
  }

  /// Writes the value with sorted members, using an explicit stack instead of recursion.
  func write(to writer: inout JSONWriter) {
    // A stack of the indices of the tokens to write. The end of a container is below its contents, and the index of
    // a key or value represents all of its tokens.
    var pending = tokens.isEmpty ? [] : [0]
    while let index = pending.popLast() {
      let token = tokens[index]
      writer.write(token)
      switch token {
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
      guard case .key(let quoted) = tokens[index] else { break }
      members.append((index, Self.unescaped(quoted)))
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

  /// The unescaped bytes of a valid quoted key.
  private static func unescaped(_ quoted: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let inner = quoted.dropFirst().dropLast()
    if !inner.contains(Byte.backslash) { return Array(inner) }
    // A key that was valid in the original text is valid on its own.
    let input = try? JSONInput(borrowing: UnsafeRawBufferPointer(quoted), encoding: .utf8)
    guard let input else { return Array(inner) }
    var reader = JSONReader(input, repairsUnicode: true)
    guard let key = try? reader.string() else { return Array(inner) }
    return Array(key.bytes)
  }
}
