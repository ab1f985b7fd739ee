import ObjectStore

/// The options declared for one attribute, one property per kind. Nil and false stand for options that are absent.
struct FieldOptions {
  var dates: [DateFormat]?
  var nulls: AttributePolicy.Nulls?
  var mismatches: AttributePolicy.Mismatches?
  var raw: AttributePolicy.RawValues?
  var unknown: (word: UInt64, text: [UInt8])?
  var isFlexible = false
  var emptyAsNil = false
  var nilValues: [JSONValue] = []
  var writesNil = false
  var omitsEmpty = false
  var isLocal = false
  var isUnread = false
  var isByKey = false
  var isInPlace = false
  var keyed: AttributePolicy.MemberNames?
  /// True for the links of a JSON:API resource. Not declared by an option.
  var isByIdentifier = false
  var acceptsSingleValue = false
  var coding: _AnyValueCoding?
  var stringFractionDigits: Int?
  var base64: AttributePolicy.Base64?
  var aliases: [String] = []

  /// Collects the options. Of two options of one kind, the last one applies; aliases add up.
  init(_ options: [CodingOption]) {
    for option in options {
      switch option {
      case .dates(let formats): dates = formats
      case .null(let policy): nulls = policy
      case .mismatch(let policy): mismatches = policy
      case .raw(let policy): raw = policy
      case .flexible: isFlexible = true
      case .emptyAsNil: emptyAsNil = true
      case .nilWhen(let values): nilValues = values
      case .unknown(let word, let text): unknown = (word, text)
      case .writesNil: writesNil = true
      case .omitsEmpty: omitsEmpty = true
      case .local, .placeholder: isLocal = true
      case .unread: isUnread = true
      case .byKey: isByKey = true
      case .inPlace: isInPlace = true
      case .keyed(let names): keyed = names
      case .acceptsSingleValue: acceptsSingleValue = true
      case .coding(let coding): self.coding = coding
      case .string(let fractionDigits): stringFractionDigits = fractionDigits
      case .base64(let form): base64 = form
      case .aliases(let paths): aliases += paths
      }
    }
  }
}

extension CodingOption {
  /// The name of an option about the attribute's value in JSON; nil for options that select the attribute's part in it.
  var nameInJSON: String? {
    switch self {
    case .dates: "date"
    case .null: "null"
    case .mismatch: "mismatch"
    case .raw: "raw"
    case .flexible: "flexible"
    case .emptyAsNil: "emptyAsNil"
    case .nilWhen: "nilWhen"
    case .unknown: "unknown"
    case .writesNil: "writesNil"
    case .omitsEmpty: "omitsEmpty"
    case .byKey: "byKey"
    case .inPlace: "inPlace"
    case .keyed: "keyed"
    case .acceptsSingleValue: "acceptsSingleValue"
    case .coding: "coding"
    case .string: "asString"
    case .base64: "base64"
    case .local, .placeholder, .unread, .aliases: nil
    }
  }
}
