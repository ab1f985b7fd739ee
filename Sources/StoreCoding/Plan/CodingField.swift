import ObjectStore

/// One attribute's mapping.
final class CodingField {
  let property: Property
  /// Its cell in a row.
  let attribute: Int
  let name: String
  let path: JSONPath
  /// Where the path was declared, for `explain`.
  let declaredBy: String
  /// `Class.attribute`, as messages show it.
  let fullName: String
  let shape: AttributeShape
  let form: AttributeShape.Form
  let scalar: ScalarKind
  let cases: EnumCases?
  let isOptional: Bool
  let dates: [DateCodec]
  let nulls: NullPolicy
  /// What the attribute itself says of nulls; nil where the coder's policy holds.
  let declaredNulls: NullPolicy?
  let mismatches: MismatchPolicy
  /// What the attribute itself says of mismatches; nil where the coder's policy holds.
  let declaredMismatches: MismatchPolicy?
  /// Whether the mismatch policy holds for objects of which no key is known, or no primary key.
  let passesForeignObjects: Bool
  /// Whether a bad element is left out and not the collection.
  let skipsElements: Bool
  /// Whether it declares, or the coder says, how bad values of the objects in it are passed over.
  let decidesInside: Bool
  /// Whether an empty text is read as null.
  let emptyIsNull: Bool
  /// How a JSON subtree is kept as text; nil for an ordinary attribute.
  let raw: RawPolicy?
  let isFlexible: Bool
  /// What stands for an unknown raw value of an enum.
  let unknown: (word: UInt64, text: [UInt8])?
  let isIgnoredInEncoding: Bool
  /// Whether objects are told apart by it, alone or with others.
  let isKey: Bool
  /// Whether it is a key made of other attributes, of which the JSON has nothing.
  let isMade: Bool
  /// Whether a fresh object has a value here; known when an object of the class is encoded.
  private(set) var hasDefault = false
  /// Whether nil is written as null: the attribute says so, or left out it would be read as the default.
  private(set) var writesNil: Bool
  /// Whether the attribute says that nil is written as null.
  let alwaysWritesNil: Bool
  /// Whether a collection is left out while it has no elements: the attribute says so, and left out it is not
  /// read as the default.
  private(set) var omitsEmpty: Bool
  /// Whether the attribute says that a collection is left out while it has no elements.
  let mayOmitEmpty: Bool
  /// Whether primary keys stand for the objects.
  let isByKey: Bool
  /// The plan of the class linked to. Set when all plans of a coder's class are made; plans refer
  /// to each other in circles, and the coder keeps them.
  var target: CodingPlan? {
    get { linkedPlan?.takeUnretainedValue() }
    set { linkedPlan = newValue.map { Unmanaged.passUnretained($0) } }
  }
  /// The same; loops over a payload count no reference for it.
  private(set) var linkedPlan: Unmanaged<CodingPlan>?

  init(
    property: Property, schema: ObjectSchema, path: JSONPath, declaredBy: String,
    dates: [DateCodec], nulls: NullPolicy, declaredNulls: NullPolicy?,
    mismatches: MismatchPolicy, declaredMismatches: MismatchPolicy?, passesForeignObjects: Bool,
    emptyIsNull: Bool,
    raw: RawPolicy?, isFlexible: Bool, unknown: (word: UInt64, text: [UInt8])?,
    alwaysWritesNil: Bool, mayOmitEmpty: Bool, isByKey: Bool, isIgnoredInEncoding: Bool,
    isMade: Bool
  ) {
    self.property = property
    self.path = path
    self.declaredBy = declaredBy
    self.dates = dates
    self.nulls = nulls
    self.declaredNulls = declaredNulls
    self.mismatches = mismatches
    self.declaredMismatches = declaredMismatches
    self.emptyIsNull = emptyIsNull && property.shape.isOptional
    self.passesForeignObjects = passesForeignObjects && property.shape.target != nil
    skipsElements = declaredMismatches == .skipElement && property.shape.isCollection
    decidesInside =
      property.shape.target != nil
      && (declaredMismatches != nil || mismatches != .throw && mismatches != .skipElement)
    self.raw = raw
    self.isFlexible = isFlexible
    self.unknown = unknown
    self.alwaysWritesNil = alwaysWritesNil
    writesNil = alwaysWritesNil
    self.mayOmitEmpty = mayOmitEmpty
    omitsEmpty = mayOmitEmpty
    self.isByKey = isByKey
    self.isIgnoredInEncoding = isIgnoredInEncoding || isMade
    self.isMade = isMade
    attribute = property.attribute(in: schema)
    isKey = property.isPrimaryKey || schema.keyParts.contains(attribute)
    name = property.name
    fullName = "\(schema.className).\(property.name)"
    shape = property.shape
    form = property.shape.form
    scalar = property.shape.scalar?.kind ?? .int
    cases = property.shape.scalar?.cases
    isOptional = property.shape.isOptional
  }

