import Foundation
import ObjectStore

// Rows of a batch as public values: what a decode is about to apply, by attribute names.

extension CodingPlan {
  /// The attributes the payload has, and a key made for the object.
  func update(_ row: BatchRow) -> UpdateDictionary {
    var update = UpdateDictionary()
    for field in fields {
      let cell = row[field.attribute]
      if cell.state == .absent { continue }
      if cell.isDefault, let keyField, field !== keyField { continue }
      update.append(field.name, field.value(cell))
    }
    return update
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
    case .string, .url: .string(String(decoding: cell.bytes, as: UTF8.self))
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
