/// Finds mistakes in the links of a class that depend on the linked classes.
struct LinkCheck {
  private(set) var mistakes: [String] = []

  /// - Parameters:
  ///   - target: A function that returns the attributes of a linked class and whether it is embedded; nil if the
  ///     class does not exist.
  ///   - leadsHere: A function that returns true if links to that class may lead to objects of this class.
  init(
    _ className: String, _ properties: [Property],
    target: (ClassID) -> (properties: [Property], isEmbedded: Bool)?,
    leadsHere: (ClassID) -> Bool
  ) {
    for property in properties {
      guard let id = property.shape.target else { continue }
      let name = "\(className).\(property.name)"
      guard let source = target(id) else {
        mistakes.append("\(name): there is no class '\(id.name)'")
        continue
      }
      if property.shape.form == .set, source.isEmbedded {
        mistakes.append("\(name): a set cannot hold embedded objects; use a List")
      }
      if property.options.contains(.inPlace), !source.isEmbedded {
        mistakes.append("\(name): 'inPlace' needs an embedded object; \(id.name) is not embedded")
      }
      guard property.shape.form == .linkingObjects else { continue }
      guard let origin = property.originPropertyName else {
        mistakes.append(
          "\(name): name the attribute of \(id.name) that links here: "
            + "@Persisted(originProperty: \"…\")")
        continue
      }
      guard let link = source.properties.first(where: { $0.name.hasSameBytes(as: origin) }) else {
        let suggestion = Suggestion.nearest(to: origin, among: source.properties.map(\.name))
        mistakes.append(
          "\(name): originProperty '\(origin)' is not an attribute of \(id.name)"
            + Suggestion.clause(suggestion))
        continue
      }
      // A subclass inherits the attribute even if no link leads to the subclass's own rows. That is allowed.
      if link.shape.form == .linkingObjects || !(link.shape.target.map(leadsHere) ?? false) {
        mistakes.append(
          "\(name): originProperty '\(origin)' of \(id.name) is \(link.shape.name), "
            + "not a link to \(className)")
      }
    }
  }
}
