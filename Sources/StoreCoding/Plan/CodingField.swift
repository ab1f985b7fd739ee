import ObjectStore

/// The mapping of one attribute.
final class CodingField {
  let property: Property
  /// The index of its cell in a row.
  let attribute: Int
  let name: String
  let path: JSONPath
  /// True if the elements are not the values, but contain them at the `elementPath` of the path or of an alias.
  let hasElementPath: Bool
  /// The paths that are read if `path` is absent, in order.
  let aliases: [JSONPath]
  /// The index among the fields with aliases. Set by the plan.
  var aliasSlot = 0
  /// The location of the path's declaration, for `explain`.
  let declaredBy: String
  /// `Class.attribute`, for error messages.
  let fullName: String
  let shape: AttributeShape
  let form: AttributeShape.Form
  let scalar: ScalarKind
  let cases: EnumCases?
  /// The Codable type of a value that is stored as JSON; nil for other types.
  let coded: CodedType?
  /// True if JSON's null is a value of the type.
  let acceptsNull: Bool
  let isOptional: Bool
  let dates: [DateCodec]
  let nulls: AttributePolicy.Nulls
  /// The null policy declared by the attribute; nil to use the coder's.
  let declaredNulls: AttributePolicy.Nulls?
  let mismatches: AttributePolicy.Mismatches
  /// The mismatch policy declared by the attribute; nil to use the coder's.
  let declaredMismatches: AttributePolicy.Mismatches?
  /// True if the mismatch policy applies to objects without a known key or without a primary key.
  let skipsForeignObjects: Bool
  /// True if a bad element is skipped instead of the collection.
  let skipsElements: Bool
  /// True if the attribute or the coder has a policy for bad values of the objects in this attribute.
  let setsInnerPolicy: Bool
  /// The values that are read as null.
  let emptyValues: EmptyValues
  /// The elements that are read as null.
  let emptyElements: EmptyValues
  /// The values that the attribute lists as spellings of nil.
  let nilSpellings: NilSpellings
  /// The policy for keeping a JSON subtree as text; nil for an ordinary attribute.
  let raw: AttributePolicy.RawValues?
  let isFlexible: Bool
  /// True if a number or a string may be read from a Boolean.
  let convertsBooleans: Bool
  /// True if values are read as their type declares, without conversions.
  let isPlain: Bool
  /// True if values are written in another form than that of their type: converted by code, or numbers as strings.
  let isConverted: Bool
  /// The fallback for an unknown raw value of an enum.
  let unknown: (word: UInt64, text: [UInt8])?
  let isIgnoredInEncoding: Bool
  /// True if the attribute has no part in JSON.
  let isLocal: Bool
  /// True if the attribute keeps the members that no attribute reads.
  let isUnread: Bool
  /// True if the attribute is the primary key or a part of it.
  let isKey: Bool
  /// True if the attribute is at a path in the JSON.
  var hasPath: Bool { !isSynthesized && !isLocal && !isUnread }
  /// True for a compound key that is synthesized from other attributes and is absent from the JSON.
  let isSynthesized: Bool
  /// True if the attribute is not nil in a new object. Set when an object of the class is first encoded.
  private(set) var hasDefault = false
  /// True if nil is written as null, because the attribute declares it, or because omitting it would be read as the
  /// default.
  private(set) var writesNil: Bool
  /// True if the attribute declares that nil is written as null.
  let alwaysWritesNil: Bool
  /// True if an empty collection is omitted: the attribute declares it, and its default is empty as well.
  private(set) var omitsEmpty: Bool
  /// True if the attribute declares that an empty collection is omitted.
  let mayOmitEmpty: Bool
  /// Converts the values with user code; nil if they have the form of their type.
  let coding: _AnyValueCoding?
  /// The minimum number of fraction digits of numbers that are written as strings; nil for other attributes.
  let stringFractionDigits: Int?
  /// The form of Base64 to write; nil for the standard form, which is then the only one that is read.
  let base64: AttributePolicy.Base64?
  /// True if objects are represented by their primary keys.
  let isByKey: Bool
  /// True if a payload updates the embedded object instead of replacing it.
  let isInPlace: Bool
  /// True if objects are represented by JSON:API resource identifiers: `{"type": "people", "id": "9"}`.
  let isByIdentifier: Bool
  /// True if a collection of objects is represented as the members of an object.
  let isKeyed: Bool
  /// True if the names of these members are the primary keys of the objects.
  let hasKeysAsNames: Bool
  /// True if a value that is not an array is read as a collection of one element.
  let acceptsSingleValue: Bool
  /// The plan of the linked class. Set when all plans that are built together exist. Plans refer to each other in
  /// cycles and are owned by the coder.
  var target: CodingPlan? {
    get { linkedPlan?.takeUnretainedValue() }
    set { linkedPlan = newValue.map { Unmanaged.passUnretained($0) } }
  }
  /// The plan of the linked class, without reference counting, for loops over a payload.
  private(set) var linkedPlan: Unmanaged<CodingPlan>?

