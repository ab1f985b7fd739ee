import ObjectStore

/// An attribute of a model: the inferred attribute, with a narrower type if the notation of all values permits it.
struct RefinedAttribute {
  private(set) var property: Property
  let member: ObjectShape.Member
  /// The Swift type if it is not that of the property.
  var typeName: String?
  /// The number of objects without the attribute.
  private let absent: Int

  init(_ property: Property, _ member: ObjectShape.Member, absent: Int, path: String?) {
    self.property = property.with(property.shape, json: path, property.options)
    self.member = member
    self.absent = absent
  }

  /// Declares the spellings of the key in other files.
  /// - Parameter isFree: A function that returns true if no other attribute has this key.
  mutating func setAliases(_ isFree: (String) -> Bool) {
    let aliases = member.aliases.filter(isFree)
    if !aliases.isEmpty { add(.aliases(aliases)) }
    if aliases.count < member.aliases.count, !property.shape.isCollection, !property.isPrimaryKey {
      // The counts include values of the other attribute.
      property = Property(
        property.name, property.shape, isOptional: true, json: property.declaredKey,
        options: property.options)
    }
  }

  /// Declares a map of objects as a keyed list if the names are the keys, which the objects contain.
  /// - Parameter key: The primary key of the objects.
  mutating func setKeyed(by key: String?) {
    guard property.shape.form == .map, let key, member.shape.object?.keyAsName == key,
      let target = property.objectClassName
    else { return }
    property = property.with(
      .list(target), json: property.declaredKey, property.options + [.keyed(.primaryKey)])
  }

  /// Declares dates, amounts and nested arrays.
  mutating func setType() {
    if let element = nestedElement {
      typeName = "Coded<\(element)>"
      let shape = member.shape
      property = Property(
        property.name, .json, isOptional: shape.nulls + absent > 0, json: property.declaredKey,
        options: property.options.filter(\.isAliases)
          + (shape.nulls > 0 && absent == 0 ? [.writesNil] : []))
    } else if let form = dateForm {
      property = property.with(element: .date)
      if form.format != .iso8601 { add(.dates([form.format])) }
    } else if let digits = fractionDigits {
      property = property.with(element: .decimal)
      add(.string(fractionDigits: digits))
    }
  }

  private mutating func add(_ option: Property.Option) {
    property = property.with(
      property.shape, json: property.declaredKey, property.options + [option])
  }

  /// The values, or the elements of a collection. Nil if elements may be null.
  var values: Shape? {
    guard property.shape.isCollection else { return member.shape }
    return property.isOptional ? nil : member.shape.elements
  }

  /// The notation of the dates; nil if the values are not dates.
  private var dateForm: DateForm? {
    guard property.type == .string || property.type == .int, let values,
      let form = values.samples?.dateForm.value,
      form.isDate(member.name, count: values.count - values.nulls)
    else { return nil }
    return form
  }

  /// The number of fraction digits of amounts such as `"199.00"`; nil if the values are something else.
  private var fractionDigits: Int? {
    guard property.type == .string, property.shape.form == .scalar,
      !ModelRules.amountWords.isDisjoint(with: NameWords.words(member.name))
    else { return nil }
    return values?.samples?.fractionDigits.value
  }

  /// The array type of values that are otherwise JSON, although their elements, at any depth, are of one type:
  /// `[[Double]]`. Nil for other values.
  private var nestedElement: String? {
    guard property.type == .json, member.shape.arrays > 0 else { return nil }
    return member.shape.arrayType
  }
}

extension Property {
  /// Returns the attribute with another shape and other options.
  fileprivate func with(
    _ shape: AttributeShape, json: String?, _ options: [Option]
  ) -> Property {
    Property(
      name, shape, isPrimaryKey: isPrimaryKey, isOptional: isOptional && !isPrimaryKey,
      json: json, options: options)
  }

  /// Returns the attribute with another type of the value or of the elements.
  fileprivate func with(element kind: AttributeShape.Kind) -> Property {
    let shape: AttributeShape =
      switch self.shape.form {
      case .list: .list(kind)
      case .map: .map(kind)
      default: .value(kind)
      }
    return with(shape, json: declaredKey, options)
  }
}

extension Property.Option {
  fileprivate var isAliases: Bool {
    if case .aliases = self { return true }
    return false
  }
}

extension Shape {
  /// The Swift type of arrays, whose elements are arrays or values of one type other than null; nil for other values.
  fileprivate var arrayType: String? {
    guard kindCount == 1, arrays > 0, let element, element.nulls == 0, element.kindCount == 1 else {
      return nil
    }
    return (element.arrays > 0 ? element.arrayType : element.codableType).map { "[\($0)]" }
  }

  /// The Codable type of values of one kind. Their JSON is stored, so a Double need not represent each digit.
  private var codableType: String? {
    if let kind = valueKind { return kind.name }
    let isDouble =
      fractions > 0 && hugeIntegers == 0 && largeNaturals == 0
      && !(samples?.hasInfiniteNumbers ?? true)
    return isDouble ? "Double" : nil
  }
}
