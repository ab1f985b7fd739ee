/// Sorts rows by their values of attributes. Rows with equal values keep their order.
///
/// The rows are sorted by numbers that have the order of a part of a value: of a number or a date as a whole, of seven
/// bytes of a string. Rows with equal numbers are then sorted by the next seven bytes, or by the next sort key.
struct RowSorter {
  /// A row with the number by which it is sorted.
  struct Row {
    var number: UInt64 = 0
    let slot: Int
  }

  /// The part of the values by which rows are sorted.
  private struct Part {
    var key = 0
    /// The number of bytes that the strings have in common.
    var offset = 0
    /// The number of parts of the key before this one.
    var depth = 0

    /// The number of parts of a string that are sorted as numbers. Rows that have all of them in common are compared.
    static var depthLimit: Int { 4 }

    /// The part by which rows with equal numbers are sorted.
    func next(isExact: Bool, hasMoreBytes: Bool) -> Part {
      if isExact { return Part(key: key + 1) }
      return hasMoreBytes
        ? Part(key: key, offset: offset + SortNumberReader.byteCount, depth: depth + 1)
        : Part(key: key, depth: Self.depthLimit)
    }
  }

  private let keys: [ResultsQuery.SortKey]
  private let readers: [SortNumberReader]
  private let table: QueryTable

  init(_ keys: [ResultsQuery.SortKey], _ table: QueryTable) {
    self.keys = keys
    self.table = table
    readers = keys.map { SortNumberReader($0.reader, ascending: $0.ascending) }
  }

  /// Returns the first rows in sort order.
  ///
  /// - Parameter limit: The number of rows to return.
  /// - Complexity: O(n) for numbers and short strings.
  func sorted(_ slots: [Int], limit: Int = .max) -> [Int] {
    if keys.isEmpty || slots.count < 2 { return Array(slots.prefix(limit)) }
    return Self.withRows(slots) { rows in
      let spare = UnsafeMutablePointer<Row>.allocate(capacity: slots.count)
      defer { spare.deallocate() }
      sort(rows, spare, Part(), limit: limit)
      return rows.prefix(limit).map(\.slot)
    }
  }

  /// Returns the rows in sort order, grouped by their value of the only sort key.
  ///
  /// - Complexity: That of ``sorted(_:limit:)``.
  func groups(_ slots: [Int]) -> [[Int]] {
    let sorted = sorted(slots)
    return Self.withRows(sorted) { rows in
      readers[0].read(rows, table, from: 0)
      var groups: [[Int]] = []
      var start = 0
      for end in rows.indices.dropFirst() where order(rows[end - 1], rows[end]) != 0 {
        groups.append(Array(sorted[start..<end]))
        start = end
      }
      if start < sorted.count { groups.append(Array(sorted[start...])) }
      return groups
    }
  }

  /// Returns the first of the rows in sort order whose value of the first sort key is not null; nil if there is none.
  ///
  /// - Complexity: O(n).
  func firstValue(of slots: SlotSequence) -> Int? {
    let buffer = UnsafeMutableBufferPointer<Row>.allocate(capacity: ChunkLayout.rows)
    defer { buffer.deallocate() }
    var best: Row?
    for start in stride(from: 0, to: slots.count, by: buffer.count) {
      let rows = UnsafeMutableBufferPointer(
        rebasing: buffer[..<min(slots.count - start, buffer.count)])
      for index in rows.indices {
        rows.initializeElement(at: index, to: Row(slot: slots[start + index]))
      }
      readers[0].read(rows, table, from: 0)
      for row in rows where !isNull(row) {
        if let known = best, order(row, known) >= 0 { continue }
        best = row
      }
    }
    return best?.slot
  }

  private func isNull(_ row: Row) -> Bool {
    readers[0].hasNumbers
      ? readers[0].isNull(row.number) : keys[0].reader.isNull(table.context(row.slot))
  }

  /// Compares the values of the first sort key of two rows whose numbers were read from offset 0: below 0, 0 or above 0.
  @inline(__always)
  private func order(_ a: Row, _ b: Row) -> Int {
    if a.number != b.number { return a.number < b.number ? -1 : 1 }
    if readers[0].isExact(a.number) { return 0 }
    let order = keys[0].reader.order(table.context(a.slot), table.context(b.slot))
    return keys[0].ascending ? order : -order
  }