  init(
    _ property: Property, of schema: ObjectSchema, path: JSONPath, aliases: [JSONPath],
    declaredBy: String, dates: [DateCodec], _ options: FieldOptions, readsEmptyText: Bool,
    linksToKeys: Bool, _ configuration: CodingConfiguration, isIgnoredInEncoding: Bool,
    isSynthesized: Bool
  ) {
    self.property = property
    self.path = path
    hasElementPath = ([path] + aliases).contains { !($0.elementPath ?? []).isEmpty }
    self.aliases = aliases
    self.declaredBy = declaredBy
    self.dates = dates
    nulls = options.nulls ?? configuration.nulls
    declaredNulls = options.nulls
    mismatches = options.mismatches ?? configuration.mismatches
    declaredMismatches = options.mismatches
    let readsEmpty = options.emptyAsNil || configuration.emptyAsNil && !readsEmptyText
    nilSpellings = NilSpellings(options.nilValues)
    var emptyValues: EmptyValues =
      readsEmpty || configuration.emptyAsNil && property.shape.isCollection
      ? EmptyValues(inPlaceOf: property.shape, options) : []
    var emptyElements = readsEmpty ? EmptyValues(inPlaceOfElementOf: property.shape) : []
    // An object without a primary key may have no members.
    if readsEmpty, linksToKeys, property.shape.isOptional { emptyElements.insert(.object) }
    if !options.nilValues.isEmpty { emptyElements.insert(.listed) }
    if !property.shape.isCollection {
      emptyValues.formUnion(emptyElements.intersection([.object, .listed]))
    }
    self.emptyValues = emptyValues
    self.emptyElements = emptyElements
    skipsForeignObjects =
      property.shape.target != nil
      && (options.mismatches != nil || !configuration.rejectsForeignObjects)
    skipsElements = options.mismatches == .skipElement && property.shape.isCollection
    setsInnerPolicy =
      property.shape.target != nil
      && (options.mismatches != nil || mismatches != .throw && mismatches != .skipElement)
    raw = options.raw
    convertsBooleans = options.isFlexible || configuration.isFlexible
    isFlexible = convertsBooleans || options.stringFractionDigits != nil
    coding = options.coding
    stringFractionDigits = options.stringFractionDigits
    base64 = options.base64
    unknown = options.unknown
    alwaysWritesNil = options.writesNil
    writesNil = options.writesNil
    mayOmitEmpty = options.omitsEmpty
    omitsEmpty = options.omitsEmpty
    isByKey = options.isByKey
    isInPlace = options.isInPlace
    isByIdentifier = options.isByIdentifier
    isKeyed = options.keyed != nil
    hasKeysAsNames = options.keyed == .primaryKey
    acceptsSingleValue = options.acceptsSingleValue
    isLocal = options.isLocal
    isUnread = options.isUnread
    self.isIgnoredInEncoding =
      isIgnoredInEncoding || isSynthesized
      || property.options.contains(where: \.preventsEncoding)
    self.isSynthesized = isSynthesized
    attribute = property.attribute(in: schema)
    isKey = property.isPrimaryKey || schema.keyParts.contains(attribute)
    name = property.name
    fullName = "\(schema.className).\(property.name)"
    shape = property.shape
    form = property.shape.form
    scalar = property.shape.scalar?.kind ?? .int
    cases = property.shape.scalar?.cases
    coded = property.shape.scalar?.coded
    acceptsNull = property.shape.scalar?.acceptsNull ?? false
    isPlain = raw == nil && cases == nil && !isFlexible && coding == nil
    isConverted = coding != nil || stringFractionDigits != nil
    isOptional = property.shape.isOptional
  }

