import Foundation
import ObjectStore

// Rows of a batch as public values: what a decode is about to apply, by attribute names.

extension CodingPlan {
  /// The attributes the payload has, and a key made for the object.
  func update(_ row: BatchRow) -> UpdateDictionary {
    var values: [UpdateValue] = []
    values.reserveCapacity(fields.count)
    var names: [String] = []
    for index in fields.indices {
      let field = fields[index]
      let cell = row[field.attribute]
      if cell.state == .absent || cell.isDefault && keyField.map({ $0 !== field }) ?? false {
        // The first that is missing ends the names that all updates share.
        if values.count == index { names = Array(fieldNames[..<index]) }
        continue
      }
      if values.count < index { names.append(field.name) }
      values.append(field.value(cell))
    }
    return UpdateDictionary(
      names: values.count == fields.count ? fieldNames : names, values: values)
  }
}

extension CodingField {
  fileprivate func value(_ cell: BatchCell) -> UpdateValue {
    guard cell.state != .null else { return .null }
    switch form {
    case .scalar: return scalarValue(cell)
    case .link, .linkingObjects: return element(cell)
    case .list, .set: return .array(cell.elements.map { element($0) })
    case .map:
      let elements = cell.elements
      return .object(
        UpdateDictionary(
          stride(from: 0, to: elements.count - 1, by: 2).map { index in
            (
              String(decoding: elements[index].bytes, as: UTF8.self), element(elements[index + 1])
            )
          }))
    }
  }

  private func element(_ cell: BatchCell) -> UpdateValue {
    guard cell.state != .null else { return .null }
    guard let target, let row = cell.row else { return scalarValue(cell) }
    return .object(target.update(row))
  }

  private func scalarValue(_ cell: BatchCell) -> UpdateValue {
    switch scalar {
    case .bool: .bool(cell.bits != 0)
    case .double, .float: .double(Double(bitPattern: cell.bits))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: cell.bits)))
    case .string, .url: .string(cell.string)
    case .decimal:
      .decimal(
        Decimal(
          string: String(decoding: cell.bytes, as: UTF8.self),
          locale: Locale(identifier: "en_US_POSIX")) ?? 0)
    case .data: .data(Data(cell.bytes))
    case .uuid:
      cell.count == 16
        ? .uuid(UUID(uuid: cell.bytes.loadUnaligned(as: uuid_t.self))) : .null
    case .json: .json(JSONValue(stored: cell.bytes))
    default:
      scalar.unsignedMaximum != nil && cell.bits > UInt64(Int64.max)
        ? .uint(cell.bits) : .int(Int64(bitPattern: cell.bits))
    }
  }
}

extension BatchCell {
  /// The text, which was checked when it was read.
  fileprivate var string: String {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let bytes = bytes.assumingMemoryBound(to: UInt8.self)
      return String(
        copying: UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: false))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
