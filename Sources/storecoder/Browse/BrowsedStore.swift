import Foundation
import JSONText
import ObjectStore
import StoreCoding

/// The data of the inspector. Each call reads the newest commit with a handle of its own, so that requests may run at the same
/// time.
struct BrowsedStore: Sendable {
  let isWritable: Bool
  private let cache: CacheFile
  private let name: String

  /// The maximum number of objects in a response.
  private static let pageLimit = 500

  init(_ cache: CacheFile, name: String, isWritable: Bool) {
    self.cache = cache
    self.name = name
    self.isWritable = isWritable
  }

  private func open() throws -> Store {
    let store = try cache.open()
    store.refresh()
    return store
  }

  /// The number of the newest commit, and a message about a change that needs the user.
  func version() throws -> JSONValue {
    let store = try open()
    try CacheFile.checkDamage(of: store)
    return [
      "version": .int(Int64(clamping: store.version)),
      "notice": cache.hasOtherClasses
        ? .string("The classes have changed. Start the command again to see them.") : .null,
    ]
  }

  // MARK: - Classes

  /// The classes with their attributes and numbers of objects.
  func overview() throws -> JSONValue {
    let store = try open()
    let classes = try cache.schemas.sorted { $0.className < $1.className }.map {
      schema -> JSONValue in
      let count = schema.isEmbedded ? 0 : try store.objects(dynamic: schema.className).count
      return [
        "name": .string(schema.className), "count": .int(Int64(count)),
        "isEmbedded": .bool(schema.isEmbedded),
        "key": .array(schema.keyNames.map { .string($0) }),
        "attributes": .array(schema.properties.map { json($0, of: schema) }),
      ]
    }
    try CacheFile.checkDamage(of: store)
    return [
      "name": .string(name), "isWritable": .bool(isWritable), "classes": .array(classes),
      "editCount": .int(Int64(try store.pendingEdits().count)),
    ]
  }

  private func json(_ property: Property, of schema: ObjectSchema) -> JSONValue {
    let isMadeKey = property.isPrimaryKey && !schema.compoundKey.isEmpty
    return [
      "name": .string(property.name), "type": .string(property.shape.name),
      "target": property.objectClassName.map { .string($0) } ?? .null,
      "isNumeric": .bool(QueryColumn(property).isNumeric),
      "isValue": .bool(property.shape.form == .scalar && !isMadeKey),
      "isSortable": .bool(property.shape.form == .scalar && property.type != .json),
    ]
  }

  // MARK: - Objects

  /// A part of the objects of a class that meet a condition, in an order.
  func objects(_ query: BrowseQuery) throws -> JSONValue {
    let store = try open()
    let schema = try cache.schema(query["class"] ?? "")
    var results = try store.objects(dynamic: schema.className)
    if let filter = query["filter"] { results = try results.filter(StorePredicate(filter)) }
    if let name = query["sort"] {
      let order = StoreSortDescriptor(names: [name], ascending: query["descending"] == nil)
      results = try results.sorted(by: [order])
    }
    let count = results.count
    let (offset, limit) = Self.page(query, of: count)
    let values = BrowsedValues(store, cache, textLimit: 200, elementLimit: 3)
    let objects = try results.limit(limit, offset: offset).enumerated().map {
      try values.json(
        of: $1, index: query["filter"] == nil && query["sort"] == nil ? offset + $0 : nil)
    }
    try CacheFile.checkDamage(of: store)
    return ["count": .int(Int64(count)), "offset": .int(Int64(offset)), "objects": .array(objects)]
  }

  /// Returns the part of a list to show: its last page if the offset is beyond the end.
  private static func page(_ query: BrowseQuery, of count: Int) -> (offset: Int, limit: Int) {
    let limit = min(max(1, query.number("limit") ?? 100), pageLimit)
    let last = max(0, count - 1) / limit * limit
    return (min(max(0, query.number("offset") ?? 0), last), limit)
  }

