extension QueryValue {
  init(_ value: some ScalarValue) {
    self = QueryValue(value._updateValue) ?? .null
  }

  init(_ value: (some ScalarValue)?) {
    self = value.map { QueryValue($0) } ?? .null
  }

  /// Creates the value of a link to a managed object. Nil is the null link.
  init(object: ObjectBase?) {
    guard let object else {
      self = .null
      return
    }
    guard let row = QueryValue(row: object) else {
      misuse("a query: \(object.className) is not managed by a store")
    }
    self = row
  }

  init?(row object: ObjectBase) {
    guard let storage = object.storage, let handle = object.handle else { return nil }
    self = .row(
      table: storage.pointee.table, slot: object.slot, ObjectIdentifier(handle.core))
  }

  /// Returns nil for arrays and objects, which a query cannot compare.
  init?(_ value: UpdateValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = Int64(exactly: value).map { .int($0) } ?? .uint(value)
    case .double(let value): self = QueryValue(.double(value))
    case .decimal(let value): self = .decimal(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .date(let value): self = .date(value)
    case .uuid(let value): self = .uuid(value)
    case .reference(let reference):
      self = .row(table: reference.table, slot: reference.slot, ObjectIdentifier(reference.core))
    case .json(let value): self = .json(value._encode { Array($0.bytes) })
    // No stored value has these bytes.
    case .unencodable: self = .json([])
    case .array, .object: return nil
    }
  }
}
