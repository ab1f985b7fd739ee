/// Finds mistakes in a class's declarations that single attributes do not reveal.
struct DeclarationCheck {
  private(set) var mistakes: [String] = []
  private(set) var linkMistakes: [String] = []

  init(_ type: ObjectBase.Type, _ properties: [Property]) {
    let className = String(describing: type)
    for (declaration, names) in [
      ("primaryKey()", type.primaryKey().map { [$0] } ?? []),
      ("indexedProperties()", type.indexedProperties()),
    ] {
      for name in names where !properties.contains(where: { $0.name.hasSameBytes(as: name) }) {
        let mistake = SchemaCheck.unknownName(name, among: properties)
        mistakes.append("\(className).\(declaration): \(mistake)")
      }
    }
    for property in properties {
      if let target = property.shape.target, target.objectType.map(ModelClass.isBase) ?? false {
        linkMistakes.append(
          "\(className).\(property.name): a link must refer to a model class, not to \(target.name)"
        )
      }
    }
    linkMistakes +=
      LinkCheck(className, properties) { id in
        guard let target = id.objectType else { return nil }
        // The other class may be this one, or its schema may be under construction, so use its plain properties.
        let isSource = properties.contains {
          $0.shape.form == .linkingObjects && $0.shape.target == id
        }
        return (
          target == type ? properties : isSource ? ClassReflection(target).plainProperties : [],
          target is EmbeddedObject.Type
        )
      } leadsHere: {
        $0.objectType.map { Self.isClass(type, below: $0) } ?? false
      }.mistakes
  }

  /// True if the class is `ancestor` or derives from it.
  private static func isClass(_ type: ObjectBase.Type, below ancestor: ObjectBase.Type) -> Bool {
    var next: AnyClass? = type
    while let current = next {
      if current == ancestor { return true }
      next = _getSuperclass(current)
    }
    return false
  }
}
