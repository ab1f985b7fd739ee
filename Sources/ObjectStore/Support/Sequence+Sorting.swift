// Sorting by strings and integers. Each call of `sorted(by:)` with a closure adds 5 KB to a program; these share one sort.
// They are slower, so that code that runs for each object of a payload uses `sorted(by:)`.

extension Sequence {
  /// Returns the elements in ascending order of a string of each, compared by bytes. Elements with equal strings keep
  /// their order.
  package func sorted(byBytesOf text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return ascendingOrder(of: elements.map(text)).map { elements[$0] }
  }

  /// Returns the elements in ascending order of an integer of each. Elements with equal integers keep their order.
  package func sorted(byNumber number: (Element) -> Int) -> [Element] {
    let elements = Array(self)
    return ascendingOrder(of: elements.map(number)).map { elements[$0] }
  }
}

/// The indices of the strings in ascending order.
@inline(never)
private func ascendingOrder(of texts: [String]) -> [Int] {
  texts.indices.sorted { texts[$0].precedesByBytes(texts[$1]) }
}

/// The indices of the integers in ascending order.
@inline(never)
private func ascendingOrder(of numbers: [Int]) -> [Int] {
  numbers.indices.sorted { numbers[$0] < numbers[$1] }
}
