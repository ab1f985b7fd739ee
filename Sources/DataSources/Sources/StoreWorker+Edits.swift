import ObjectStore

// Edits of a class that tracks them: they are taken when they are sent, and settled by the outcome.

extension StoreWorker {
  /// True if writes of the user are edits.
  static var tracksEdits: Bool { ObjectType.tracksEdits }

  // MARK: - Writes of the user

  /// Puts values of the user, and takes their edits.
  func putEdits(_ values: [Value], in query: any Query) async throws -> EditedValues<Value> {
    let ids = try Self.ids(of: query, count: values.count)
    let store = try current()
    return try await store.asyncWrite {
      var result = PutResult(values: [], keys: [])
      let prerequisite = try store.prerequisite(of: ObjectType.self) {
        result = try self.result(of: placeForUser(values, ids, query, in: store).objects)
        return result.keys
      }
      if let prerequisite {
        return EditedValues(values: result.values, edits: [], prerequisite: prerequisite)
      }
      let edits = try takeEdits(of: result.keys, in: store)
      guard query is any PreviousValueQuery, let edit = edits.first.flatMap(\.self) else {
        return EditedValues(values: result.values, edits: edits)
      }
      return EditedValues(
        values: result.values, edits: edits, pending: try pendingEdit(edit, in: store))
    }
  }

  /// Deletes values for the user, and takes the edits of the deletions, also of earlier ones with the query's ids.
  func deleteEdits(
    _ query: any Query, _ verb: DataSourceError.Verb
  ) async throws -> [Edit?] {
    let store = try current()
    return try await store.asyncWrite { try deleteTakingEdits(query, verb, in: store) }
  }

  private func deleteTakingEdits(
    _ query: any Query, _ verb: DataSourceError.Verb, in store: Store
  ) throws -> [Edit?] {
    let objects = try objects(of: query, verb, in: store)
    // The ids may be those of objects that were deleted earlier.
    let keys: [any ObjectKey] =
      try query.requestedIds.map(Self.keys)
      ?? objects.compactMap(StoreMapping<Value, ObjectType>.key)
    store.delete(objects)
    return try takeEdits(of: keys, in: store)
  }

  private func takeEdits(of keys: [any ObjectKey], in store: Store) throws -> [Edit?] {
    try keys.map { try store.takeEdit(of: ObjectType.self, key: $0) }
  }

  // MARK: - Settling

  /// Confirms edits, and stores the response in the same transaction. Works in a cancelled task as well.
  func confirm(_ edits: [Edit?], with response: [Value]?) throws -> PutResult? {
    let store = try newest()
    return try store.write {
      guard let response, response.count == edits.count else {
        for edit in edits { try edit.map { try store.settle($0, .confirmed) } }
        guard let response else { return nil }
        return try result(of: store.asServer { try place(response, [], in: store) })
      }
      return try result(
        of: zip(edits, response).compactMap { edit, response in
          try confirm(edit, with: response, in: store)
        })
    }
  }

  /// Confirms an edit and stores the response to it. An object that was created gets the key of the response.
  @discardableResult
  private func confirm(
    _ edit: Edit?, with response: Value, in store: Store
  ) throws -> ObjectType? {
    if let edit {
      let key = edit.kind == .created ? try key(of: response, in: store) : nil
      try store.confirm(edit, with: key.map { try ObjectSchema.of(ObjectType.self).keyValues($0) })
    }
    let stored = try store.asServer { try place([response], [], in: store)[0] }
    guard let edit, edit.kind == .created, let key = store.currentKey(of: edit),
      let created = store.object(ofType: ObjectType.self, forPrimaryKey: key),
      !stored.isInvalidated
    else { return stored }
    // The mapper derives another key whenever it maps the value.
    if created != stored { try store.merge(created, into: stored) }
    try store.endRepeatedCreation(of: stored)
    return stored
  }

  private func key(of value: Value, in store: Store) throws -> (any ObjectKey)? {
    try withObjects(for: [value], in: store) {
      $0.first.flatMap(StoreMapping<Value, ObjectType>.key)
    }
  }

  /// Rejects or releases edits. Works in a cancelled task as well.
  func settle(_ edits: [Edit?], rejection: Edit.Rejection?) throws {
    let store = try newest()
    try store.write {
      for case let edit? in edits {
        try store.settle(edit, rejection.map { .rejected($0) } ?? .later)
      }
    }
  }

  // MARK: - Writes of the main source

