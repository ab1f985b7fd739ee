public import Foundation

extension List {
  /// Removes the elements at these offsets, which must be in `0..<count`.
  ///
  ///     .onDelete { offsets in try? store.write { farm.animals.remove(atOffsets: offsets) } }
  ///
  /// - Complexity: O(n · offsets).
  public func remove(atOffsets offsets: IndexSet) {
    for index in offsets.reversed() { remove(at: index) }
  }
}
