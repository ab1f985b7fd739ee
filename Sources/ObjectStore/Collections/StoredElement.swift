/// Where elements of a managed collection come from.
public struct _ElementSource {
  let handle: StoreHandle
  /// The table that elements link to; below 0 for values.
  let targetTable: Int
}

/// An element that is equal to those that are stored alike.
struct StoredElement<Element: CollectionElement>: Hashable {
  let element: Element

  static func == (a: StoredElement, b: StoredElement) -> Bool {
    a.element._elementEquals(b.element)
  }

  func hash(into hasher: inout Hasher) { element._elementHash(into: &hasher) }
}