  /// An object with all of its values, and the objects that link to it.
  func object(_ query: BrowseQuery) throws -> JSONValue {
    let store = try open()
    let object = try find(query, in: store)
    let values = BrowsedValues(store, cache, textLimit: 1 << 20, elementLimit: 200)
    let json = try values.json(of: object, index: query.number("index"))
    let links = try inverseLinks(to: object, in: store, values)
    try CacheFile.checkDamage(of: store)
    return ["object": json, "inverse": .array(links)]
  }

  /// - Throws: `CommandError` if there is no such object.
  private func find(_ query: BrowseQuery, in store: Store) throws -> DynamicObject {
    let schema = try cache.schema(query["class"] ?? "")
    let all = try store.objects(dynamic: schema.className)
    if let index = query.number("index") {
      if all.indices.contains(index) { return all[index] }
      throw CommandError(text: "\(schema.className): there is no object \(index)")
    }
    let text = query["key"] ?? "[]"
    let keys = try Self.cells(text)
    let properties = schema.keyNames.compactMap { schema[$0] }
    guard !keys.isEmpty, keys.count == properties.count else {
      throw CommandError(text: "\(schema.className): '\(text)' is not a key")
    }
    var results = all
    for (property, key) in zip(properties, keys) {
      results = try results.filter(
        StorePredicate(
          "\(Self.queryName(property.name)) == %@", Self.value(key, of: property)))
    }
    guard let object = results.first else {
      throw CommandError(text: "\(schema.className): there is no object with the key \(text)")
    }
    return object
  }

  /// Returns a name as a condition spells it, whatever its characters are.
  private static func queryName(_ name: String) -> String { "#" + JSONOutput.text(name) }

  /// Parses a JSON array of the values of a key.
  private static func cells(_ text: String) throws -> [Cell] {
    var reader = JSONReader(
      try Array(text.utf8).withUnsafeBytes { try JSONInput(copying: $0, encoding: .utf8) })
    var cells: [Cell] = []
    guard try reader.beginArray() else { return cells }
    repeat { cells.append(try Cell(json: reader.rawValue())) } while try reader.arrayContinues()
    try reader.finish()
    return cells
  }

  /// Returns a value of a key as a query expects it.
  private static func value(_ key: Cell, of property: Property) throws -> Any? {
    let text = key.plainText
    switch property.type {
    case .int: return Int(text) ?? UInt64(text) as Any?
    case .uuid: return UUID(uuidString: text)
    case .date: return try Date(text, strategy: .iso8601)
    case .bool: return key == .bool(true)
    default: return text
    }
  }

  // MARK: - Inverse links

  /// The objects that link to an object, by class and path of the link.
  private func inverseLinks(
    to object: DynamicObject, in store: Store, _ values: BrowsedValues
  ) throws -> [JSONValue] {
    let target = object.objectSchema.className
    var links: [JSONValue] = []
    for schema in cache.schemas.sorted(by: { $0.className < $1.className })
    where !schema.isEmbedded {
      for path in paths(from: schema, to: target) {
        let name = path.names.map(Self.queryName).joined(separator: ".")
        let format = path.isCollection ? "ANY \(name) == %@" : "\(name) == %@"
        let results = try store.objects(dynamic: schema.className)
          .filter(StorePredicate(format, object))
        let count = results.count
        if count == 0 { continue }
        links.append([
          "class": .string(schema.className),
          "path": .string(path.names.joined(separator: ".")),
          "count": .int(Int64(count)),
          "objects": .array(results.limit(50).map { values.link(to: $0) }),
        ])
      }
    }
    return links
  }

  private struct LinkPath {
    var names: [String]
    /// True if the path leads through a collection.
    var isCollection: Bool
  }

  /// The paths of links from a class to another one, also through embedded objects.
  private func paths(
    from schema: ObjectSchema, to target: String, through: [String] = []
  ) -> [LinkPath] {
    schema.properties.filter(\.isStored).flatMap { property -> [LinkPath] in
      guard let name = property.objectClassName else { return [] }
      if name == target {
        return [LinkPath(names: [property.name], isCollection: property.shape.isCollection)]
      }
      guard let embedded = cache.schemas.first(where: { $0.className == name }),
        embedded.isEmbedded, !through.contains(name)
      else { return [] }
      return paths(from: embedded, to: target, through: through + [name]).map { rest in
        LinkPath(
          names: [property.name] + rest.names,
          isCollection: property.shape.isCollection || rest.isCollection)
      }
    }
  }

