import Foundation
import ObjectStore
import StoreCoding

/// A store file whose classes are not declared in source code. The schema comes from the file; the options of its
/// JSON are stored in a separate class.
struct CacheFile {
  private(set) var configuration: StoreConfiguration
  private let path: String
  private let isInMemory: Bool
  /// The classes in the file when it was last opened.
  private(set) var schemas: [ObjectSchema] = []
  /// The options by class name.
  private var options: [String: JSONOptions] = [:]

  /// The JSON options of a class, which are not part of the file's schema.
  struct JSONOptions {
    var syntheticKey: String?
    var writesNil: Set<String> = []
    var omitsEmpty: Set<String> = []
    var byKey: Set<String> = []
  }

  /// The class that stores the options.
  private static let optionsClass = ObjectSchema(
    "storecoder_class",
    [
      Property("name", .string, isPrimaryKey: true),
      Property("madeKey", .string, isOptional: true),
      Property("writesNil", .list(.string)),
      Property("omitsEmpty", .list(.string)),
      Property("byKey", .list(.string)),
    ])

  /// The option of all commands that open a store.
  static let acceptEdits = Command.Option(
    name: "accept-edits", help: "accept changes that another tool made to the store")

  /// Creates a store in memory without classes, for the objects of a file.
  init(forObjectsOf path: String) {
    self.path = path
    isInMemory = true
    configuration = .inMemory()
  }

  /// Opens the store of a command that only reads.
  init(toRead arguments: Arguments, by command: String) throws {
    try self.init(
      arguments.needed("store", by: command), mustExist: true, readOnly: true,
      acceptsEdits: arguments.has(Self.acceptEdits.name))
  }

  /// - Parameters:
  ///   - mustExist: True if a missing file is an error.
  ///   - acceptsEdits: True to accept rows that another tool changed.
  /// - Throws: `CommandError`, `StoreError`.
  init(
    _ path: String, mustExist: Bool, readOnly: Bool = false, inMemory: Bool = false,
    acceptsEdits: Bool
  ) throws {
    self.path = path
    isInMemory = inMemory
    let url = URL(filePath: path)
    let edits: StoreConfiguration.ExternalEdits = acceptsEdits ? .accept : .refuse
    let file = StoreConfiguration.file(
      url, readOnly: readOnly || inMemory, externalEdits: edits
    ).forTool()
    configuration = inMemory ? .inMemory(copyOf: url, externalEdits: edits) : file
    guard FileManager.default.fileExists(atPath: path) else {
      if mustExist { throw CommandError(text: "\(path): there is no such file") }
      return
    }
    let inFile = try Store.schemas(of: file)
    if inFile.contains(where: { $0.className == Self.optionsClass.className }) {
      try readOptions(of: file)
    }
    schemas = inFile.filter { $0.className != Self.optionsClass.className }.map { schema in
      Self.schema(schema, options[schema.className])
    }
  }

  private mutating func readOptions(of file: StoreConfiguration) throws {
    let store = try Store(
      configuration: file, schemas: [Self.optionsClass], isolation: nil)
    for object in try store.objects(dynamic: Self.optionsClass.className) {
      guard let name = object["name"] as? String else { continue }
      options[name] = JSONOptions(
        syntheticKey: object["madeKey"] as? String,
        writesNil: Set(object["writesNil"] as? List<String> ?? []),
        omitsEmpty: Set(object["omitsEmpty"] as? List<String> ?? []),
        byKey: Set(object["byKey"] as? List<String> ?? []))
    }
  }

  private static func schema(_ schema: ObjectSchema, _ stored: JSONOptions?) -> ObjectSchema {
    schema.with(
      schema.properties.map { property in
        var options: [Property.Option] = []
        if stored?.writesNil.contains(property.name) ?? false { options.append(.writesNil) }
        if stored?.omitsEmpty.contains(property.name) ?? false { options.append(.omitsEmpty) }
        if stored?.byKey.contains(property.name) ?? false { options.append(.byKey) }
        return property.with(isOptional: property.isOptional, options)
      })
  }

  /// The synthetic key attribute of a class; nil if the class has none.
  func syntheticKey(of className: String) -> String? { options[className]?.syntheticKey }

  /// Returns the class with this name.
  /// - Throws: `CommandError` that lists the existing classes.
  func schema(_ name: String) throws -> ObjectSchema {
    if let schema = schemas.first(where: { $0.className == name }) { return schema }
    let names = schemas.map(\.className).sorted()
    throw CommandError(
      text: "\(path): there is no class '\(name)'; "
        + "the file has \(names.isEmpty ? "none" : names.joined(separator: ", "))"
        + Suggestion.clause(Suggestion.nearest(to: name, among: names)))
  }

  /// The attributes of a class that are strings; none if there is no such class.
  func strings(of className: String) -> Set<String> {
    let schema = schemas.first { $0.className == className }
    let strings = schema?.properties.filter { $0.type == .string && $0.shape.form == .scalar } ?? []
    return Set(strings.map(\.name))
  }

  /// Returns the class with a name or, if there is none, the classes whose objects have exactly these attributes.
  func classNames(withNames names: Set<String>, or className: String) -> [String] {
    if schemas.contains(where: { $0.className == className }) { return [className] }
    return schemas.filter { schema in
      let synthetic = syntheticKey(of: schema.className)
      return !schema.isEmbedded
        && Set(schema.properties.map(\.name).filter { $0 != synthetic }) == names
    }.map(\.className).sorted()
  }