  /// True if a bad value is skipped and the rest of its object is kept.
  var skipsBadValue: Bool { mismatches != .throw && mismatches != .skipElement }

  /// The policy of the attribute for enclosing objects if it does not skip a bad value itself; nil to let them
  /// or the coder decide.
  var errorPolicy: AttributePolicy.Mismatches? {
    switch declaredMismatches {
    case .throw, .skipElement: declaredMismatches
    // A lenient policy skips or replaces the value and imposes nothing on enclosing objects.
    case .skipAttribute, .useDefault, nil: nil
    }
  }

  /// The policy for a null that the attribute rejects. A declared `fail` throws, unless `skipElement` is
  /// declared as well.
  var nullRejectionPolicy: AttributePolicy.Mismatches? {
    guard declaredNulls == .fail else { return errorPolicy }
    return declaredMismatches == .skipElement ? .skipElement : .throw
  }

  /// True if an object may be encoded without the attribute.
  var mayBeOmitted: Bool {
    isIgnoredInEncoding || mayOmitEmpty
      || !shape.isCollection && (isOptional || form == .link || raw != nil || omitsJSONNull)
  }

  /// True if a null in an array can represent an omitted attribute, because it reads back as the omitted value. The
  /// coder's policy and the object's default are covered by ``nullRejection``.
  var mayBeNullInArray: Bool {
    guard !isIgnoredInEncoding else { return false }
    return switch nulls {
    case .skip: true
    case .clear, .default: raw == nil && !acceptsNull
    case .fail: declaredNulls == nil
    }
  }

  /// The reason why null cannot represent the attribute if it is nil, or nil if it can.
  var nullRejection: String? {
    switch nulls {
    case .clear, .skip: nil
    case .default: hasDefault ? "\(article) that takes its default instead" : nil
    case .fail: "\(article) that rejects it"
    }
  }

  /// Records the meaning of an omitted attribute, using the defaults of `newObject`, which is nil for a class whose
  /// only defaults are zero and null. Returns true if the meaning has changed.
  func recordDefault(of newObject: ObjectBase?) -> Bool {
    let (hadDefault, wroteNil, omittedEmpty) = (hasDefault, writesNil, omitsEmpty)
    if shape.isCollection {
      let elements = newObject?[name] as? any Sequence
      omitsEmpty = mayOmitEmpty && (elements.map { Self.isEmpty($0) } ?? true)
      return omitsEmpty != omittedEmpty
    }
    hasDefault = newObject.map { $0[name] != nil } ?? !isOptional
    writesNil = alwaysWritesNil || hasDefault && isOptional && nulls == .clear
    return hasDefault != hadDefault || writesNil != wroteNil
  }

  /// True if a value or element of this JSON is read as nil.
  func readsAsNil(_ json: JSONValue) -> Bool {
    if nilSpellings.contains(json) { return true }
    let empty = form == .scalar ? emptyValues : emptyElements
    return switch json {
    case "": empty.contains(.string)
    case false: empty.contains(.boolean)
    case []: empty.contains(.array)
    default: false
    }
  }

  static func isEmpty(_ elements: some Sequence) -> Bool { !elements.contains { _ in true } }

  /// The type with its article: `an Int`, `a String`.
  var article: String { Self.withArticle(shape.name) }

  static func withArticle(_ name: String) -> String {
    "\("AEIO".contains(name.first ?? "-") ? "an" : "a") \(name)"
  }

  /// True if a JSON null, as a value or in raw text, is omitted when encoding, because it would not read back as
  /// that value.
  var omitsJSONNull: Bool {
    keepsJSON && coding == nil && (isOptional || nulls != .clear)
  }

  /// True if the attribute holds JSON's null, as a value or as text.
  var keepsJSON: Bool { form == .scalar && (raw != nil || acceptsNull) }

