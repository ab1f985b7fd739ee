import Foundation

/// An update in a row of a decoded batch. Its values are created on demand; applying it creates none.
struct DecodedUpdate: Sendable {
  let rows: DecodedRows
  private let address: DecodedRows.Address

  init(_ rows: DecodedRows, _ row: BatchRow) {
    self.rows = rows
    address = DecodedRows.Address(row: row)
  }

  var row: BatchRow { address.row }

  /// The class entry of the row.
  var entry: ClassEntry { rows.entry(of: row) }

  /// The cell of an attribute; nil if the payload did not contain it. A generated key counts as contained; the defaults
  /// generated with it do not, and neither does a compound key.
  @inline(__always)
  func cell(_ attribute: Int, _ entry: ClassEntry) -> BatchCell? {
    let cell = row[attribute]
    if cell.state == .absent { return nil }
    guard row.isKeyed, cell.isDefault || entry.hasCompoundKey else { return cell }
    let isKey = attribute == Int(row.header.pointee.keyAttribute)
    if isKey ? entry.hasCompoundKey : cell.isDefault { return nil }
    return cell
  }

  /// The attributes whose values are defaults of the object that the key was generated with.
  var defaults: [Int] {
    let row = row
    guard row.isKeyed, row.key.isDefault else { return [] }
    let key = Int(row.header.pointee.keyAttribute)
    return entry.attributes.indices.filter { $0 != key && row[$0].isDefault }
  }

  // MARK: - As a dictionary

  var count: Int {
    let entry = entry
    return entry.attributes.indices.count { cell($0, entry) != nil }
  }

  var names: [String] {
    let entry = entry
    return attributeOrder(entry).map { entry.attributeNames[$0] }
  }

  /// The indices of the attributes in the payload, in declaration order. Only attributes with nested objects are in the
  /// order of the payload, because the last of several values for the same object is kept.
  func attributeOrder(_ entry: ClassEntry) -> [Int] {
    var order: [Int] = []
    var objects: [(position: Int, attribute: Int, source: Int)] = []
    for attribute in entry.attributes.indices {
      guard let cell = cell(attribute, entry) else { continue }
      if entry.attributes[attribute].targetTable != nil, let source = source(cell) {
        objects.append((order.count, attribute, source))
      }
      order.append(attribute)
    }
    if objects.count > 1 {
      let sorted = objects.sorted { ($0.source, $0.attribute) < ($1.source, $1.attribute) }
      for (object, next) in zip(objects, sorted) { order[object.position] = next.attribute }
    }
    return order
  }

  /// The position in the payload of a cell's first object; nil if the cell contains none.
  private func source(_ cell: BatchCell) -> Int? {
    if let row = cell.row { return row.source }
    guard cell.state == .value else { return nil }
    return cell.elements.lazy.compactMap(\.row).first?.source
  }

  subscript(name: String) -> UpdateValue? {
    let entry = entry
    guard let attribute = entry.attribute(name), let cell = cell(attribute.index, entry)
    else { return nil }
    return value(cell, attribute)
  }

  var pairs: UpdateDictionary.Pairs {
    let entry = entry
    let order = attributeOrder(entry)
    return UpdateDictionary.Pairs(
      names: order.map { entry.attributeNames[$0] },
      values: order.map { value(row[$0], entry.attributes[$0]) })
  }

  // MARK: - Values

  private func value(_ cell: BatchCell, _ attribute: StoredAttribute) -> UpdateValue {
    guard cell.state != .null else { return .null }
    switch attribute.form {
    case .scalar: return scalar(cell, attribute.kind)
    case .link, .linkingObjects: return element(cell, attribute.kind)
    case .list, .set: return .array(cell.elements.map { element($0, attribute.kind) })
    case .map:
      let elements = cell.elements
      let members = stride(from: 0, to: elements.count - 1, by: 2).map { index in
        (elements[index].text, element(elements[index + 1], attribute.kind))
      }
      return .object(UpdateDictionary(members))
    }
  }

  private func element(_ cell: BatchCell, _ kind: ScalarKind) -> UpdateValue {
    guard cell.state != .null else { return .null }
    guard let row = cell.row else { return scalar(cell, kind) }
    return .object(UpdateDictionary(DecodedUpdate(rows, row)))
  }

  private func scalar(_ cell: BatchCell, _ kind: ScalarKind) -> UpdateValue {
    switch kind {
    case .bool: .bool(cell.bits != 0)
    case .double, .float: .double(Double(bitPattern: cell.bits))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: cell.bits)))
    case .string, .url: .string(cell.text)
    case .decimal:
      .decimal(Decimal(plain: cell.text) ?? 0)
    case .data: .data(Data(cell.bytes))
    case .uuid:
      cell.count == 16 ? .uuid(UUID(uuid: cell.bytes.loadUnaligned(as: uuid_t.self))) : .null
    case .json: .json(JSONValue(stored: cell.bytes, keepsNotation: true))
    default:
      kind.unsignedMaximum != nil && cell.bits > UInt64(Int64.max)
        ? .uint(cell.bits) : .int(Int64(bitPattern: cell.bits))
    }
  }
}
