// What the coder needs of the store besides its public face: rows in, rows out.

/// A class as the coder sees it in one store.
package struct CodingClass: Sendable {
  /// Its attributes.
  package var schema: ObjectSchema { entry.schema }
  /// The class as a batch needs it.
  package let shape: BatchShape
  let entry: ClassEntry

  init(_ entry: ClassEntry) {
    self.entry = entry
    shape = entry.shape
  }

  /// A new object of the class, to see what it holds; nil for a class that nobody declares, whose
  /// objects hold nothing of their own.
  package func makeObject() -> ObjectBase? { entry.model.isDynamic ? nil : entry.model.type.init() }

  /// Assigns the declared default of an attribute, evaluated now. In a row without a key it is noted
  /// as one, so that the same payload again finds the same row.
  package func assignDefault(
    of attribute: Int, to row: BatchRow, in batch: RowBatch
  ) throws(StoreError) {
    let cell = try entry.defaults.value(of: attribute, in: batch)
    if entry.keyColumn < 0 {
      row.setDefault(cell, of: attribute)
    } else {
      row[attribute] = cell
    }
  }

  /// Gives a row that lacks its key a new one, if the class makes one for each object (`UUID()`).
  package func makeKey(
    _ attribute: Int, of row: BatchRow, in batch: RowBatch
  ) throws(StoreError) {
    try entry.defaults.makeKey(attribute, of: row, in: batch)
  }
}

extension Property {
  /// Its place among the stored attributes: the index of its cell in a row of a batch.
  package func attribute(in schema: ObjectSchema) -> Int { column - schema.firstAttribute }
}

extension ObjectSchema {
  /// Tells the schemas of one store apart.
  package var identity: ObjectIdentifier { ObjectIdentifier(self) }

  /// What the class says about its JSON by now: a declared class is asked anew for each coder.
  package var currentDeclarations: ClassDeclarations {
    id.objectType.map { ClassDeclarations(of: $0) } ?? declarations
  }

  /// What is wrong with the class if it says this about its JSON.
  package func mistakes(with declarations: ClassDeclarations) -> [String] {
    if declarations == self.declarations { return mistakes }
    let check = SchemaCheck(className, isEmbedded: isEmbedded, properties, declarations)
    return mistakes + check.codingMistakes.filter { !mistakes.contains($0) }
  }
}

extension Store {
  /// A class and all that its attributes lead to, with their mistakes.
  package func codingSchemas(from type: ObjectBase.Type) -> [ObjectSchema] {
    handle.core.reachable(from: ModelClass.of(type)).map(\.schema)
  }

  /// The class with this name and all that its attributes lead to.
  /// - Throws: `unknownClass`.
  package func codingSchemas(from className: String) throws -> [ObjectSchema] {
    handle.core.reachable(from: try handle.entry(named: className).model).map(\.schema)
  }

  /// The schema of an object of this store, or of an unmanaged or frozen one.
  package func schema(of object: ObjectBase) -> ObjectSchema { object.model.schema }

  /// Whether the object is of this store, or its class and all that its attributes lead to are the same
  /// here, whatever store it is of.
  package func knowsClasses(of object: ObjectBase) -> Bool {
    guard let core = object.handle?.core, core !== handle.core else { return true }
    return core.reachable(from: object.model).allSatisfy { other in
      let known = try? handle.entry(named: other.schema.tableName)
      return known?.schema.isSame(as: other.schema) ?? false
    }
  }

  /// The classes of schemas, as this store knows them.
  /// - Throws: `invalidDeclarations`, `tableNameClash`.
  package func codingClasses(_ schemas: [ObjectSchema]) throws -> [CodingClass] {
    try schemas.map { schema in
      let type = schema.id.objectType
      return CodingClass(
        try type.map { try handle.entry($0) } ?? handle.entry(named: schema.tableName))
    }
  }

  /// Runs `body` with an empty batch: one whose memory is kept for the next one, or with `isKept` a
  /// new one, which may outlive the call.
  /// - Throws: `writeInDefault`, and what `body` throws.
  package func withBatch<R>(isKept: Bool = false, _ body: (RowBatch) throws -> R) throws -> R {
    try handle.checkMayWrite()
    return try isKept ? body(RowBatch(handle.evaluation)) : handle.withBatch(body)
  }

  /// Rows of a batch as update dictionaries, which read them where they stand.
  ///
  /// - Parameters:
  ///   - batch: is not written any more.
  ///   - text: keeps the bytes alive that cells point into, and does not change them.
  package func updates(
    of rows: [BatchRow], _ batch: RowBatch, text: any AnyObject & Sendable
  ) -> [UpdateDictionary] {
    let kept = DecodedRows(batch, text, handle.entries)
    return rows.map { UpdateDictionary(DecodedUpdate(kept, $0)) }
  }

