import ObjectStore

/// The empty JSON values that an attribute reads as null.
struct EmptyValues: OptionSet {
  var rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `""`.
  static let string = EmptyValues(rawValue: 1)
  /// `false`.
  static let boolean = EmptyValues(rawValue: 2)
  /// `[]`.
  static let array = EmptyValues(rawValue: 4)
  /// An object without members, or with members that are all null.
  static let object = EmptyValues(rawValue: 8)
  /// The values that the attribute lists; see ``NilSpellings``.
  static let listed = EmptyValues(rawValue: 16)

  /// The empty values of an attribute that declares `emptyAsNil`, in place of its value.
  init(inPlaceOf shape: AttributeShape, _ options: FieldOptions) {
    switch shape.form {
    case .scalar, .link:
      self = shape.isOptional ? EmptyValues(inPlaceOf: shape, isRaw: options.raw != nil) : []
    case .list, .set:
      self = options.keyed != nil ? [.string, .boolean, .array] : [.string, .boolean]
      if options.acceptsSingleValue {
        // These may be the only element.
        formIntersection(EmptyValues(inPlaceOf: shape, isRaw: false))
        if shape.scalar?.kind == .json, shape.scalar?.coded == nil { self = [] }
      }
    case .map: self = [.string, .boolean, .array]
    case .linkingObjects: self = []
    }
  }

  /// The empty values in place of an element of a collection.
  init(inPlaceOfElementOf shape: AttributeShape) {
    self = shape.isOptional ? EmptyValues(inPlaceOf: shape, isRaw: false) : []
  }

  /// The empty values that are not values of the type.
  private init(inPlaceOf shape: AttributeShape, isRaw: Bool) {
    self = [.string, .boolean, .array]
    if isRaw { self = .string }
    guard shape.target == nil, let scalar = shape.scalar else { return }
    if scalar.kind == .json, scalar.coded == nil { self = .string }
    if scalar.kind == .bool { remove(.boolean) }
    if scalar.cases?.texts.contains([]) ?? false { remove(.string) }
  }
}
