/// A base row with an edit that may be taken.
struct EditCandidate {
  let entry: ClassEntry
  let base: BaseLayout
  let baseSlot: Int
  let slot: Int?
  let state: BaseState
  let order: UInt64
  var waitsFor: [(entry: ClassEntry, slot: Int)]
  /// The edited attributes that lead to the objects in ``waitsFor``.
  var waitingAttributes: [Int] = []
  /// The edited attributes that are not sent.
  var excluded: [Int] = []
  /// The serial number; 0 until the edit is taken.
  var serial: UInt64 = 0

  /// True if each edited attribute leads to an object in ``waitsFor``.
  func isWaitingWhole(_ bases: TableVersion) -> Bool {
    !waitingAttributes.isEmpty
      && waitingAttributes.count == bases.editedAttributes(baseSlot, base).count
  }
}