  /// True if a class has a link that its JSON represents by the key of the target.
  var hasLinksByKey: Bool { options.values.contains { !$0.byKey.isEmpty } }

  /// Returns hashes of the keys of all objects in their JSON form. Classes with compound keys are omitted: no
  /// single JSON value represents such a key.
  func keys() throws -> StoredKeys {
    var keys: StoredKeys = [:]
    let keyed = schemas.filter(\.compoundKey.isEmpty)
      .compactMap { schema in schema.primaryKeyProperty.map { (schema, $0.name) } }
    if keyed.isEmpty { return keys }
    let store = try open()
    for (schema, name) in keyed {
      let texts = try store.objects(dynamic: schema.className).map { object in
        (object[name] as? String).map(JSONOutput.text) ?? CellText.text(object[name])
      }
      keys[schema.className] = (
        schema, Set(texts.map { text in Array(text.utf8).withUnsafeBytes(KeySamples.hash) })
      )
    }
    try Self.checkDamage(of: store)
    return keys
  }

  /// Throws an error if reading has found damage in the store, because damaged attributes read as empty.
  /// - Throws: `CommandError` that lists the damage.
  static func checkDamage(of store: Store) throws {
    if store.damage.isEmpty { return }
    throw CommandError(
      text: store.damage.map(\.description).joined(separator: "\n"),
      isDamage: store.damage.contains(where: CommandError.isDamage))
  }

  /// True if another process has changed the classes or the types of their attributes since the file was opened.
  var hasOtherClasses: Bool {
    guard !isInMemory, let inFile = try? Store.schemas(of: configuration) else { return false }
    func names(_ schemas: [ObjectSchema]) -> Set<String> {
      Set(
        schemas.filter { $0.className != Self.optionsClass.className }.flatMap { schema in
          [schema.className]
            + schema.properties.map { "\(schema.className).\($0.name): \($0.shape.name)" }
        })
    }
    return names(inFile) != names(schemas)
  }

  // MARK: - Opening

  /// Opens the store with its existing classes.
  func open() throws -> Store {
    try Store(configuration: configuration, schemas: schemas, isolation: nil)
  }

  /// Opens the store with its classes and those of a JSON file. Stored values are converted to types that can represent
  /// the values of both.
  /// - Throws: `CommandError` with all incompatibilities; the store is unchanged then.
  mutating func open(adding new: InferredSchema, of source: JSONSource) throws -> Store {
    var inexact: Set<String> = []
    while true {
      let joined = JoinedClasses(schemas, new, inexact: inexact)
      if !joined.mistakes.isEmpty { throw try refusal(joined.mistakes, source) }
      do {
        let store = try open(joined)
        schemas = joined.schemas
        updateOptions()
        if let key = new.syntheticKey { options[new.root.className]?.syntheticKey = key }
        return store
      } catch let error as Widening.Inexact {
        guard inexact.insert("\(error.className).\(error.name)").inserted else { throw error }
      }
    }
  }

  private func refusal(
    _ mistakes: [JoinedClasses.Mistake], _ source: JSONSource
  ) throws -> CommandError {
    let lines = try mistakes.map { mistake in
      try mistake.byteOffset.map { "\(try source.position(atOffset: $0)): \(mistake.text)" }
        ?? mistake.text
    }
    return CommandError(
      text: "\(source.name): the file does not match \(path):\n\(lines.joined(separator: "\n"))"
        + "\nchoose another class (--class) or another store (--store)")
  }

  private mutating func open(_ joined: JoinedClasses) throws -> Store {
    let schemas = joined.schemas + [Self.optionsClass]
    func open(_ configuration: StoreConfiguration) throws -> Store {
      try Store(configuration: configuration, schemas: schemas, isolation: nil)
    }
    let widenings = joined.widenings
    if widenings.isEmpty { return try open(configuration) }
    func widening(_ configuration: StoreConfiguration) -> StoreConfiguration {
      configuration.forTool { try Widening.run(widenings, $0) }
    }
    guard isInMemory else { return try open(widening(configuration)) }
    // A migration can change types in a file, but not in a store in memory.
    // The content is as private as the store.
    let folder = FileManager.default.temporaryDirectory.appending(path: "storecoder-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "copy.store")
    try Store(configuration: configuration, schemas: [], isolation: nil).copyNow(to: copy)
    _ = try open(widening(.file(copy)))
    configuration = .inMemory(copyOf: copy)
    return try open(configuration)
  }

  private mutating func updateOptions() {
    for schema in schemas {
      func names(_ option: Property.Option) -> Set<String> {
        Set(schema.properties.filter { $0.options.contains(option) }.map(\.name))
      }
      options[schema.className, default: JSONOptions()].writesNil = names(.writesNil)
      options[schema.className]?.omitsEmpty = names(.omitsEmpty)
      options[schema.className]?.byKey = names(.byKey)
    }
  }

  /// Stores the options of the classes. Precondition: a write transaction is open.
  func writeOptions(_ store: Store) throws {
    for (name, options) in options {
      try store.create(
        dynamic: Self.optionsClass.className,
        value: [
          "name": .init(name), "madeKey": .init(options.syntheticKey),
          "writesNil": .init(options.writesNil.sorted()),
          "omitsEmpty": .init(options.omitsEmpty.sorted()),
          "byKey": .init(options.byKey.sorted()),
        ], update: .modified)
    }
  }
}
