import Foundation
import ObjectStore
import StoreCoding

/// The arguments and options that `import` and `diff` share.
struct ImportOptions {
  let source: JSONSource
  let store: String
  let acceptsEdits: Bool
  /// True if the file contains all objects of the scope, so that the others of the scope are deleted.
  let isComplete: Bool
  private let condition: String?
  private let ignoresGuard: Bool
  private let className: String?
  private let key: String?
  private let makesLinks: Bool
  /// True if the store is only compared with the file.
  private let isComparison: Bool

  static let fileHelp =
    "a JSON document, objects that follow each other (NDJSON), or CSV; - for the standard input"

  /// The options that describe a file.
  static let fileOptions = [
    Command.Option(
      name: "class", value: "NAME",
      help: "the class of the objects; default: named after the envelope or the file"),
    Command.Option(
      name: "key", value: "NAME",
      help: "the member that is the key; default: id, _id, uuid, guid or identifier"),
    Command.Option(
      name: "envelope", value: "PATH",
      help: "the path of the objects in the document, as in data.users"),
    Command.Option(
      name: "csv", help: "the file is CSV, as are files that end in .csv or .tsv"),
    links,
  ]

  static let options =
    [
      Command.Option(name: "store", value: "STORE", help: "the file of the store")
    ] + fileOptions + [
      Command.Option(
        name: "complete", help: "the file has all objects of the class: delete those that it lacks"),
      Command.Option(
        name: "where", value: "CONDITION",
        help: "with --complete: the file has all objects that match the condition"),
      Command.Option(
        name: "force",
        help: "with --complete: delete the objects even if there are suspiciously many"
      ),
      CacheFile.acceptEdits,
    ]

  static let links = Command.Option(
    name: "links", help: "turn user_id, userIds … into links if all values are keys of User objects"
  )

  /// - Parameters:
  ///   - path: The path of the file.
  ///   - store: The path of the store, or the name of a new store in memory for messages.
  init(
    _ arguments: Arguments, of path: String, into store: String, isInMemory: Bool = false,
    by command: String
  ) throws {
    self.store = store
    let acceptsEdits = arguments.has(CacheFile.acceptEdits.name)
    self.acceptsEdits = acceptsEdits
    let className = try arguments.className(by: command)
    self.className = className
    source = try JSONSource(
      path, envelope: arguments[option: "envelope"], isTable: arguments.has("csv")
    ) { name, columns in
      if isInMemory { return [] }
      let cache = try CacheFile(store, mustExist: false, readOnly: true, acceptsEdits: acceptsEdits)
      let found = className == nil ? cache.classNames(withNames: Set(columns), or: name) : []
      return cache.strings(of: className ?? (found.count == 1 ? found[0] : name))
    }
    key = arguments[option: "key"]
    makesLinks = arguments.has("links")
    isComparison = command == "diff"
    isComplete = arguments.has("complete")
    condition = arguments[option: "where"]
    ignoresGuard = arguments.has("force")
    for name in ["where", "force"] where !isComplete && arguments[option: name] != nil {
      throw UsageError(text: "--\(name) needs --complete", command: command)
    }
  }

  /// Begins the complete list of the file's objects; nil if the file need not contain all objects.
  func completeList(of className: String, _ coder: StoreCoder) throws -> ListPages<DynamicObject>? {
    guard isComplete else { return nil }
    return try coder.pages(
      of: DynamicObject.self, dynamic: className,
      complete: condition.map { .filter($0) } ?? .all,
      guard: ignoresGuard ? ListGuard(allowsEmpty: true, count: .max) : ListGuard())
  }

  /// Deletes the objects that the file lacks, in one transaction.
  ///
  /// - Returns: The number of deleted objects; nil if the file need not contain all objects.
  func finish(_ list: ListPages<DynamicObject>?) throws -> Int? {
    do {
      return try list?.finish()
    } catch let error as StoreCodingError {
      throw CommandError(text: "\(source.name): \(error)\n--force deletes them")
    }
  }

  /// Reads the whole file and infers its classes.
  func schema(_ progress: Progress, for cache: CacheFile) throws -> InferredSchema {
    let makesLinks = makesLinks || cache.hasLinksByKey
    let links = makesLinks ? try cache.keys() : nil
    func shape(notesParts: Bool) throws -> ObjectShape {
      try source.shape(progress, notesKeys: makesLinks, notesParts: notesParts)
    }
    let objects = try shape(notesParts: false)
    let name = try className ?? self.className(of: objects, in: cache)
    // A misspelled name would make another class, and delete nothing.
    if isComplete, !cache.schemas.isEmpty { _ = try cache.schema(name) }
    let compoundKey = cache.schemas.first { $0.className == name }?.compoundKey ?? []
    let found = try SchemaMaker.schema(
      of: objects, named: name, key: key, compoundKey: compoundKey, links: links)
    func fits(_ schema: InferredSchema) -> Bool {
      JoinedClasses(cache.schemas, schema).mistakes.isEmpty
    }
    if !StoredShapes.haveCycles(cache.schemas) || fits(found) { return found }
    // An object on a cycle is written in full only once, so a single occurrence may not reveal all attributes of
    // its class.
    let parts = try shape(notesParts: true)
    guard let stored = StoredShapes(of: parts, named: name, in: cache.schemas) else { return found }
    let joined = try SchemaMaker.schema(
      of: parts, named: name, key: key, compoundKey: compoundKey, links: links, stored: stored)
    return fits(joined) ? joined : found
  }
}

extension ImportOptions {
  /// Returns the class of objects for which the command line names none.
  ///
  /// It is named after the file, unless only another class of the store has the same keys. A comparison then uses that
  /// class. An import does not: it could overwrite objects that the file does not mean.
  /// - Throws: `CommandError` if the choice is the user's.
  private func className(of objects: ObjectShape, in cache: CacheFile) throws -> String {
    let name = source.className
    let found = cache.classNames(withNames: Set(objects.members.map(\.name)), or: name)
    guard let first = found.first, first != name else { return name }
    let words =
      found.count == 1
      ? "the class \(first) of \(store) has the keys of its objects"
      : "the classes \(found.joined(separator: ", ")) of \(store) have the keys of its objects"
    guard found.count == 1, isComparison else {
      let choices = (found + [name]).map { "--class \($0)" }
      throw CommandError(
        text: "\(source.name): \(words); choose \(choices.dropLast().joined(separator: ", ")), or "
          + "\(choices.last ?? "") for a new class")
    }
    Terminal.write(
      Terminal.printable(
        "storecoder: \(source.name) is compared with the class \(first), which has the same keys\n"),
      to: .standardError)
    return first
  }
}
