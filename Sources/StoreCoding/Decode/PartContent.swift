import JSONText
import ObjectStore

/// The content of a part, as read from a payload.
struct PartContent {
  struct Element {
    let row: BatchRow
    let plan: CodingPlan
    /// The index or the name in the part; nil for a part that is one object.
    let component: JSONPath.Component?
  }

  /// The positions of the objects among the top rows of the batch.
  private var rows = 0..<0
  /// The number of elements of all lists before the part.
  private var firstElement = 0
  /// True if the part was read as an array, or as the members of an object.
  var isList = false
  /// The classes of the objects of a part with several classes.
  var plans: [CodingPlan] = []
  /// The names of the members, by the index of the element; empty for an array.
  var names: [String] = []
  /// The keys of the objects to delete.
  var deletedKeys: [BatchCell] = []
  /// The byte range of the part, and of each duplicate that it replaces.
  private(set) var ranges: [Range<Int>] = []

  mutating func begin(_ batch: RowBatch) {
    rows = batch.topRowCount..<batch.topRowCount
    firstElement = batch.topElementCount
  }

  mutating func end(_ range: Range<Int>, _ batch: RowBatch) {
    rows = rows.lowerBound..<batch.topRowCount
    ranges.append(range)
  }

  /// Removes all elements, because a duplicate replaces the part.
  mutating func removeAll() {
    let earlier = ranges
    self = PartContent()
    ranges = earlier
  }

  /// Returns the objects in the order of the payload, without those that duplicates replaced.
  func elements(of part: PayloadPart, in batch: RowBatch) -> [Element] {
    rows.enumerated().compactMap { position, index in
      let row = batch.topRow(at: index)
      let plan: CodingPlan
      var component: JSONPath.Component?
      if isList {
        component = self.component(
          ofElement: batch.elementIndex(ofTopRow: index) - firstElement)
      }
      switch part.content {
      case .one(let other), .list(let other), .keys(let other), .keyed(let other),
        .deleted(let other):
        plan = other
      case .mixed: plan = plans[position]
      }
      return row.isDropped ? nil : Element(row: row, plan: plan, component: component)
    }
  }

  /// The name of the member, or the index, of an element.
  func component(ofElement index: Int) -> JSONPath.Component {
    names.isEmpty ? .index(index) : .key(names[index])
  }
}