  /// Whether a bad value leaves the rest of its object as it is.
  var passesOver: Bool { mismatches != .throw && mismatches != .skipElement }

  /// What the attribute says of the objects around a bad value that it does not pass over; nil where
  /// they, or the coder, decide.
  var errorPolicy: MismatchPolicy? {
    switch declaredMismatches {
    case .throw, .skipElement: declaredMismatches
    // Lenient, but for what nothing may stand in for: a key.
    case .skipAttribute, .useDefault, nil: nil
    }
  }

  /// The same of a null that it refuses: only an element around it may say that it is left out.
  var nullRefusalPolicy: MismatchPolicy? {
    guard declaredNulls == .fail else { return errorPolicy }
    return declaredMismatches == .skipElement ? .skipElement : .throw
  }

  /// Whether an object may be written without it.
  var mayBeLeftOut: Bool {
    isIgnoredInEncoding || mayOmitEmpty
      || !shape.isCollection && (isOptional || form == .link || raw != nil || leavesOutJSONNull)
  }

  /// Whether null may stand in an array where the attribute is left out: read again, it leaves it as
  /// it is. What the coder's policy or the default of an object makes of it, ``nullRefusal`` tells.
  var mayStandAsNull: Bool {
    guard !isIgnoredInEncoding else { return false }
    return switch nulls {
    case .skip: true
    case .clear, .default: raw == nil && scalar != .json
    case .fail: declaredNulls == nil
    }
  }

  /// Why null cannot stand for the attribute where it is nil; nil if it can.
  var nullRefusal: String? {
    switch nulls {
    case .clear, .skip: nil
    case .default: hasDefault ? "\(article) that takes its default instead" : nil
    case .fail: "\(article) that refuses it"
    }
  }

  /// Notes what an attribute means that is left out, of an object that is only just made; nil for one
  /// that has no values but zero and null.
  func noteDefault(of fresh: ObjectBase?) {
    if shape.isCollection {
      let elements = fresh?[name] as? any Sequence
      omitsEmpty = mayOmitEmpty && (elements.map { ObjectEncoder.elements($0).isEmpty } ?? true)
      return
    }
    hasDefault = fresh.map { $0[name] != nil } ?? !isOptional
    writesNil = alwaysWritesNil || hasDefault && isOptional && nulls == .clear
  }

  /// `an Int`, `a String`.
  var article: String {
    "\("AEIO".contains(shape.name.first ?? "-") ? "an" : "a") \(shape.name)"
  }

  /// Whether a JSON null, also as raw text, is left out when it is written: read again, it would not be that
  /// value.
  var leavesOutJSONNull: Bool {
    keepsJSON && (isOptional || nulls != .clear)
  }

  /// Whether it is any one JSON value, as a value or as text.
  var keepsJSON: Bool { form == .scalar && (raw != nil || scalar == .json) }

  /// What is wrong with the attribute's declarations by themselves.
  var mistakes: [String] {
    var mistakes: [String] = []
    if isKey {
      let sentence = "nothing takes the place of a primary key: it cannot be "
      if let policy = declaredMismatches, policy == .skipAttribute || policy == .useDefault {
        mistakes.append(sentence + "mismatch(\(policy))")
      }
      if let policy = declaredNulls, policy == .skip || policy == .default {
        mistakes.append(sentence + "null(\(policy))")
      }
    }
    if let writtenNilMistake { mistakes.append(writtenNilMistake) }
    return mistakes
  }

  /// Why an attribute that declares `writesNil` may not: nil would not be read back. Nil if it may.
  private var writtenNilMistake: String? {
    guard alwaysWritesNil, !isIgnoredInEncoding else { return nil }
    return switch nulls {
    case .clear, .skip: nil
    case .default: "nil is written as null, which its null policy 'default' reads as the default"
    case .fail: "nil is written as null, which its null policy 'fail' refuses"
    }
  }

  /// The type as messages show it: `a date (yyyy-MM-dd)`, `Int`, `one of guest, admin`; clipped.
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
    if let target { return element ? target.className : shape.name }
    if scalar == .date { return "a date (\(dates.map(\.format.name).joined(separator: ", ")))" }
    if let cases {
      let texts = cases.texts.map { String(decoding: $0, as: UTF8.self) }
      let numbers = cases.words.map { "\(Int64(bitPattern: $0))" }
      return "\(cases.typeName) (\((texts + numbers).joined(separator: ", ")))"
    }
    if scalar == .data { return "Data (base64)" }
    return element ? scalar.name : shape.name
  }
}
