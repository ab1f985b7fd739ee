import ObjectStore

extension World {
  /// Returns the first difference of a store; nil if it has the same objects.
  func difference(_ store: Store) -> String? {
    for kind in Kind.allCases {
      let count =
        switch kind {
        case .shop: store.objects(Shop.self).count
        case .order: store.objects(Order.self).count
        case .customer: store.objects(Customer.self).count
        }
      let ids = ids(kind)
      for id in ids {
        guard let object = kind.object(id, in: store) else { return "\(kind) \(id) is missing" }
        if let text = difference(kind, id, object) { return text }
      }
      if count != ids.count { return "\(kind): \(count) objects, not \(ids.count)" }
    }
    return nil
  }

  /// Returns the first difference of an object.
  func difference(_ kind: Kind, _ id: Int, _ object: Object) -> String? {
    guard let record = self[kind, id] else { return "\(kind) \(id) exists" }
    let attributes = Attribute.of(kind)
    for (index, attribute) in attributes.enumerated() {
      let value = attribute.read(object)
      if value != record.values[index] {
        return "\(kind) \(id).\(attribute.name) is \(value), not \(record.values[index])"
      }
    }
    let unknown =
      record.known == .all(attributes.count)
      ? [] : attributes.indices.filter { !record.known[$0] }.map { attributes[$0].name }
    if object.isWhole ? !unknown.isEmpty : object.unknownAttributes.sorted() != unknown.sorted() {
      return "\(kind) \(id) lacks \(object.unknownAttributes), not \(unknown)"
    }
    guard kind.tracksEdits, record.loose == nil else { return nil }
    let edits = record.edits
    let state: Edit.State = edits.bases.isEmpty ? .clean : edits.isRejected ? .rejected : .edited
    if object.editState != state { return "\(kind) \(id) is \(object.editState), not \(state)" }
    if state != .clean {
      let edited = edits.bases.keys.map { attributes[$0].name }
      if object.editedAttributes.sorted() != edited.sorted() {
        return "\(kind) \(id) has edits of \(object.editedAttributes), not \(edited)"
      }
    }
    return nil
  }
}
