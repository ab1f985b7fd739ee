import JSONText
import ObjectStore

// The value of an attribute: one value, a nested object, a collection.

extension PayloadDecoder {
  /// Reads the value of an attribute, which is not null.
  mutating func value(_ field: CodingField) throws -> BatchCell {
    switch field.form {
    case .scalar:
      return try scalar(field, isElement: false)
    case .link:
      guard reader.kind() == .object, let target = field.target else { throw mismatch(field) }
      return .row(try object(target, isTop: false))
    case .list, .set:
      guard reader.kind() == .array else { throw mismatch(field) }
      return try list(field)
    case .map:
      guard reader.kind() == .object else { throw mismatch(field) }
      return try map(field)
    case .linkingObjects:
      return .absent
    }
  }

  mutating func list(_ field: CodingField) throws -> BatchCell {
    let mark = batch.beginElements()
    let start = reader.byteOffset
    guard try beginArray() else { return batch.endElements(mark) }
    var index = 0
    repeat {
      let start = checkpoint()
      do {
        batch.appendElement(try element(field))
        if issues.count > start.issueCount { place(issuesFrom: start.issueCount, .index(index)) }
      } catch var error as StoreCodingError {
        error.prepend(index: index)
        guard error.skipsElement(of: field) else {
          batch.cancelElements(mark)
          throw error
        }
        try leaveOut(start, error)
      }
      index += 1
    } while try arrayContinues()
    return try sized(batch.endElements(mark), field, at: start)
  }

  /// The collection, unless its texts are more than a cell may hold.
  func sized(
    _ cell: BatchCell, _ field: CodingField, at start: Int
  ) throws -> BatchCell {
    guard field.target == nil, field.scalar.isText || field.form == .map,
      cell.elementTextSize >= BatchExport.sizeLimit
    else { return cell }
    throw error(
      .outOfRange, attribute: field.fullName, expected: field.shape.name,
      found: "\(cell.elementTextSize) bytes of text", at: start)
  }

  mutating func map(_ field: CodingField) throws -> BatchCell {
    let mark = batch.beginElements()
    var keyOffsets: [Int] = []
    let start = reader.byteOffset
    guard try beginObject() else { return batch.endElements(mark) }
    repeat {
      let key = try anyKey()
      let cell = batch.text(copying: UnsafeRawBufferPointer(key.bytes))
      let start = checkpoint()
      keyOffsets.append(reader.lastKeyOffset)
      batch.appendElement(cell)
      do {
        batch.appendElement(try element(field))
        if issues.count > start.issueCount {
          place(issuesFrom: start.issueCount, .key(String(decoding: cell.bytes, as: UTF8.self)))
        }
      } catch var error as StoreCodingError {
        error.prepend(key: String(decoding: cell.bytes, as: UTF8.self))
        guard error.skipsElement(of: field) else {
          batch.cancelElements(mark)
          throw error
        }
        keyOffsets.removeLast()
        try leaveOut(start, error)
      }
    } while try objectContinues()
    let map = batch.endElements(mark)
    try checkKeys(of: map, keyOffsets, field)
    return try sized(map, field, at: start)
  }

  /// Finds keys that a map has twice: the last value counts, the others leave no rows behind.
  mutating func checkKeys(
    of map: BatchCell, _ offsets: [Int], _ field: CodingField
  ) throws {
    var places: [[UInt8]: Int] = [:]
    for place in offsets.indices {
      let key = Array(map.elements[2 * place].bytes)
      guard let earlier = places.updateValue(place, forKey: key) else { continue }
      let text = String(decoding: key, as: UTF8.self)
      var failure = error(
        .duplicateKey, attribute: field.fullName, found: text, at: offsets[place])
      failure.prepend(key: text)
      if configuration.duplicateKeys == .fail { throw failure }
      issues.append(failure)
      drop(map.elements[2 * earlier + 1], field)
    }
  }

  /// Puts a key or an index in front of the paths of the issues from `start` on.
  @inline(never)
  mutating func place(issuesFrom start: Int, _ component: JSONPath.Component) {
    for index in start..<issues.count {
      switch component {
      case .key(let key): issues[index].prepend(key: key)
      case .index(let place): issues[index].prepend(index: place)
      }
    }
  }

  mutating func element(_ field: CodingField) throws -> BatchCell {
    if field.isOptional {
      reader.skipWhitespace()
      if try takeNull(field, orEmpty: true) { return .null }
    } else if reader.kind() == .null {
      guard field.scalar == .json, field.target == nil else {
        throw nullError(
          field, "an element of \(field.shape.name) that is not optional", at: reader.byteOffset)
      }
    }
    if let target = field.target {
      guard reader.kind() == .object else { throw mismatch(field, isElement: true) }
      return .row(try object(target, isTop: false))
    }
    return try scalar(field, isElement: true)
  }
}