  /// Calls `body` with rows whose numbers are 0.
  private static func withRows<R>(
    _ slots: [Int], _ body: (UnsafeMutableBufferPointer<Row>) -> R
  ) -> R {
    let rows = UnsafeMutableBufferPointer<Row>.allocate(capacity: slots.count)
    defer { rows.deallocate() }
    for (index, slot) in slots.enumerated() {
      rows.initializeElement(at: index, to: Row(slot: slot))
    }
    return body(rows)
  }

  /// Sorts the first `limit` rows. The content of the buffer after them is undefined.
  ///
  /// - Parameter spare: Memory for as many rows.
  private func sort(
    _ all: UnsafeMutableBufferPointer<Row>, _ spare: UnsafeMutablePointer<Row>, _ part: Part,
    limit: Int
  ) {
    var part = part
    guard all.count > 1, limit > 0, part.key < keys.count else { return }
    let reader = readers[part.key]
    guard part.depth < Part.depthLimit, reader.hasNumbers else {
      compare(all, part, limit: limit)
      return
    }
    part.offset = reader.commonPrefix(all, table, from: part.offset)
    reader.read(all, table, from: part.offset)
    var rows = all
    if limit < rows.count / 4 { rows = .init(rebasing: all[..<Self.select(all, limit)]) }
    Self.sort(rows, spare)
    var start = 0
    while start < min(rows.count, limit) {
      let number = rows[start].number
      var end = start + 1
      while end < rows.count, rows[end].number == number { end += 1 }
      if end - start > 1 {
        sort(
          .init(rebasing: rows[start..<end]), spare,
          part.next(isExact: reader.isExact(number), hasMoreBytes: reader.hasMoreBytes),
          limit: limit - start)
      }
      start = end
    }
  }

  /// Sorts the first `limit` rows by comparing the values of the remaining sort keys.
  private func compare(_ rows: UnsafeMutableBufferPointer<Row>, _ part: Part, limit: Int) {
    let keys = keys[part.key...]
    let sorted = rows.map(\.slot).sorted(first: limit) {
      ResultsQuery.isOrdered(table.context($0), before: table.context($1), keys) ?? false
    }
    for (index, slot) in sorted.enumerated() { rows[index] = Row(slot: slot) }
  }

  // MARK: - Numbers

  /// Moves the rows with the smallest numbers to the front, in their order, and returns their number: `limit`, and the
  /// rows with the same number as the last of them.
  private static func select(_ rows: UnsafeMutableBufferPointer<Row>, _ limit: Int) -> Int {
    let capacity = 2 * max(limit, 32)
    var first: [UInt64] = []
    first.reserveCapacity(capacity)
    // Numbers above it are not among the first.
    var last = UInt64.max
    for row in rows where row.number <= last {
      first.append(row.number)
      if first.count == capacity {
        first.sort()
        first.removeSubrange(limit...)
        last = first[limit - 1]
      }
    }
    first.sort()
    last = first[limit - 1]
    var count = 0
    for row in rows where row.number <= last {
      rows[count] = row
      count += 1
    }
    return count
  }

  /// The number of rows up to which an insertion sort is faster.
  private static let few = 48

  /// Sorts rows by their numbers. Rows with equal numbers keep their order.
  private static func sort(
    _ rows: UnsafeMutableBufferPointer<Row>, _ spare: UnsafeMutablePointer<Row>
  ) {
    guard let start = rows.baseAddress, rows.count > 1 else { return }
    if rows.count <= few {
      for index in 1..<rows.count {
        let row = rows[index]
        var hole = index
        while hole > 0, rows[hole - 1].number > row.number {
          rows[hole] = rows[hole - 1]
          hole -= 1
        }
        rows[hole] = row
      }
      return
    }
    var differences: UInt64 = 0
    var isSorted = true
    var previous = start[0].number
    for row in rows {
      differences |= row.number ^ start[0].number
      if row.number < previous { isSorted = false }
      previous = row.number
    }
    if isSorted { return }
    var (from, to) = (start, spare)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { ends in
      // From the last byte to the first, skipping bytes that are the same in all numbers.
      for shift in stride(from: 0, to: 64, by: 8) where differences >> UInt64(shift) & 255 != 0 {
        ends.update(repeating: 0)
        for index in 0..<rows.count { ends[Int(from[index].number >> UInt64(shift) & 255)] += 1 }
        var sum = 0
        for byte in 0..<256 {
          let count = ends[byte]
          ends[byte] = sum
          sum += count
        }
        for index in 0..<rows.count {
          let byte = Int(from[index].number >> UInt64(shift) & 255)
          to[ends[byte]] = from[index]
          ends[byte] += 1
        }
        swap(&from, &to)
      }
    }
    if from != start { start.update(from: from, count: rows.count) }
  }
}