  /// The mistakes in the attribute's own declarations.
  var mistakes: [String] {
    var mistakes: [String] = []
    if isKey {
      let sentence = "a primary key cannot be skipped or replaced: remove "
      if let policy = declaredMismatches, policy == .skipAttribute || policy == .useDefault {
        mistakes.append(sentence + "mismatch(\(policy))")
      }
      if let policy = declaredNulls, policy == .skip || policy == .default {
        mistakes.append(sentence + "null(\(policy))")
      }
    }
    if isLocal {
      if isKey { mistakes.append("a primary key cannot be local") }
      if isUnread { mistakes.append("'unread' cannot be combined with 'local'") }
      let kind = property.options.contains(.placeholder) ? "placeholder" : "local"
      var names: [String] = []
      for name in property.options.compactMap(\.nameInJSON) where !names.contains(name) {
        names.append(name)
        mistakes.append("'\(name)' cannot be combined with '\(kind)', which has no value in JSON")
      }
    }
    if isKeyed, !hasKeysAsNames, mayOmitEmpty {
      mistakes.append(
        "'omitsEmpty' cannot be combined with 'keyed(.anyName)', which is never encoded")
    }
    if coding != nil {
      for (name, isDeclared) in declaredForms where isDeclared {
        mistakes.append("'coding' cannot be combined with '\(name)'")
      }
    }
    if let digits = stringFractionDigits, !(0...38).contains(digits) {
      mistakes.append("\(digits) is not a number of fraction digits from 0 to 38")
    }
    if let writtenNilMistake { mistakes.append(writtenNilMistake) }
    if let mistake = nilSpellings.mistake { mistakes.append(mistake) }
    return mistakes
  }

  /// The options that determine the form of a value, and whether they are declared.
  private var declaredForms: [(String, Bool)] {
    [
      ("raw", raw != nil), ("unknown", unknown != nil), ("base64", base64 != nil),
      ("asString", stringFractionDigits != nil),
      (
        "date",
        property.options.contains { if case .dates = $0 { true } else { false } }
      ), ("flexible", property.options.contains(.flexible)),
    ]
  }

  /// The mistake of an attribute that declares `writesNil` although the null would not read back as nil;
  /// otherwise nil.
  private var writtenNilMistake: String? {
    guard alwaysWritesNil, !isIgnoredInEncoding else { return nil }
    return switch nulls {
    case .clear, .skip: nil
    case .default: "nil is written as null, which its null policy 'default' reads as the default"
    case .fail: "nil is written as null, which its null policy 'fail' rejects"
    }
  }

  /// The expected type for error messages: `a date (yyyy-MM-dd)`, `Int`, `Role (guest, admin)`; for objects that are
  /// represented by keys, the expected JSON; clipped.
  func expected(element: Bool = false) -> String {
    element ? expectedElement : expectedValue
  }

  private lazy var expectedValue = expectedText(element: false)
  private lazy var expectedElement = expectedText(element: true)

  private func expectedText(element: Bool) -> String {
    MessageText.clipped(
      wholeExpectedText(element: element), characterCount: 240, byteCount: 240)
  }

  private func wholeExpectedText(element: Bool) -> String {
    if let target {
      if isByKey { return expectedKeys(of: target, element: element) }
      if element { return target.className }
      if !isKeyed { return shape.name }
      return hasKeysAsNames
        ? "an object whose names are the keys of \(target.className) objects"
        : "an object whose members are \(target.className) objects"
    }
    if let coding { return "a value for \(coding.name)" }
    if scalar == .date { return "a date (\(dates.map(\.format.name).joined(separator: ", ")))" }
    if let cases {
      let texts = cases.texts.map { String(decoding: $0, as: UTF8.self) }
      let numbers = cases.words.map { "\(Int64(bitPattern: $0))" }
      return "\(cases.typeName) (\((texts + numbers).joined(separator: ", ")))"
    }
    if scalar == .data { return "Data (base64)" }
    return element ? scalar.name : shape.name
  }

  /// The expected JSON of an attribute with links by key.
  private func expectedKeys(of target: CodingPlan, element: Bool) -> String {
    switch form {
    case .list where !element, .set where !element:
      "an array of keys of \(target.className) objects"
    case .map where !element: "an object whose values are keys of \(target.className) objects"
    default: target.expectedKeyOrObject
    }
  }
}

extension CodingPlan {
  /// The expected JSON of a value that is a primary key or an object, for error messages: `the key of a User (Int), or an
  /// object`.
  var expectedKeyOrObject: String {
    guard let keyField, !hasCompoundKey else { return className }
    return "the key of \(CodingField.withArticle(className)) (\(keyField.expected())), or an object"
  }
}