  /// Applies the batch as one transaction, or as part of the open one.
  ///
  /// - Parameter depth: How deep its rows are nested, if that may be too deep for this stack.
  /// - Throws: `alreadyWriting`.
  package func apply(_ batch: RowBatch, depth: Int = 0) throws {
    let isJoining = handle.isWriting
    if !isJoining { try handle.begin() }
    do {
      if depth > DeepStack.shallowDepth {
        try DeepStack.run(depth: depth) { try handle.apply(batch, .modified) }
      } else {
        try handle.apply(batch, .modified)
      }
    } catch {
      if !isJoining { handle.cancel() }
      throw error
    }
    if !isJoining { try handle.commit() }
  }

  /// Applies the batch and returns the objects of the rows that were asked for.
  ///
  /// Rows are freed as they are applied, and all of the batch before the first object is made.
  package func applied<T: Object>(
    _ type: T.Type, _ batch: RowBatch, depth: Int, _ class: CodingClass
  ) throws -> [T] {
    batch.releasesRows = true
    try apply(batch, depth: depth)
    let slots = batch.topSlots
    batch.removeAll()
    return slots.map { handle.object(`class`.entry, $0) }
  }

  /// The object of a row that was applied.
  package func object<T: Object>(_ type: T.Type, of row: BatchRow, _ class: CodingClass) -> T {
    handle.object(`class`.entry, row.header.pointee.slot)
  }
}

extension BatchRow {
  /// Gives the row a row of the store of its own, though it has no key.
  package func setInstance() { markInstance() }

  /// Leaves the row out: something later in the payload took its place.
  package func drop() { header.pointee.flags |= Self.isDropped }
}

/// The row of a managed or frozen object, to be read in place.
///
/// Counts no references: whoever reads keeps the object, and so its handle, alive meanwhile.
@usableFromInline package struct RowView {
  @usableFromInline let columns: UnsafeMutablePointer<_StorageColumn>
  @usableFromInline let row: Int
  private unowned(unsafe) let handle: StoreHandle
  private let read: ReadTable

  /// The row's identity, to notice cycles.
  package let table: Int
  /// Its place in the table.
  package let slot: Int

  init(_ handle: StoreHandle, table: Int, slot: Int) {
    self.handle = handle
    self.table = table
    self.slot = slot
    read = handle.readTable(table)
    columns = read.version._withUnsafeGuaranteedRef { $0.columns(slot) } + read.firstAttribute
    row = slot & ChunkLayout.mask
  }

  /// Nil for an unmanaged object.
  package init?(_ object: ObjectBase) {
    guard let storage = object.storage, let handle = object.handle else { return nil }
    self.init(handle, table: storage.pointee.table, slot: object.slot)
  }

  /// Whether the row still exists.
  @inline(__always)
  package var isLive: Bool {
    (columns - read.firstAttribute)[TableLayout.liveColumn].byte(row) != 0
  }

  /// Whether the attribute is null.
  @inlinable
  package func isNull(_ attribute: Int) -> Bool { columns[attribute].isNull(row) }

  /// The bits of a number, a link or a collection.
  @inlinable
  package func word(_ attribute: Int) -> UInt64 { columns[attribute].word(row) }

  /// The byte of a truth value.
  @inlinable
  package func byte(_ attribute: Int) -> UInt8 { columns[attribute].byte(row) }

  /// The bytes of a text; they hold while the object does.
  @inlinable
  package func bytes(_ attribute: Int) -> UnsafeRawBufferPointer {
    columns[attribute].bytes(ofWord: columns[attribute].word(row))
  }

  /// The row a link leads to; nil for none.
  package func target(_ attribute: Int) -> RowView? {
    let word = columns[attribute].word(row)
    guard word != 0 else { return nil }
    return RowView(handle, table: columnLayout(attribute).targetTable, slot: Int(word) - 1)
  }

  private func columnLayout(_ attribute: Int) -> ColumnLayout {
    read.layouts[read.firstAttribute + attribute]
  }

  /// Elements of a collection; of a map its pairs.
  package func elementCount(_ attribute: Int) -> Int { Int(columns[attribute].run(row).length) }

  /// An element of a collection: its word or bytes, and for a map its key.
  package func element(_ attribute: Int, _ index: Int) -> (
    word: UInt64, bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, isNull: Bool
  ) {
    let value = columns[attribute].element(
      columns[attribute].run(row), index, columnLayout(attribute))
    return (value.word, value.bytes, value.key, value.isNull)
  }

  /// The row an element of a collection of objects leads to.
  package func elementTarget(_ attribute: Int, word: UInt64) -> RowView? {
    guard word != 0 else { return nil }
    return RowView(handle, table: columnLayout(attribute).targetTable, slot: Int(word) - 1)
  }
}

extension Frozen {
  /// The frozen row.
  package var rowView: RowView {
    RowView(handle, table: entry.table, slot: slot)
  }
}
