/// Maps the columns of a table to those in its file, and lists the differences.
///
/// An attribute that the class no longer has stays in the file. A new attribute is added by the next commit that
/// changes objects of the class (R15).
struct FileMapping {
  struct Column {
    /// The column's index in the table.
    let column: Int
    let layout: ColumnLayout
    /// The attribute's index in the file's class.
    let fileIndex: Int
    /// The attribute as the file stores it.
    let stored: FileAttribute
    /// The attribute as the class declares it.
    let wanted: FileAttribute

    /// True if the file has integers and the class has floating-point numbers.
    var isWidenedToDouble: Bool { stored.type != .real && wanted.type == .real }

    /// True if the file may have null for this attribute or its elements, and the class refuses it.
    var mayHaveRefusedNulls: Bool {
      stored.isOptional && !wanted.isOptional && stored.kind != nil
    }
  }

  /// The column of a value or link, for loops over rows: a copy needs no reference counting.
  struct ScalarColumn: BitwiseCopyable {
    let column: Int
    let fileIndex: Int
    let kind: ColumnLayout.Kind
    /// The type in the file.
    let storedType: FileType
    /// The type in the class.
    let type: FileType
    let isBytes: Bool
    let isWidenedToDouble: Bool
    /// True if the class allows null.
    let allowsNull: Bool

    init(_ column: Column) {
      self.column = column.column
      fileIndex = column.fileIndex
      kind = column.layout.kind
      storedType = column.stored.type
      type = column.wanted.type
      isBytes = type.isBytes
      isWidenedToDouble = column.isWidenedToDouble
      allowsNull = column.layout.isOptional || column.layout.kind == .link
    }
  }

  /// The attributes that both the file and the class have.
  private(set) var columns: [Column] = []
  /// The attributes of the class that the file lacks, by their index in the class.
  private(set) var missing: [Int] = []
  /// The attributes of the file that the class lacks, by their index in the file.
  private(set) var unknown: [Int] = []
  /// The reasons why the file cannot be read as the class is declared.
  private(set) var mistakes: [String] = []
  /// True if an attribute whose type differs is treated as missing in the file and unknown to the class.
  let isLenient: Bool

  /// - Parameter removed: The indexes of attributes to remove from the file.
  init(
    _ table: FileTable, _ entry: FileClass, isLenient: Bool = false, without removed: Set<Int> = []
  ) {
    self.isLenient = isLenient
    if table.identity != entry.identity {
      mistakes.append(
        "\(table.name): it \(Self.phrase(entry.identity)) in the file, "
          + "but \(Self.phrase(table.identity)) in the class")
    }
    // By bytes: canonically equivalent names are different names.
    let fileIndexes = Dictionary(
      entry.attributes.enumerated().filter { !removed.contains($0.offset) }
        .map { (ExactString($0.element.name), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    for (index, wanted) in table.attributes.enumerated() {
      guard let fileIndex = fileIndexes[ExactString(wanted.name)] else {
        missing.append(index)
        continue
      }
      let stored = entry.attributes[fileIndex]
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
          column: column, layout: table.layout.columns[column], fileIndex: fileIndex,
          stored: stored,
          wanted: wanted))
    }
    let known = Set(columns.map(\.fileIndex))
    unknown = entry.attributes.indices.filter { !known.contains($0) }
    for index in missing where fileIndexes[ExactString(table.attributes[index].name)] == nil {
      let attribute = table.attributes[index]
      guard attribute.isPrimaryKey || attribute.keyPart > 0 else { continue }
      mistakes.append(
        "\(table.name).\(attribute.name): it is \(attribute.isPrimaryKey ? "" : "part of ")the primary key "
          + "in the class, but the file has no such attribute")
    }
    for fileIndex in unknown where entry.attributes[fileIndex].keyPart > 0 {
      mistakes.append(
        "\(table.name).\(entry.attributes[fileIndex].name): it is part of the primary key "
          + "in the file, but the class has no such attribute")
    }
  }

  /// The values and links among the columns.
  var scalars: [Column] { columns.filter { !$0.wanted.isCollection } }

  /// The lists, sets and maps among the columns.
  var collections: [Column] { columns.filter { $0.wanted.isCollection } }

  /// True if the file has each attribute of the class exactly as the class declares it.
  var isExact: Bool {
    missing.isEmpty
      && columns.allSatisfy {
        $0.stored.isOptional == $0.wanted.isOptional && $0.stored.isIndexed == $0.wanted.isIndexed
          && $0.stored.kind == $0.wanted.kind
      }
  }

  /// The mistake of an attribute that refuses a null of the file.
  static func refusedNull(_ attribute: String) -> String {
    "\(attribute): the file has null for an attribute that is no longer optional"
  }

  private static func phrase(_ identity: TableLayout.Identity) -> String {
    switch identity {
    case .keyed: "has a primary key"
    case .keyless: "has no primary key"
    case .embedded: "is embedded"
    }
  }

  private static func keyMistake(_ stored: FileAttribute, _ wanted: FileAttribute) -> String? {
    if stored.isPrimaryKey != wanted.isPrimaryKey {
      return stored.isPrimaryKey
        ? "it is the primary key in the file, but not in the class"
        : "it is the primary key in the class, but not in the file"
    }
    switch (stored.keyPart, wanted.keyPart) {
    case (let old, let new) where old == new: return nil
    case (0, _): return "it is part of the primary key in the class, but not in the file"
    case (_, 0): return "it is part of the primary key in the file, but not in the class"
    default: return "it has another position in the primary key than in the file"
    }
  }

  /// Returns the reason why stored values do not fit the declared type; nil if they do.
  private static func typeMistake(_ stored: FileAttribute, _ wanted: FileAttribute) -> String? {
    let isSame =
      stored.form == wanted.form && stored.target == wanted.target
      && (stored.kind == wanted.kind || widens(stored, wanted))
    return isSame ? nil : "the file has \(stored.typeName), the class \(wanted.typeName)"
  }

  /// True if every value of the stored type is also a value of the declared type.
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
