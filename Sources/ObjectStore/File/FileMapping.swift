/// How the columns of a table stand in its file, and what is different there.
///
/// What the class does not have any more stays in the file; what is new is added by the next commit that
/// touches the class (R15).
struct FileMapping {
  struct Column {
    /// The table's column.
    let column: Int
    let layout: ColumnLayout
    /// The attribute's place in the file's class.
    let place: Int
    /// How it stands there.
    let stored: FileAttribute
    /// As the class has it.
    let wanted: FileAttribute

    /// Whether integers in the file are numbers with a fraction in the class.
    var isWidenedToDouble: Bool { stored.type != .real && wanted.type == .real }
  }

  /// A value or a link as loops over rows need it: copying it counts no reference.
  struct ScalarColumn: BitwiseCopyable {
    let column: Int
    let place: Int
    let kind: ColumnLayout.Kind
    /// How it stands in the file.
    let storedType: FileType
    /// As the class has it.
    let type: FileType
    let isBytes: Bool
    let isWidenedToDouble: Bool
    /// Whether null is a value of the class.
    let allowsNull: Bool

    init(_ column: Column) {
      self.column = column.column
      place = column.place
      kind = column.layout.kind
      storedType = column.stored.type
      type = column.wanted.type
      isBytes = type.isBytes
      isWidenedToDouble = column.isWidenedToDouble
      allowsNull = column.layout.isOptional || column.layout.kind == .link
    }
  }

  /// The attributes that both have.
  private(set) var columns: [Column] = []
  /// Attributes of the class that the file lacks, by their place in the class.
  private(set) var missing: [Int] = []
  /// Attributes of the file that the class lacks, by their place in the file.
  private(set) var unknown: [Int] = []
  /// What cannot be read as the class has it.
  private(set) var mistakes: [String] = []
  /// Whether what does not fit is left out: the class lacks it in the file, and the file in the class.
  let isLenient: Bool

  /// - Parameter removed: the places of attributes that the file is to have no more.
  init(
    _ table: FileTable, _ entry: FileClass, isLenient: Bool = false, without removed: Set<Int> = []
  ) {
    self.isLenient = isLenient
    if table.identity != entry.identity {
      mistakes.append(
        "\(table.name): the file has it \(Self.words(entry.identity)), "
          + "the class is \(Self.words(table.identity))")
    }
    // By bytes: two spellings of a name are two names.
    let places = Dictionary(
      entry.attributes.enumerated().filter { !removed.contains($0.offset) }
        .map { (Array($0.element.name.utf8), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    for (index, wanted) in table.attributes.enumerated() {
      guard let place = places[Array(wanted.name.utf8)] else {
        missing.append(index)
        continue
      }
      let stored = entry.attributes[place]
      let column = table.layout.firstAttribute + index
      let typeMistake = Self.typeMistake(stored, wanted)
      if let mistake = Self.keyMistake(stored, wanted) ?? typeMistake {
        mistakes.append("\(table.name).\(wanted.name): \(mistake)")
      }
      if isLenient, typeMistake != nil {
        missing.append(index)
        continue
      }
      columns.append(
        Column(
          column: column, layout: table.layout.columns[column], place: place, stored: stored,
          wanted: wanted))
    }
    let known = Set(columns.map(\.place))
    unknown = entry.attributes.indices.filter { !known.contains($0) }
    for index in missing where places[Array(table.attributes[index].name.utf8)] == nil {
      let attribute = table.attributes[index]
      guard attribute.isPrimaryKey || attribute.keyPart > 0 else { continue }
      mistakes.append(
        "\(table.name).\(attribute.name): the file has no such attribute, "
          + "which is \(attribute.isPrimaryKey ? "" : "part of ")the primary key now")
    }
    for place in unknown where entry.attributes[place].keyPart > 0 {
      mistakes.append(
        "\(table.name).\(entry.attributes[place].name): it is part of the primary key in the file, "
          + "and the class has no such attribute")
    }
  }

  /// The values and links among the columns.
  var scalars: [Column] { columns.filter { !$0.wanted.isCollection } }

  /// The lists, sets and maps among the columns.
  var collections: [Column] { columns.filter { $0.wanted.isCollection } }

  /// Whether the file has each attribute just as the class has it.
  var isExact: Bool {
    missing.isEmpty
      && columns.allSatisfy {
        $0.stored.isOptional == $0.wanted.isOptional && $0.stored.isIndexed == $0.wanted.isIndexed
          && $0.stored.kind == $0.wanted.kind
      }
  }

  private static func words(_ identity: TableLayout.Identity) -> String {
    switch identity {
    case .keyed: "with a primary key"
    case .keyless: "without a primary key"
    case .embedded: "embedded"
    }
  }

  private static func keyMistake(_ stored: FileAttribute, _ wanted: FileAttribute) -> String? {
    if stored.isPrimaryKey != wanted.isPrimaryKey {
      return stored.isPrimaryKey
        ? "it is the primary key in the file and not in the class"
        : "it is the primary key in the class and not in the file"
    }
    switch (stored.keyPart, wanted.keyPart) {
    case (let old, let new) where old == new: return nil
    case (0, _): return "it is part of the primary key in the class and not in the file"
    case (_, 0): return "it is part of the primary key in the file and not in the class"
    default: return "it stands in another place of the primary key than in the file"
    }
  }

  /// Why values in the file are none of the class.
  private static func typeMistake(_ stored: FileAttribute, _ wanted: FileAttribute) -> String? {
    let isSame =
      stored.form == wanted.form && stored.target == wanted.target
      && (stored.kind == wanted.kind || widens(stored, wanted))
    return isSame ? nil : "the file has \(stored.typeName), the class \(wanted.typeName)"
  }

  /// Whether every value of the one is a value of the other.
  private static func widens(_ stored: FileAttribute, _ wanted: FileAttribute) -> Bool {
    guard let old = stored.kind, let new = wanted.kind else { return false }
    if let from = old.signedRange, let to = new.signedRange {
      return to.contains(from.lowerBound) && to.contains(from.upperBound)
    }
    if let from = old.unsignedMaximum {
      if let to = new.unsignedMaximum { return from <= to }
      if let to = new.signedRange { return from <= UInt64(to.upperBound) }
    }
    guard new == .double else { return false }
    return old == .float
      || stored.form == .scalar && [.int8, .int16, .int32, .uint8, .uint16, .uint32].contains(old)
  }
}
