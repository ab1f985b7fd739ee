/// Iterates over the rows that matched when the loop began.
public struct _ResultsIterator<Element: ObjectBase>: IteratorProtocol {
  private let handle: StoreHandle
  private let entry: ClassEntry
  private let slots: SlotSequence
  private var index = 0

  init(_ handle: StoreHandle, _ entry: ClassEntry, _ slots: SlotSequence) {
    self.handle = handle
    self.entry = entry
    self.slots = slots
  }

  public mutating func next() -> Element? {
    guard index < slots.count else { return nil }
    defer { index += 1 }
    return handle.object(entry, slots[index])
  }
}
