import Foundation
import ObjectStore
import StoreCoding

/// A store in a file whose classes no source declares: they are what the file says, and how their JSON is
/// written stands in a class of its own.
struct CacheFile {
  private(set) var configuration: StoreConfiguration
  private let path: String
  private let isInMemory: Bool
  /// The classes that are in the file, as it was opened last.
  private(set) var schemas: [ObjectSchema] = []
  private var notes: [String: Note] = [:]

  /// How the JSON of a class is written, where the file's schema does not say it.
  struct Note {
    var madeKey: String?
    var writesNil: Set<String> = []
    var omitsEmpty: Set<String> = []
    var byKey: Set<String> = []
  }

  /// The class that keeps the notes.
  private static let noteClass = ObjectSchema(
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
    name: "accept-edits", help: "accept what another tool wrote into the file of the store")

  /// The store of a command that only reads.
  init(toRead arguments: Arguments, by command: String) throws {
    try self.init(
      arguments.needed("store", by: command), mustExist: true, readOnly: true,
      acceptsEdits: arguments.has(Self.acceptEdits.name))
  }

  /// - Parameters:
  ///   - mustExist: Whether a file that is not there is an error.
  ///   - acceptsEdits: True if rows that another tool changed are accepted.
  /// - Throws: `CommandError`, `StoreError`.
  init(
    _ path: String, mustExist: Bool, readOnly: Bool = false, inMemory: Bool = false,
    acceptsEdits: Bool
  ) throws {
    self.path = path
    isInMemory = inMemory
    let url = URL(filePath: path)
    let edits: ExternalEdits = acceptsEdits ? .accept : .refuse
    let file = StoreConfiguration.file(
      url, readOnly: readOnly || inMemory, externalEdits: edits
    ).forTool()
    configuration = inMemory ? .inMemory(copyOf: url, externalEdits: edits) : file
    guard FileManager.default.fileExists(atPath: path) else {
      if mustExist { throw CommandError(text: "\(path): there is no such file") }
      return
    }
    let inFile = try Store.schemas(of: file)
    if inFile.contains(where: { $0.className == Self.noteClass.className }) {
      try readNotes(of: file)
    }
    schemas = inFile.filter { $0.className != Self.noteClass.className }.map { schema in
      Self.schema(schema, notes[schema.className])
    }
  }

  private mutating func readNotes(of file: StoreConfiguration) throws {
    let store = try Store(
      configuration: file, schemas: [Self.noteClass], isolation: nil)
    for object in try store.objects(dynamic: Self.noteClass.className) {
      guard let name = object["name"] as? String else { continue }
      notes[name] = Note(
        madeKey: object["madeKey"] as? String,
        writesNil: Set(object["writesNil"] as? List<String> ?? []),
        omitsEmpty: Set(object["omitsEmpty"] as? List<String> ?? []),
        byKey: Set(object["byKey"] as? List<String> ?? []))
    }
  }

  private static func schema(_ schema: ObjectSchema, _ note: Note?) -> ObjectSchema {
    schema.with(
      schema.properties.map { property in
        var options: [Property.Option] = []
        if note?.writesNil.contains(property.name) ?? false { options.append(.writesNil) }
        if note?.omitsEmpty.contains(property.name) ?? false { options.append(.omitsEmpty) }
        if note?.byKey.contains(property.name) ?? false { options.append(.byKey) }
        return property.with(isOptional: property.isOptional, options)
      })
  }

  /// The attribute that was made to tell objects of a class apart.
  func madeKey(of className: String) -> String? { notes[className]?.madeKey }

  /// The class with this name.
  /// - Throws: `CommandError` that names those there are.
  func schema(_ name: String) throws -> ObjectSchema {
    if let schema = schemas.first(where: { $0.className == name }) { return schema }
    let names = schemas.map(\.className).sorted()
    throw CommandError(
      text: "\(path): there is no class '\(name)'; "
        + "it has \(names.isEmpty ? "none" : names.joined(separator: ", "))"
        + Suggestion.clause(Suggestion.nearest(to: name, among: names)))
  }

  /// Whether an attribute of a class is a link of which its file has the key.
  var hasLinksByKey: Bool { notes.values.contains { !$0.byKey.isEmpty } }

  /// The keys of all objects, as a file writes them; no value of one stands for a key of several attributes.
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

  /// Looks whether all that was read of a store could be read: what cannot is empty.
  /// - Throws: `CommandError` that says what cannot.
  static func checkDamage(of store: Store) throws {
    if store.damage.isEmpty { return }
    throw CommandError(
      text: store.damage.map(\.description).joined(separator: "\n"),
      isDamage: store.damage.contains(where: CommandError.isDamage))
  }

  // MARK: - Opening

  /// Opens the store with the classes that are in it.
  func open() throws -> Store {
    try Store(configuration: configuration, schemas: schemas, isolation: nil)
  }

  /// Opens the store with these classes, too, of what stands in a file. Stored values go over to the types that
  /// hold both.
  /// - Throws: `CommandError` with all that does not fit; the store is as it was.
  mutating func open(adding new: InferredSchema, of source: JSONSource) throws -> Store {
    var inexact: Set<String> = []
    while true {
      let joined = JoinedClasses(schemas, new, inexact: inexact)
      if !joined.mistakes.isEmpty { throw try refusal(joined.mistakes, source) }
      do {
        let store = try open(joined)
        schemas = joined.schemas
        noteOptions()
        if let key = new.madeKey { notes[new.root.className]?.madeKey = key }
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
      try mistake.place.map { "\(try source.words(ofPlace: $0)): \(mistake.text)" } ?? mistake.text
    }
    return CommandError(
      text: "\(source.name): it does not fit \(path):\n\(lines.joined(separator: "\n"))"
        + "\nname another class (--class) or another store (--store)")
  }

  private mutating func open(_ joined: JoinedClasses) throws -> Store {
    let schemas = joined.schemas + [Self.noteClass]
    func open(_ configuration: StoreConfiguration) throws -> Store {
      try Store(configuration: configuration, schemas: schemas, isolation: nil)
    }
    let widenings = joined.widenings
    if widenings.isEmpty { return try open(configuration) }
    func widening(_ configuration: StoreConfiguration) -> StoreConfiguration {
      configuration.forTool { try Widening.run(widenings, $0) }
    }
    guard isInMemory else { return try open(widening(configuration)) }
    // What a file holds can change its types, and what is in memory cannot.
    let copy = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).store")
    defer { try? Store.deleteFiles(.file(copy)) }
    try Store(configuration: configuration, schemas: [], isolation: nil).copyNow(to: copy)
    _ = try open(widening(.file(copy)))
    configuration = .inMemory(copyOf: copy)
    return try open(configuration)
  }

  private mutating func noteOptions() {
    for schema in schemas {
      func names(_ option: Property.Option) -> Set<String> {
        Set(schema.properties.filter { $0.options.contains(option) }.map(\.name))
      }
      notes[schema.className, default: Note()].writesNil = names(.writesNil)
      notes[schema.className]?.omitsEmpty = names(.omitsEmpty)
      notes[schema.className]?.byKey = names(.byKey)
    }
  }

  /// Writes the notes of the classes; to be called in a write.
  func writeNotes(_ store: Store) throws {
    for (name, note) in notes {
      try store.create(
        dynamic: Self.noteClass.className,
        value: [
          "name": .init(name), "madeKey": .init(note.madeKey),
          "writesNil": .init(note.writesNil.sorted()),
          "omitsEmpty": .init(note.omitsEmpty.sorted()),
          "byKey": .init(note.byKey.sorted()),
        ], update: .modified)
    }
  }
}