  /// Stores the response to a put that the main source executed first. If a value has an earlier edit, the put is an edit
  /// that replaces it and is confirmed at once.
  func keep(
    _ response: [Value], replacing values: [Value], in query: any Query
  ) async throws -> PutResult {
    let store = try current()
    return try await store.asyncWrite {
      let keys = try withObjects(for: values, in: store) {
        $0.map(StoreMapping<Value, ObjectType>.key)
      }
      let edited = try zip(values, keys).filter { _, key in
        try key.map { try store.hasEdit(of: ObjectType.self, key: $0) } ?? false
      }
      let ids = values.count == response.count ? try Self.ids(of: query, count: values.count) : []
      for case (let value, let key?) in edited {
        let changed = try placeForUser([value], [key], query, in: store).changed
        let edit = try store.takeEdit(of: ObjectType.self, key: key, only: changed)
        try edit.map { try store.settle($0, .confirmed) }
      }
      return try result(of: store.asServer { try place(response, ids, in: store) })
    }
  }

  /// Deletes values that the main source deleted.
  func deleteConfirmed(_ query: any Query, _ verb: DataSourceError.Verb) async throws {
    let store = try current()
    try await store.asyncWrite {
      for case let edit? in try deleteTakingEdits(query, verb, in: store) {
        try store.settle(edit, .confirmed)
      }
    }
  }

  /// The objects that were created locally and match the query of a list that the main source evaluates like the store.
  func creations(matching query: any Query, in store: Store) throws -> [ObjectType] {
    Array(try results(of: query, .getAll, in: store).edited).filter { $0.isCreatedLocally }
  }

  // MARK: - Uploading

  func upload(
    send: @Sendable (PendingEdit<Value>) async throws -> SentEdit<Value>,
    rejection: @Sendable (DataSourceError) -> Edit.Rejection,
    resolve: @escaping @Sendable (Edit.Conflict) throws -> Edit.Choice,
    while mayContinue: @Sendable () -> Bool
  ) async throws -> Edit.Summary {
    let store = try current()
    // The class may not have been used yet.
    _ = store.objects(ObjectType.self)
    var response: Value?
    return try await store.upload(of: ObjectType.self) { edit in
      response = nil
      guard let pending = try pendingEdit(edit, in: store) else { return .later }
      switch try await send(pending) {
      case .confirmed(let value):
        response = value
        return .confirmed
      case .rejected(let error): return .rejected(rejection(error))
      case .gone: return .gone
      case .conflicting(let value):
        let isDeletionConflict = try value.map { try keepConflicting($0, in: store) } ?? false
        return isDeletionConflict
          ? .rejected(Edit.Rejection(general: ["the main source has another value"])) : .unapplied
      case .later: return .later
      }
    } settle: { edit, outcome in
      guard case .confirmed = outcome, let value = response else {
        return try store.settle(edit, outcome, resolvingBy: resolve)
      }
      try store.write { _ = try confirm(edit, with: value, in: store) }
      return []
    } concernsOneEdit: {
      $0 is EncodingError
    } while: {
      mayContinue()
    }
  }

  /// Stores the state that the server has instead of the one that an edit expects. Returns true if the object was deleted and
  /// has other values now.
  private func keepConflicting(_ value: Value, in store: Store) throws -> Bool {
    try store.write { try store.changesDeletedObject { _ = try place([value], [], in: store) } }
  }

  /// Returns the values of an edit; nil if the object has changed since, so that they are not known.
  private func pendingEdit(_ edit: Edit, in store: Store) throws -> PendingEdit<Value>? {
    guard let key = edit.objectKey else { return nil }
    guard let sent = edit.object(ObjectType.self) else {
      return PendingEdit(kind: edit.kind, key: key, value: nil, previous: nil)
    }
    let excluded = edit.excludedAttributes
    if edit.kind == .created, !excluded.isEmpty,
      let object = store.object(ofType: ObjectType.self, forPrimaryKey: key)
    {
      // Links to objects that the main source does not have yet follow in a second edit.
      let value = try store.rollingBack {
        try store.clear(excluded, of: object)
        return try mapping.value(object)
      }
      return PendingEdit(kind: edit.kind, key: key, value: value, previous: nil)
    }
    var value = try mapping.value(sent.object)
    var previous: Value?
    // The server may not have an object that was deleted and created again, so its changes cannot be sent.
    let hasDifference = !edit.isOfAllAttributes && edit.isDifferenceComplete
    if edit.kind == .edited, hasDifference || !excluded.isEmpty,
      let object = store.object(ofType: ObjectType.self, forPrimaryKey: key)
    {
      // Both in one write, so that they differ only by edits.
      (value, previous) = try store.rollingBack {
        // Links to objects that the main source does not have yet follow in a second edit.
        if !excluded.isEmpty { try store.revertEdits(of: object, names: excluded) }
        let value = try mapping.value(object)
        guard hasDifference else { return (value, nil) }
        try store.revertEdits(of: object)
        return (value, try mapping.value(object))
      }
    }
    return PendingEdit(kind: edit.kind, key: key, value: value, previous: previous)
  }
}
