public import ObjectStore

// The positions of attributes in JSON, for callers that read or write parts of it themselves.

extension StoreCoder {
  /// Returns the path of an attribute in the JSON of an object, or nil if the attribute has no place in it.
  ///
  ///     try coder.codingPath(of: \User.born)             // "profile.born_on"
  ///     try coder.codingPath(of: \User.publisher?.name)  // "publisher.name"
  ///
  /// The path is spelled as the class declares it: a key, a dotted path, or an RFC 6901 pointer. A path through links is
  /// a dotted path if this is possible, otherwise a pointer. It begins inside the envelope of the class. Encoding writes
  /// the attribute at this path; decoding also reads it at its aliases.
  ///
  /// Nil is returned for `LinkingObjects`, for attributes with `.local`, `.placeholder` and `.unread`, for a key that is
  /// made of other attributes, and for attributes of objects that are represented by their keys (`.byKey`, JSON:API),
  /// except the key. An attribute in `codableIgnoredAttributes` has the path at which it is decoded.
  ///
  /// - Parameter keyPath: An attribute of the class or, through links, of another class.
  /// - Throws: `StoreError.invalidKeyPath` for a key path that is not one of attributes;
  ///   ``StoreCodingError``: `invalidDeclarations`.
  /// - Complexity: O(*n*) in the number of attributes of the classes along the path, once the coder has their mapping.
  public func codingPath<T: ObjectBase>(of keyPath: PartialKeyPath<T>) throws -> String? {
    let names = try T.attributeNames(along: keyPath)
    return try codingPlan(T.self).codingPath(of: names)
  }

  /// Returns the path of an attribute of the class with this name; see ``codingPath(of:)``.
  ///
  /// - Parameters:
  ///   - attribute: The name of an attribute or, through links, names separated by dots: `"publisher.name"`. For an
  ///     unknown name, the result is nil.
  ///   - className: The name of the class.
  /// - Throws: ``StoreCodingError``: `invalidDeclarations`; `StoreError.unknownClass`.
  public func codingPath(of attribute: String, dynamic className: String) throws -> String? {
    let names = attribute.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return try codingPlan(dynamic: className).codingPath(of: names)
  }

  /// Returns the attribute whose value is at a path in the JSON of an object, or nil if there is none.
  ///
  ///     try coder.attributePath(at: "profile.born_on", of: User.self)  // "born"
  ///     try coder.attributePath(at: "/friends/2/name", of: User.self)  // "friends[2].name"
  ///
  /// The path can be spelled as a dotted path (`friends.2.name`), with brackets (`friends[2].name`), as a pointer
  /// (RFC 6901, also as a URI fragment: `#/friends/2/name`), or from the root `$` of an RFC 9535 query
  /// (`$.friends[2].name`). It may begin with the `objectEnvelope` of the class. All aliases of an attribute lead to it.
  ///
  /// In the result, an element of a list or set has its index in brackets, and a member of a map or of a `.keyed`
  /// collection its name: `prices.eur`, in quotation marks if it contains special characters, and shortened after 40
  /// characters. Paths into a value that is stored as JSON lead to its attribute. Nil is returned for every other path
  /// that is not exactly that of an attribute, and for a text that is not a path.
  ///
  /// - Parameters:
  ///   - path: The path, for example from the response of a server.
  ///   - type: The class of the object.
  ///   - className: The name of the class of a dynamic object, in place of `type`.
  /// - Throws: ``StoreCodingError``: `invalidDeclarations`; `StoreError.unknownClass`.
  /// - Complexity: O(length of the path), once the coder has the mapping of the class.
  public func attributePath(
    at path: String, of type: ObjectBase.Type = DynamicObject.self, dynamic className: String? = nil
  ) throws -> String? {
    let plan = try codingPlan(of: type, orDynamic: className)
    guard let names = JSONPath.names(in: path) else { return nil }
    var walk = AttributeWalk(plan)
    for name in names where !walk.isOutside { walk.step(name) }
    return walk.attribute
  }
}
