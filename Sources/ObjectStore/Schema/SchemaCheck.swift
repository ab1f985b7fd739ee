/// Finds the mistakes in a schema that do not depend on other classes, and suggests corrections.
struct SchemaCheck {
  private(set) var attributeMistakes: [String] = []
  private(set) var codingMistakes: [String] = []

  private let properties: [Property]
  private let propertyByName: [ExactString: Property]
  private let className: String
  private let isEmbedded: Bool
  private let declarations: ClassDeclarations

  init(
    _ className: String, isEmbedded: Bool, tracksEdits: Bool = false, _ properties: [Property],
    _ declarations: ClassDeclarations
  ) {
    self.className = className
    self.isEmbedded = isEmbedded
    self.properties = properties
    propertyByName = Dictionary(
      properties.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    self.declarations = declarations
    guard properties.count <= Self.attributeLimit else {
      report(": \(properties.count) attributes are more than the limit of \(Self.attributeLimit)")
      return
    }
    checkNames()
    checkKeys()
    checkTracking(tracksEdits)
    checkCompoundKey()
    checkIndexes()
    checkCompoundIndexes()
    checkOrigins()
    checkOptions()
    checkCoding()
  }

  private func property(_ name: String) -> Property? { propertyByName[ExactString(name)] }

  private mutating func report(_ text: String) { attributeMistakes.append("\(className)\(text)") }

  /// Returns the message for a name that is not an attribute.
  static func unknownName(_ name: String, among properties: [Property]) -> String {
    let suggestion = Suggestion.nearest(to: name, among: properties.map(\.name))
    return "'\(name)' is not an attribute" + Suggestion.clause(suggestion)
  }

  private mutating func checkNames() {
    var seen: Set<ExactString> = []
    for property in properties where !seen.insert(ExactString(property.name)).inserted {
      report(".\(property.name): declared twice")
    }
  }

  private mutating func checkTracking(_ tracksEdits: Bool) {
    if tracksEdits, !properties.contains(where: \.isPrimaryKey) {
      report(": it has no primary key, which a class that tracks edits needs")
    }
    if className.hasSuffix(ObjectSchema.baseSuffix) {
      report(": names that end in '\(ObjectSchema.baseSuffix)' are reserved")
    }
  }

  /// The maximum number of attributes. Column indexes, including those of the engine's own columns, must fit in 16
  /// bits.
  private static let attributeLimit = 10_000

  private mutating func checkKeys() {
    let keys = properties.filter(\.isPrimaryKey)
    if keys.count > 1 {
      report(": more than one primary key: \(keys.map(\.name).joined(separator: ", "))")
    }
    for key in keys {
      if isEmbedded {
        report(".\(key.name): an embedded object cannot have a primary key")
      }
      if key.shape.form != .scalar || !(key.shape.scalar?.kind.canBeKey ?? false)
        || key.shape.scalar?.cases != nil
      {
        report(
          ".\(key.name): \(key.shape.name) cannot be a primary key; "
            + "use an integer, String or UUID")
      } else if key.isOptional {
        report(".\(key.name): a primary key cannot be optional")
      }
    }
  }

  private mutating func checkCompoundKey() {
    let names = declarations.compoundKey
    if names.isEmpty { return }
    let declaration = "\(declarations.compoundKeyClass).compoundKey"
    let text = ClassDeclarations.Index.text(names)
    func report(_ mistake: String) { attributeMistakes.append("\(declaration): \(mistake)") }
    let key = properties.first(where: \.isPrimaryKey)
    if isEmbedded {
      report("an embedded object cannot have a primary key")
    } else if let key, key.shape.form != .scalar || key.shape.scalar?.kind != .string {
      report("the primary key '\(key.name)' is \(key.shape.name); a compound key is a String")
    } else if key == nil {
      report("no attribute is the primary key for \(text); declare a String for it")
    }
    let size = CompoundKeyString.size
    if names.count == 1 {
      report("\(text) is a single attribute; declare it as the primary key instead")
    } else if !size.contains(names.count) {
      report("\(text) has \(names.count) attributes; name \(size.lowerBound) to \(size.upperBound)")
    }
    var seen: Set<ExactString> = []
    for name in names {
      if !seen.insert(ExactString(name)).inserted {
        report("\(text) names '\(name)' twice")
      } else if let property = property(name) {
        if property.isPrimaryKey {
          report("'\(name)' is the primary key, which cannot be a part of itself")
        } else if !property.canBeKeyPart {
          report(
            "'\(name)' is \(property.shape.name), which cannot be part of a key; "
              + "use integers, Strings and UUIDs")
        } else if property.isOptional {
          report("'\(name)' is \(property.shape.name), but a part of a key cannot be nil")
        }
      } else {
        report(Self.unknownName(name, among: attributeMistakes.count < 20 ? properties : []))
      }
    }
  }

  private mutating func checkIndexes() {
    for property in properties where property.isIndexed && property.indexKey == nil {
      report(".\(property.name): \(property.shape.name) cannot be indexed")
    }
    for property in properties where property.isSearchable && !property.hasWords {
      report(".\(property.name): \(property.shape.name) cannot be searchable; use a String")
    }
  }

  private mutating func checkCompoundIndexes() {
    var seen: Set<[ExactString]> = []
    for index in declarations.indexes {
      let text = ClassDeclarations.Index.text(index.names)
      func report(_ mistake: String) {
        attributeMistakes.append("\(index.className).indexes: \(mistake)")
      }
      if !seen.insert(index.names.map { ExactString($0) }).inserted {
        report("\(text) is declared twice")
      }
      let (count, size) = (index.names.count, CompoundIndex.size)
      if count == 1 {
        report("\(text) is a single attribute; declare it as indexed instead")
      } else if !size.contains(count) {
        report("\(text) has \(count) attributes; name \(size.lowerBound) to \(size.upperBound)")
      }
      var names: Set<ExactString> = []
      for name in index.names {
        if !names.insert(ExactString(name)).inserted {
          report("\(text) names '\(name)' twice")
        } else if let property = property(name) {
          if property.indexKey == nil {
            report("'\(name)' is \(property.shape.name), which cannot be indexed")
          }
        } else {
          report(Self.unknownName(name, among: attributeMistakes.count < 20 ? properties : []))
        }
      }
    }
  }

  private mutating func checkOrigins() {
    for property in properties where property.originPropertyName != nil && property.isStored {
      report(
        ".\(property.name): \(property.shape.name) is not an inverse link and cannot have an originProperty"
      )
    }
  }

  // MARK: - JSON

  /// Checks that options apply to the types of their attributes. The compiler checks declared classes, but schemas
  /// created at run time may combine any option with any type.
  private mutating func checkOptions() {
    for (option, name) in [(Property.Option.unread, "unread"), (.placeholder, "placeholder")] {
      let names = properties.filter { $0.options.contains(option) }.map(\.name)
      if names.count > 1 {
        report(": more than one attribute is '\(name)': \(names.joined(separator: ", "))")
      }
    }
    for property in properties {
      if !property.isStored, property.declaredKey != nil || !property.options.isEmpty {
        report(
          ".\(property.name): \(property.shape.name) is computed and cannot have a key or options")
        continue
      }
      if property.options.contains(.placeholder), !properties.contains(where: \.isPrimaryKey) {
        report(".\(property.name): 'placeholder' needs a class with a primary key")
      }
      for option in property.options {
        guard let needed = Self.misfit(option, property.shape) else { continue }
        report(
          ".\(property.name): the type is \(property.shape.name), but the option requires \(needed)"
        )
      }
    }
  }

  /// Returns the type that an option requires; nil if the shape has it.
  private static func misfit(_ option: Property.Option, _ shape: AttributeShape) -> String? {
    let kind = shape.target == nil ? shape.scalar?.kind : nil
    switch option {
    case .raw: return kind == .string && shape.form == .scalar ? nil : "a String"
    case .dates: return kind == .date ? nil : "a Date"
    case .unknown: return shape.scalar?.cases != nil ? nil : "an enum"
    case .emptyAsNil:
      return shape.isOptional || shape.isCollection ? nil : "an optional or a collection"
    case .nilWhen: return shape.isOptional ? nil : "a value or elements that can be nil"
    case .writesNil:
      return shape.isOptional && !shape.isCollection ? nil : "a value that can be nil"
    case .omitsEmpty: return shape.isCollection ? nil : "a collection"
    case .inPlace:
      return shape.target != nil && !shape.isCollection ? nil : "an embedded object"
    case .byKey: return shape.target != nil ? nil : "objects with a primary key"
    case .keyed(.primaryKey):
      return shape.target != nil && shape.isCollection ? nil : "a collection of objects"
    case .keyed(.anyName):
      return shape.target != nil && (shape.form == .list || shape.form == .set)
        ? nil : "a list or a set of objects"
    case .acceptsSingleValue:
      return shape.form == .list || shape.form == .set ? nil : "a list or a set"
    case .flexible: return shape.target == nil ? nil : "a value"
    case .coding(let coding): return kind == coding.kind ? nil : coding.kind.name
    case .string: return kind?.isNumber ?? false ? nil : "a number"
    case .base64: return kind == .data ? nil : "Data"
    case .unread:
      return kind == .json && shape.form == .scalar && shape.scalar?.coded == nil
        && !shape.isOptional ? nil : "a JSONValue"
    case .placeholder:
      return kind == .bool && shape.form == .scalar && !shape.isOptional ? nil : "a Bool"
    case .null, .mismatch, .aliases, .local: return nil
    }
  }

  private static func sorted<Value>(
    _ names: [ExactString: Value]
  ) -> [(name: String, value: Value)] {
    names.map { (name: $0.key.text, value: $0.value) }.sorted(byBytesOf: \.name)
  }

  private mutating func checkCoding() {
    for (name, key) in Self.sorted(declarations.keys) {
      let declaration = "\(key.className).codableKeys"
      if checkName(name, declaration), let computed = property(name), !computed.isStored {
        codingMistakes.append(
          "\(declaration): '\(name)' is \(computed.shape.name), which is computed and cannot have a key"
        )
      }
    }
    for (name, className) in Self.sorted(declarations.ignoredNames) {
      let declaration = "\(className).codableIgnoredAttributes"
      guard checkName(name, declaration), let property = property(name) else { continue }
      if declarations.compoundKey.contains(where: { $0.hasSameBytes(as: name) }) {
        codingMistakes.append(
          "\(declaration): '\(name)' is part of the primary key and cannot be ignored")
      } else if property.isPrimaryKey, declarations.compoundKey.isEmpty {
        codingMistakes.append("\(declaration): the primary key '\(name)' cannot be ignored")
      }
    }
    for (name, className) in Self.sorted(declarations.alwaysEncodedNames) {
      let declaration = "\(className).codableAlwaysEncoded"
      guard checkName(name, declaration), let property = property(name) else { continue }
      let isNeverEncoded =
        !property.isStored || declarations.ignoredNames[ExactString(name)] != nil
        || property.options.contains(where: \.preventsEncoding)
      if isNeverEncoded {
        codingMistakes.append("\(declaration): '\(name)' is never encoded")
      }
    }
    for (name, className) in Self.sorted(declarations.rawNames) {
      let declaration = "\(className).codableRawJsonSubstrings"
      if checkName(name, declaration), let raw = property(name),
        raw.shape.form != .scalar || raw.shape.scalar?.kind != .string
      {
        codingMistakes.append(
          "\(declaration): '\(name)' is \(raw.shape.name); only a String keeps raw JSON")
      }
    }
  }

  private mutating func checkName(_ name: String, _ declaration: String) -> Bool {
    if property(name) != nil { return true }
    // Finding a suggestion compares the name with all others. That is worthwhile for a few typos, but not if the names
    // are those of another class.
    let candidates = codingMistakes.count < 20 ? properties : []
    codingMistakes.append("\(declaration): \(Self.unknownName(name, among: candidates))")
    return false
  }
}
