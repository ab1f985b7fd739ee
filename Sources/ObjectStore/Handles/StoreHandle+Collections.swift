// Edits of the collections of managed objects. Each is one edit of the engine, regardless of the number of elements.

extension StoreHandle {
  /// A collection of an object in the open write.
  private struct Target {
    let transaction: Transaction
    let writer: TableWriter
    let slot: Int
    let column: Int
    let layout: ColumnLayout
  }

  private func target(_ object: ObjectBase, _ column: Int) -> Target? {
    let transaction = openTransaction(object)
    guard let storage = object.storage, let writer = writer(of: object, storage.pointee.table)
    else { return nil }
    writer.give(object.slot, column - writer.firstAttribute)
    return Target(
      transaction: transaction, writer: writer, slot: object.slot, column: column,
      layout: writer.layout.columns[column])
  }

  /// Checks what a change would check, for one that changes nothing: it does not say that the collection is empty.
  private func checkIsWritable(_ object: ObjectBase) {
    guard let storage = object.storage else { return }
    _ = writer(of: object, storage.pointee.table)
  }

  /// Replaces all elements.
  /// - Parameter keys: The keys of a map, sorted.
  func writeCollection<E: CollectionElement>(
    _ object: ObjectBase, _ column: Int, _ elements: [E], keys: [String]
  ) {
    guard let target = target(object, column) else { return }
    let all = 0..<target.writer.elementCount(target.slot, column)
    withElements(object, target, elements, keys: keys, replacing: all) { values in
      var values = values
      if target.layout.collection == .set { values.sortUnique(target.layout) }
      target.transaction.setElements(
        target.writer, target.slot, column, target.layout, values)
    }
  }

  /// Replaces the elements of `range`, which is within the list or map.
  func replaceElements<E: CollectionElement>(
    _ object: ObjectBase, _ column: Int, _ range: Range<Int>, with elements: [E], keys: [String]
  ) {
    if range.isEmpty, elements.isEmpty { return checkIsWritable(object) }
    guard let target = target(object, column) else { return }
    withElements(object, target, elements, keys: keys, replacing: range) { values in
      target.transaction.replaceElements(
        target.writer, target.slot, column, target.layout, range, with: values)
    }
  }

  /// Inserts elements into a set. Elements that it already contains keep their stored bytes.
  func insertElements<E: CollectionElement>(
    _ object: ObjectBase, _ column: Int, _ elements: [E]
  ) {
    if elements.isEmpty { return checkIsWritable(object) }
    guard let target = target(object, column) else { return }
    withElements(object, target, elements, keys: [], replacing: 0..<0) { values in
      target.transaction.insertElements(
        target.writer, target.slot, column, target.layout, values)
    }
  }

  /// Removes an element from a set, if it is a member.
  func removeElement<E: CollectionElement>(_ object: ObjectBase, _ column: Int, _ element: E) {
    checkIsWritable(object)
    guard let index = index(of: element, object, column) else { return }
    removeElements(object, column, at: [index])
  }

  /// Removes elements.
  /// - Parameter indices: The indices in ascending order.
  func removeElements(_ object: ObjectBase, _ column: Int, at indices: [Int]) {
    if indices.isEmpty { return checkIsWritable(object) }
    guard let target = target(object, column) else { return }
    if let index = indices.first, indices.count == 1 {
      target.transaction.replaceElements(
        target.writer, target.slot, column, target.layout, index..<index + 1, with: [])
    } else {
      target.transaction.removeElements(
        target.writer, target.slot, column, target.layout, at: indices)
    }
  }

  // Reordering changes no link.

  func moveElement(_ object: ObjectBase, _ column: Int, from source: Int, to destination: Int) {
    guard let target = target(object, column) else { return }
    target.writer.moveElement(target.slot, column, from: source, to: destination)
  }

  func swapElements(_ object: ObjectBase, _ column: Int, _ i: Int, _ j: Int) {
    guard let target = target(object, column) else { return }
    target.writer.swapElements(target.slot, column, i, j)
  }

  func reverseElements(_ object: ObjectBase, _ column: Int) {
    if object.slice(column).length < 2 { return checkIsWritable(object) }
    guard let target = target(object, column) else { return }
    target.writer.reverseElements(target.slot, column)
  }

  /// Notes that a loop over a collection begins: later edits must not change its elements in place.
  func noteLoop(_ object: ObjectBase, _ column: Int) {
    guard let transaction, let storage = object.storage else { return }
    transaction.noteLoop(storage.pointee.table, object.slot, column)
  }