  // MARK: - Edits

  /// A part of the edits that the server has not confirmed, in the order in which they would be sent.
  func edits(_ query: BrowseQuery) throws -> JSONValue {
    let store = try open()
    let values = BrowsedValues(store, cache, textLimit: 1_000, elementLimit: 0)
    let all = try store.pendingEdits()
    let (offset, limit) = Self.page(query, of: all.count)
    let edits = try all.dropFirst(offset).prefix(limit).map { edit -> JSONValue in
      let json = edit.json
      let attributes = edit.attributes.map { name -> JSONValue in
        let change = json["attributes"]?[name]
        return [
          "name": .string(name), "isKnown": .bool(change?["old"] != nil),
          "server": values.json(change?["old"] ?? .null),
          "local": values.json(change?["new"] ?? .null),
        ]
      }
      return [
        "object": ["link": .string(edit.className), "key": .array(try key(of: edit))],
        "edit": ["kind": .string(edit.kind.rawValue), "attributes": .array(attributes)],
        "isInFlight": .bool(edit.isInFlight),
        "rejection": edit.rejection.map { .string("\($0)") } ?? .null,
      ]
    }
    try CacheFile.checkDamage(of: store)
    return [
      "count": .int(Int64(all.count)), "offset": .int(Int64(offset)), "edits": .array(edits),
    ]
  }

  /// The values of the key of an edited object.
  private func key(of edit: Edit) throws -> [JSONValue] {
    let names = try cache.schema(edit.className).keyNames
    let parts = names.count > 1 ? names.map { edit.value(of: $0) } : [edit.key]
    return parts.map { part in
      switch part {
      case .bool(let flag): .bool(flag)
      case .int(let number): BrowsedValues.number("\(number)")
      case .string(let text): .string(text)
      case let part?: .string("\(part)")
      case nil: .null
      }
    }
  }

  // MARK: - Changes

  /// Sets an attribute of an object, as the user.
  /// - Parameter body: The value, as JSON.
  func update(_ query: BrowseQuery, _ body: Data) throws {
    let store = try open()
    let object = try find(query, in: store)
    let schema = object.objectSchema
    if schema.keyNames.isEmpty {
      throw CommandError(text: "\(schema.className): only objects with a key can be changed here")
    }
    let name = query["attribute"] ?? ""
    guard let property = schema[name], property.isStored else {
      throw CommandError(text: "\(schema.className): \(schema.unknownName(name))")
    }
    if property.isPrimaryKey || schema.keyNames.contains(name) {
      throw CommandError(text: "\(schema.className).\(name): the key cannot be changed here")
    }
    var members: [String] = []
    do {
      var reader = JSONReader(
        try body.withUnsafeBytes { try JSONInput(copying: $0) }, dialect: .strict)
      members.append(
        "\(JSONOutput.text(name)):\(String(decoding: try reader.rawValue(), as: UTF8.self))")
      try reader.finish()
    } catch let error as JSONError {
      throw CommandError(text: "the value is not valid JSON: \(error.message)")
    }
    let key = try JSONOutput(store, cache).values(of: object, schema.keyNames)
    members += key.map { "\(JSONOutput.text($0)):\($1.jsonText)" }
    var configuration = StoreCoder.Configuration.default
    configuration.keys = .asDeclared
    let update = try StoreCoder(store: store, configuration: configuration).updateDictionary(
      dynamic: schema.className, from: Data("{\(members.joined(separator: ","))}".utf8))
    try store.write {
      _ = try store.create(dynamic: schema.className, value: update, update: .modified)
    }
  }

  /// Deletes an object, as the user.
  func delete(_ query: BrowseQuery) throws {
    let store = try open()
    let object = try find(query, in: store)
    try store.write { store.delete(object) }
  }
}
