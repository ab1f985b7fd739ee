/// An element wrapped so that it equals exactly the elements that are stored identically.
struct StoredElement<Element: CollectionElement>: Hashable {
  let element: Element

  static func == (a: StoredElement, b: StoredElement) -> Bool {
    a.element._elementEquals(b.element)
  }

  func hash(into hasher: inout Hasher) { element._elementHash(into: &hasher) }
}
