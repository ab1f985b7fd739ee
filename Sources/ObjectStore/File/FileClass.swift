/// A class as a file stores it: its table, attributes, row count and checksums.
struct FileClass: Sendable {
  /// The table's name in the store.
  var name: String
  /// The table's name in the file.
  var sqlName: String
  let identity: TableLayout.Identity
  var attributes: [FileAttribute]
  var rowCount = 0
  /// The lowest row number that was never assigned; the first row is 1.
  var nextRow = 1
  /// The checksums of the row numbers and of the engine's own columns, indexed by `OwnColumn`.
  var ownSums = [UInt64](repeating: 0, count: OwnColumn.allCases.count)
  /// A hash of the statements that created its tables. Other tables in the file are ignored.
  var schemaDigest: UInt64 = 0

  /// The data that the engine keeps for rows in addition to their attributes.
  enum OwnColumn: Int, CaseIterable {
    case row, references, nested, missing

    /// The content of the column, for messages.
    var name: String {
      switch self {
      case .row: "row numbers"
      case .references: "reference counts"
      case .nested: "ownership flags"
      case .missing: "missing attributes"
      }
    }
  }

  /// False in a file of format 1, in which no attribute is missing.
  var recordsMissing = true
  /// True if its attributes may link to rows that were deleted while the store could not see these links.
  var mayDangle = false
  /// A hash of the class's names, identity, attributes and table definitions.
  private(set) var declarationDigest: UInt64 = 0

  init(name: String, sqlName: String, identity: TableLayout.Identity, attributes: [FileAttribute]) {
    self.name = name
    self.sqlName = sqlName
    self.identity = identity
    self.attributes = attributes
  }

  /// Updates ``declarationDigest``. Required after every change to a value that it covers.
  mutating func digestDeclarations() {
    declarationDigest =
      Checksum.digest([name, sqlName, identity.fileName] + attributes.flatMap(\.parts))
      &+ schemaDigest
  }

  /// The index of the attribute with exactly this name, compared by bytes; nil if there is none.
  func attributeIndex(of name: String) -> Int? {
    attributes.firstIndex { $0.name.hasSameBytes(as: name) }
  }

  /// The indexes of the attributes that form the compound key, in order; empty if the class has none.
  var keyParts: [Int] {
    attributes.indices.filter { attributes[$0].keyPart > 0 }
      .sorted(byNumber: { attributes[$0].keyPart })
  }

  /// The columns of ``keyParts`` in ``layout``.
  var keyColumns: [KeyPartColumn] {
    let first = layout.firstAttribute
    return keyParts.map { KeyPartColumn(column: first + $0, kind: attributes[$0].kind ?? .int) }
  }

  /// The names of its tables in the file.
  var tableNames: [String] { [sqlName] + attributes.filter(\.isCollection).map(\.sqlName) }

  /// A layout for its rows if the class is not declared. Scalars other than the primary key may be null: a row
  /// lacks the attributes that its class did not have when the row was written.
  var layout: TableLayout {
    TableLayout(
      name: name, identity: identity,
      attributes: attributes.map {
        var column = $0.shape.columnLayout { _ in 0 }
        column.isOptional = $0.form == .scalar && !$0.isPrimaryKey
        return ($0.name, column)
      },
      keyAttribute: attributes.firstIndex(where: \.isPrimaryKey), compoundIndexes: [])
  }

  /// A hash of the class's whole catalog entry.
  var digest: UInt64 {
    var digest = declarationDigest
    var index: UInt64 = 0
    func add(_ number: UInt64) {
      index += 1
      digest = digest &+ Checksum.word(index, number)
    }
    add(UInt64(rowCount))
    add(UInt64(nextRow))
    add(mayDangle ? 1 : 0)
    for sum in ownSums { add(sum) }
    for attribute in attributes { add(attribute.sum) }
    return digest
  }
}

// MARK: - Names

extension TableLayout.Identity {
  /// Part of the file format.
  var fileName: String {
    switch self {
    case .keyed: "keyed"
    case .keyless: "keyless"
    case .embedded: "embedded"
    }
  }

  init?(fileName: String) {
    switch fileName {
    case "keyed": self = .keyed
    case "keyless": self = .keyless
    case "embedded": self = .embedded
    default: return nil
    }
  }
}

extension AttributeShape.Form {
  /// Part of the file format.
  var fileName: String {
    switch self {
    case .scalar: "value"
    case .link: "link"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    case .linkingObjects: "inverse"
    }
  }

  init?(fileName: String) {
    guard
      let form = [Self.scalar, .link, .list, .set, .map].first(where: { $0.fileName == fileName })
    else { return nil }
    self = form
  }
}

extension AttributeShape.Kind {
  /// Part of the file format: the Swift type's name.
  var fileName: String { name }

  init?(fileName: String) {
    guard let kind = Self.allCases.first(where: { $0.fileName == fileName }) else { return nil }
    self = kind
  }
}
