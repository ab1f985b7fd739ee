// Recognizes lists whose elements wrap the objects, such as GraphQL connections: `{"edges": [{"node": {…}}]}`.

extension SchemaMaker {
  /// Objects in wrappers: their list, the pointer to them, and the key after which their class is named.
  struct WrappedList {
    let shape: Shape
    let path: String
    let typeName: String
  }

  /// Returns the list of the objects in wrappers, if the wrappers contain nothing else: `[{"node": {…}}]`, or an object
  /// whose only member is such a list. Nil for other members.
  /// - Parameter names: The names of the owner's class and of the classes around it, the owner's last.
  func wrappedList(
    _ member: ObjectShape.Member, of owner: ObjectShape, inside names: [String]
  ) -> WrappedList? {
    // A list does not distinguish null, missing and empty, so an attribute that needs the distinction is JSON.
    if member.shape.nulls > 0 || member.count < owner.count && member.shape.emptyCount > 0 {
      return nil
    }
    if let (shape, path, wrapped) = elements(of: member) {
      // The elements of a connection with further members are named after the connection.
      let isConnection = member.name == "edges" && wrapped == "node"
      let connection = names.last.map { ClassNames.name($0, isPlural: true) }
      let name = isConnection && !names.contains(connection ?? "") ? connection : nil
      return WrappedList(shape: shape, path: "/\(path)", typeName: name ?? wrapped)
    }
    // A null or missing connection would be written as one with an empty list.
    guard member.shape.kindCount == 1, member.shape.nulls == 0, member.count == owner.count,
      let connection = member.shape.object.map({ resolved($0) }), !connection.isMap,
      connection.members.count == 1, let list = connection.members.first,
      list.count == connection.count, list.shape.nulls == 0,
      let (shape, path, _) = elements(of: list), let first = Self.pointerPart(member.name)
    else { return nil }
    return WrappedList(shape: shape, path: "/\(first)/\(path)", typeName: member.name)
  }

  /// Returns the list of the objects in the elements of an array, the pointer to them from the array's owner, and the
  /// name of the member that contains them.
  private func elements(
    of member: ObjectShape.Member
  ) -> (shape: Shape, path: String, wrapped: String)? {
    guard member.shape.kindCount == 1, let element = member.shape.element, element.kindCount == 1,
      element.nulls == 0, let wrapper = element.object.map({ resolved($0) }),
      let wrapped = wrapper.wrapped, let first = Self.pointerPart(member.name),
      let last = Self.pointerPart(wrapped.name)
    else { return nil }
    return (member.shape.withElements(wrapped.shape), "\(first)/*/\(last)", wrapped.name)
  }

  /// Returns the escaped key; nil for one that a pointer would read as an index or as each element.
  private static func pointerPart(_ key: String) -> String? {
    if key == "*" || key.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return nil }
    return key.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}
