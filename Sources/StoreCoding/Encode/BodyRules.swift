import ObjectStore

/// The form of nil, of empty collections and of linked objects in a body.
struct BodyRules {
  enum NilRule {
    /// Nil is omitted or written as null, as the attribute declares.
    case asDeclared
    /// Nil is written as null.
    case written
    /// Nil is omitted, and in elements of arrays as declared: a merge patch compares the members of objects, but replaces
    /// arrays whole.
    case omitted
  }

  enum MissingRule {
    /// Missing attributes are omitted.
    case omitted
    /// Those of the outermost object are written, because the caller names them.
    case writtenOfOutermost
    case written
    /// Missing attributes are written as ``JSONValue/unknown``, for comparisons.
    case marked
  }

  /// The rule for attributes that have not been given a value.
  var missing = MissingRule.omitted
  /// The rule for nil, and for raw JSON and JSON values that would not read back.
  var nils = NilRule.asDeclared
  /// True to write empty collections of attributes that declare to omit them.
  var writesEmpty = false
  /// True to write linked objects with a primary key as objects that contain only the key.
  var linksByKey = false

  /// A body with some of the attributes, in which an absent attribute is unchanged and null clears it.
  static func partial(_ linkedObjects: CodingConfiguration.LinkedObjects) -> BodyRules {
    BodyRules(nils: .written, writesEmpty: true, linksByKey: linkedObjects == .key)
  }

  /// A body with the attributes that the caller names.
  static func named(_ linkedObjects: CodingConfiguration.LinkedObjects) -> BodyRules {
    var rules = partial(linkedObjects)
    rules.missing = .writtenOfOutermost
    return rules
  }

  /// The rules with missing attributes marked.
  var marked: BodyRules {
    var rules = self
    rules.missing = .marked
    return rules
  }

  /// The rules with nil written.
  var writingNil: BodyRules {
    var rules = self
    rules.nils = .written
    return rules
  }

  /// True if an attribute is omitted.
  ///
  /// - Parameters:
  ///   - isAbsent: True if the attribute is omitted from an ordinary body.
  ///   - isNil: True if the attribute is nil.
  @inline(__always)
  func omits(_ field: CodingField, isAbsent: Bool, isNil: @autoclosure () -> Bool) -> Bool {
    switch field.form {
    case .linkingObjects: true
    case .list, .set, .map: isAbsent && !writesEmpty
    case .scalar, .link:
      switch nils {
      case .asDeclared: isAbsent
      case .written: false
      case .omitted: isAbsent || isNil()
      }
    }
  }
}

extension CodingConfiguration {
  /// The form of linked objects in a body with some of the attributes of an object.
  public enum LinkedObjects: Sendable, Hashable {
    /// An object that contains only the primary key, such as `{"id":7}`; objects without a primary key in full. A link with
    /// the option `byKey` is the key itself.
    case key
    /// All attributes.
    case full
  }
}