  // MARK: - Finding

  /// The index of an element in a set; nil if it is not a member.
  func index<E: CollectionElement>(of element: E, _ object: ObjectBase, _ column: Int) -> Int? {
    guard let table = object.storage?.pointee.table else { return nil }
    let layout = layout(table).columns[column]
    func find(_ value: ElementValue) -> Int? {
      let version = tableVersion(table)
      guard version.isLive(object.slot) else { return nil }
      let column = version.columns(object.slot)[column]
      let slice = column.slice(object.slot & ChunkLayout.mask)
      let (index, isFound) = column.index(of: value, slice, layout)
      return isFound ? index : nil
    }
    if layout.elementKind == .link {
      guard let target = (element as Any?) as? ObjectBase else {
        return find(ElementValue(link: 0, layout))
      }
      guard let storage = target.storage, storage.pointee.table == layout.targetTable,
        target.handle?.core === core
      else { return nil }
      return find(ElementValue(link: UInt64(target.slot) + 1, layout))
    }
    func findExported(_ batch: RowBatch) -> Int? {
      // A value that cannot be stored is not a member of a set.
      guard let cell = try? element._elementExport(BatchExport(batch, for: self)) else {
        return nil
      }
      return find(ElementValue(cell, layout))
    }
    // Several threads may read a frozen view, but only one may use the batch of the handle.
    return isFrozen ? findExported(RowBatch()) : withBatch(findExported)
  }

  /// The index of a key in a map, or the index at which it would be inserted.
  func index(ofKey key: String, _ object: ObjectBase, _ column: Int) -> (index: Int, isFound: Bool)
  {
    guard let table = object.storage?.pointee.table else { return (0, false) }
    let current = object.columns[column]
    let layout = layout(table).columns[column]
    var key = key
    return key.withUTF8 {
      current.index(
        of: ElementValue(key: UnsafeRawBufferPointer($0)), object.slice(column), layout)
    }
  }

  // MARK: - Elements for the engine

  /// Converts the elements for the engine and passes them to `body`. Unmanaged objects are added to the store.
  private func withElements<E: CollectionElement>(
    _ object: ObjectBase, _ target: Target, _ elements: [E], keys: [String],
    replacing range: Range<Int>, _ body: ([ElementValue]) -> Void
  ) {
    if elements.isEmpty { return body([]) }
    let schema = object.objectSchema
    let property = schema.storedProperties[target.column - schema.firstAttribute]
    // Each embedded object that is already an element may be kept once.
    let isLink = target.layout.elementKind == .link
    let isOwner = isLink && entry(ofTable: target.layout.targetTable).schema.isEmbedded
    var own = isOwner ? ownWords(target, range) : []
    do {
      try withBatch { batch in
        let export = BatchExport(batch, for: self)
        export.attribute = (schema.className, property)
        var values: [ElementValue] = []
        values.reserveCapacity(elements.count)
        // By index, because `enumerated()` looks up the type of its pairs for each element.
        for index in 0..<elements.count {
          let element = elements[index]
          var value: ElementValue
          if isLink, let linked = (element as Any?) as? ObjectBase {
            let slot = try elementSlot(
              linked, for: object, target.column, target.layout.targetTable, &own)
            value = ElementValue(link: UInt64(slot) + 1, target.layout)
          } else {
            value = ElementValue(try element._elementExport(export), target.layout)
          }
          if index < keys.count { value.key = try export.key(keys[index]).bytes }
          values.append(value)
        }
        body(values)
      }
    } catch {
      refuse(
        error, target.transaction, "\(object.className): the elements cannot be assigned")
    }
  }

  /// The slot of a linked object. An embedded object of this collection keeps its slot; any other embedded object is
  /// copied.
  private func elementSlot(
    _ linked: ObjectBase, for owner: ObjectBase, _ column: Int, _ targetTable: Int,
    _ own: inout Set<UInt64>
  ) throws -> Int {
    if !own.isEmpty, let handle = linked.handle, handle.core === core, !handle.isFrozen,
      linked.storage?.pointee.table == targetTable, own.remove(UInt64(linked.slot) + 1) != nil
    {
      return linked.slot
    }
    return try targetSlot(linked, for: owner, column)
  }

  private func ownWords(_ target: Target, _ range: Range<Int>) -> Set<UInt64> {
    Set(target.writer.words(target.slot, target.column, target.layout, range)).subtracting([0])
  }
}
