import JSONText

/// Finds the bracket of a list in a payload that arrives in pieces.
///
/// The scanner follows brackets, strings and the keys along the path. It validates nothing, so the result is only a
/// reason to read the beginning of the payload. Each byte is scanned once:
///
///     path      data.orders
///     payload   {"total":3,"data":{"count":3,"orders":[
///     levels    1                 2                   found
struct ListStartScanner {
  /// An open array or object around the list.
  private struct Level {
    let isArray: Bool
    /// The index of the current element of an array.
    var position = 0
    /// True after the colon of a member.
    var isInValue = false
    /// True if the current member or element contains the list.
    var isOnPath = false
  }

  /// The index of the next byte to scan.
  private var index = 0
  /// The number of open arrays and objects.
  private var depth = 0
  /// The open arrays and objects around the list.
  private var levels: [Level] = []
  private var isInString = false
  private var isEscaping = false
  private var hasEscape = false
  /// The index of the quote before the current string.
  private var stringStart = 0
  private var isFound = false

  /// Scans the new bytes of the text.
  ///
  /// - Parameters:
  ///   - path: The path of the list.
  ///   - text: The text so far.
  /// - Returns: True if the bracket of the list is among the new bytes. If the path is empty, an object that begins a
  ///   sequence is found as well.
  /// - Complexity: O(*n*) in the new bytes.
  mutating func finds(_ path: [JSONPath.Component], in text: UnsafeRawBufferPointer) -> Bool {
    if isFound { return false }
    while index < text.count {
      let byte = text[index]
      if isInString {
        scanInString(byte, path, text)
      } else if scan(byte, path) {
        isFound = true
        return true
      }
      index += 1
    }
    return false
  }

  private mutating func scanInString(
    _ byte: UInt8, _ path: [JSONPath.Component], _ text: UnsafeRawBufferPointer
  ) {
    if isEscaping {
      isEscaping = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaping = true
      hasEscape = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      guard depth == levels.count, let level = levels.last, !level.isArray, !level.isInValue else {
        return
      }
      let name = UnsafeRawBufferPointer(rebasing: text[stringStart...index])
      levels[depth - 1].isOnPath = isKey(name, path[depth - 1].key)
    }
  }

  /// True if a string with its quotes represents a key.
  private func isKey(_ string: UnsafeRawBufferPointer, _ key: String) -> Bool {
    guard hasEscape else { return string.dropFirst().dropLast().elementsEqual(key.utf8) }
    guard let input = try? JSONInput(copying: string, encoding: .utf8) else { return false }
    var reader = JSONReader(input, repairsUnicode: true)
    return (try? reader.string().string) == key
  }

  /// Scans a byte outside a string. Returns true if the list begins with it.
  private mutating func scan(_ byte: UInt8, _ path: [JSONPath.Component]) -> Bool {
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      hasEscape = false
      stringStart = index
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isArray = byte == UInt8(ascii: "[")
      if depth == levels.count, levels.last?.isOnPath ?? true {
        if depth < path.count {
          levels.append(Level(isArray: isArray, isOnPath: isArray && path[depth].index == 0))
        } else if isArray || depth == 0 {
          return true
        }
      }
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth = max(0, depth - 1)
      if levels.count > depth { levels.removeLast() }
    case UInt8(ascii: ":") where depth == levels.count && depth > 0:
      levels[depth - 1].isInValue = true
    case UInt8(ascii: ",") where depth == levels.count && depth > 0:
      levels[depth - 1].isInValue = false
      levels[depth - 1].position += 1
      let level = levels[depth - 1]
      levels[depth - 1].isOnPath = level.isArray && path[depth - 1].index == level.position
    default: break
    }
    return false
  }
}
