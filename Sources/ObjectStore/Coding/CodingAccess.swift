// What the coder needs of the store besides its public face: rows in, rows out.

extension Property {
  /// Its place among the stored attributes: the index of its cell in a row of a batch.
  package func attribute(in schema: ObjectSchema) -> Int { column - schema.firstAttribute }
}

extension ObjectSchema {
  /// Tells the schemas of one store apart.
  package var schemaID: ObjectIdentifier { ObjectIdentifier(self) }

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
    let kept = DecodedRows(batch, text, handle.classes.byTable)
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
  /// Leaves the row out: something later in the payload took its place.
  package func drop() { header.pointee.flags |= Self.isDropped }
}

extension Frozen {
  /// The frozen row.
  package var rowView: RowView {
    RowView(handle, table: entry.table, slot: slot)
  }
}
