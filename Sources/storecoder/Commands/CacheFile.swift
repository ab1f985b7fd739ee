import Foundation
import ObjectStore
import StoreCoding

/// A store in a file whose classes no source declares: they are what the file says, and how their JSON is
/// written stands in a class of its own.
struct CacheFile {
  let configuration: StoreConfiguration
  private let path: String
  /// The classes that are in the file, as it was opened last.
  private(set) var schemas: [ObjectSchema] = []
  private var notes: [String: Note] = [:]

  /// How the JSON of a class is written, where the file's schema does not say it.
  struct Note {
    var madeKey: String?
    var writesNil: Set<String> = []
    var omitsEmpty: Set<String> = []
  }

  /// The class that keeps the notes.
  private static let noteClass = ObjectSchema(
    "storecoder_class",
    [
      Property("name", .string, isPrimaryKey: true),
      Property("madeKey", .string, isOptional: true),
      Property("writesNil", .list(.string)),
      Property("omitsEmpty", .list(.string)),
    ])

  /// - Parameter mustExist: Whether a file that is not there is an error.
  /// - Throws: `CommandError`, `StoreError`.
  init(
    _ path: String, mustExist: Bool, readOnly: Bool = false, inMemory: Bool = false
  ) throws {
    self.path = path
    let file = StoreConfiguration.file(URL(filePath: path), readOnly: readOnly || inMemory)
    configuration = inMemory ? .inMemory(copyOf: URL(filePath: path)) : file
    guard FileManager.default.fileExists(atPath: path) else {
      if mustExist { throw CommandError(text: "\(path): there is no such file") }
      return
    }
    let inFile = try Store.schemas(of: file)
    if inFile.contains(where: { $0.className == Self.noteClass.className }) {
      try readNotes(of: file)
    }
    schemas = inFile.filter { $0.className != Self.noteClass.className }.map { schema in
      Self.schema(schema.className, schema.properties, schema.isEmbedded, notes[schema.className])
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
        omitsEmpty: Set(object["omitsEmpty"] as? List<String> ?? []))
    }
  }

  private static func schema(
    _ name: String, _ properties: [Property], _ isEmbedded: Bool, _ note: Note?
  ) -> ObjectSchema {
    ObjectSchema(
      name,
      properties.map { property in
        var options: [Property.Option] = []
        if note?.writesNil.contains(property.name) ?? false { options.append(.writesNil) }
        if note?.omitsEmpty.contains(property.name) ?? false { options.append(.omitsEmpty) }
        return property.with(isOptional: property.isOptional, options)
      }, isEmbedded: isEmbedded)
  }

  /// The attribute that was made to tell objects of a class apart.
  func madeKey(of className: String) -> String? { notes[className]?.madeKey }

  /// The class with this name.
  /// - Throws: `CommandError` that names those there are.
  func schema(_ name: String) throws -> ObjectSchema {
    if let schema = schemas.first(where: { $0.className == name }) { return schema }
    let names = schemas.map(\.className).sorted().joined(separator: ", ")
    throw CommandError(
      text: "\(path): there is no class '\(name)'; it has \(names.isEmpty ? "none" : names)")
  }

  // MARK: - Opening

  /// Opens the store with the classes that are in it.
  func open() throws -> Store {
    try Store(configuration: configuration, schemas: schemas, isolation: nil)
  }

  /// Opens the store with these classes, too. What the file has already is what the two have in common.
  /// - Throws: `CommandError` with all that does not fit.
  mutating func open(adding new: InferredSchema) throws -> Store {
    var mistakes: [String] = []
    for schema in new.classes {
      let known = schemas.firstIndex { $0.className == schema.className }
      let joined = known.map { Self.join(schemas[$0], schema, new.vague, &mistakes) } ?? schema
      if let known { schemas[known] = joined } else { schemas.append(joined) }
    }
    relaxTargets(of: new)
    noteOptions()
    if let key = new.madeKey { notes[new.root.className]?.madeKey = key }
    if !mistakes.isEmpty {
      throw CommandError(
        text: "\(path): the file's classes are others:\n" + mistakes.joined(separator: "\n")
          + "\nname another class (--class) or another store (--store)")
    }
    return try Store(
      configuration: configuration, schemas: schemas + [Self.noteClass], isolation: nil)
  }

  private mutating func noteOptions() {
    for schema in schemas {
      func names(_ option: Property.Option) -> Set<String> {
        Set(schema.properties.filter { $0.options.contains(option) }.map(\.name))
      }
      notes[schema.className, default: Note()].writesNil = names(.writesNil)
      notes[schema.className]?.omitsEmpty = names(.omitsEmpty)
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
        ], update: .modified)
    }
  }

  // MARK: - Two schemas of one class

  /// Objects without members came where the file has a class: they lack all that it has.
  private mutating func relaxTargets(of new: InferredSchema) {
    for schema in schemas {
      let vague = schema.properties.filter { new.vague.contains("\(schema.className).\($0.name)") }
      for target in vague.compactMap(\.objectClassName) {
        guard let index = schemas.firstIndex(where: { $0.className == target }),
          new.classes.allSatisfy({ $0.className != target })
        else { continue }
        schemas[index] = ObjectSchema(
          target, schemas[index].properties.map(\.lackedByNew),
          isEmbedded: schemas[index].isEmbedded)
      }
    }
  }

  private static func join(
    _ old: ObjectSchema, _ new: ObjectSchema, _ vague: Set<String>, _ mistakes: inout [String]
  ) -> ObjectSchema {
    if old.primaryKeyProperty?.name != new.primaryKeyProperty?.name {
      func words(_ schema: ObjectSchema) -> String {
        if schema.isEmbedded { return "part of other objects" }
        return schema.primaryKeyProperty.map { "told apart by '\($0.name)'" } ?? "without a key"
      }
      mistakes.append("\(old.className): its objects are \(words(old)), now \(words(new))")
      return old
    }
    var properties = old.properties.map { property in
      guard let other = new[property.name] else {
        return property.lackedByNew
      }
      if vague.contains("\(old.className).\(property.name)") {
        // Nil elements are no nil collection.
        return property.with(
          isOptional: !property.isCollection || property.isOptional, property.options)
      }
      return join(property, other, old.className, &mistakes)
    }
    for property in new.properties where old[property.name] == nil {
      // Old ones lack it.
      properties.append(
        property.isCollection
          ? property.with(isOptional: property.isOptional, property.options + [.omitsEmpty])
          : property.with(isOptional: true, property.options.filter { $0 != .writesNil }))
    }
    return ObjectSchema(old.className, properties, isEmbedded: old.isEmbedded)
  }

  private static func join(
    _ old: Property, _ new: Property, _ className: String, _ mistakes: inout [String]
  ) -> Property {
    let isOptional = old.isOptional || new.isOptional
    let options = [Property.Option.writesNil, .omitsEmpty].filter { option in
      option == .omitsEmpty
        ? old.options.contains(option) || new.options.contains(option)
        : old.options.contains(option) && new.options.contains(option)
    }
    if old.isSame(as: new) { return old.with(isOptional: isOptional, options) }
    if old.shape.form == .scalar, old.type == .json { return old.with(isOptional: true, []) }
    if old.shape.form == .scalar, old.type == .double, new.shape.form == .scalar, new.type == .int {
      return old.with(isOptional: isOptional, options)
    }
    mistakes.append("\(className).\(old.name): \(old.shape.name), now \(new.shape.name)")
    return old
  }
}

extension Property {
  var isCollection: Bool { shape.isCollection }

  /// The same with other options, of the two that a class of a file has; what is optional stays so.
  func with(isOptional: Bool, _ options: [Option]) -> Property {
    Property(
      name, shape, isPrimaryKey: isPrimaryKey, isOptional: isOptional && !isPrimaryKey,
      isIndexed: isIndexed,
      options: [.writesNil, .omitsEmpty].filter { options.contains($0) })
  }

  /// The same where new objects lack it.
  fileprivate var lackedByNew: Property {
    isCollection
      ? with(isOptional: isOptional, options + [.omitsEmpty])
      : with(isOptional: true, options.filter { $0 != .writesNil })
  }

  fileprivate func isSame(as other: Property) -> Bool {
    shape.form == other.shape.form && type == other.type
      && objectClassName == other.objectClassName && shape.scalar?.kind == other.shape.scalar?.kind
  }
}
