import ObjectStore

extension JSONValue {
  /// The value at one component of a path; nil if there is none.
  subscript(component: JSONPath.Component) -> JSONValue? {
    if case .array = self { return component.index.flatMap { self[$0] } }
    return self[component.key]
  }

  /// The value at a path; nil if there is none.
  subscript(path: ArraySlice<JSONPath.Component>) -> JSONValue? {
    path.reduce(self) { (value: JSONValue?, component) in value?[component] }
  }
}

extension JSONObject {
  /// The value at a path; nil if there is none.
  subscript(path: ArraySlice<JSONPath.Component>) -> JSONValue? {
    guard let first = path.first, let value = self[first.key] else { return JSONValue?.none }
    return value[path.dropFirst()]
  }
}
