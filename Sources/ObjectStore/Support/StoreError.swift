public import Foundation

/// What the object store could not do, and why.
///
///     Animal.legs: expected Int, found String "four"
///
/// The cases of ``Kind`` say which rule was broken; `description` says it for people.
public struct StoreError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// Which rule was broken, with what a message needs.
  public enum Kind: Sendable, Hashable {
    /// A value does not fit the attribute's type.
    case typeMismatch(attribute: String, expected: String, found: String)
    /// A number outside the range of the attribute's type.
    case outOfRange(attribute: String, expected: String, found: String)
    /// Null for an attribute that is not optional.
    case nullForNonOptional(attribute: String)
    /// A text or data value of 16 MiB or more. Assigning one makes its write throw this at the end.
    case valueTooLarge(attribute: String, byteCount: Int)
    /// The texts, or the elements, that the collections of up to 256 objects hold under one attribute
    /// would be more than 4 GiB of text or 32 GiB of elements.
    case collectionsTooLarge(attribute: String)
    /// The class has had 4,294,967,294 objects since the store was opened; it takes no more.
    case tooManyObjects(className: String)
    /// The update has no primary key.
    case primaryKeyNotFound(className: String, attribute: String)
    /// `update: .error` met an object that exists, or the same key twice.
    case duplicatePrimaryKey(className: String, key: String)
    /// `update:` other than `.error` needs a primary key.
    case noPrimaryKey(className: String)
    /// The name is no attribute of the class.
    case unknownAttribute(className: String, name: String, suggestion: String?)
    /// No class of the store has this name: it has not met a class so called, and no schema says it.
    case unknownClass(name: String, suggestion: String?)
    /// The class's declarations contradict each other; all mistakes at once.
    case invalidDeclarations([String])
    /// Two classes would share a table.
    case tableNameClash(name: String, first: String, second: String)
    /// The object was deleted, or its transaction was rolled back.
    case objectInvalidated(className: String)
    /// The object is managed by another store.
    case objectOfAnotherStore(className: String)
    /// An embedded object that, some levels down, contains itself.
    case embeddedCycle(className: String)
    /// An embedded object without an owner: it is made where another object holds it.
    case embeddedAlone(className: String)
    /// The code that began the running write began another one on a second handle.
    case alreadyWriting
    /// The call needs an open write.
    case notWriting
    /// The block of a write left another write open, or ended one that it did not begin.
    case unbalancedWrite
    /// The default of an attribute, or an `init()`, wrote to the store that evaluated it.
    case writeInDefault
    /// A query that asks what cannot be asked, or whose text cannot be read.
    case invalidQuery(String)
    /// A key path that does not name attributes.
    case invalidKeyPath(String)
    /// Another process has the store's file open; for `deleteFiles` also somebody in this one.
    case fileInUse(path: String)
    /// The system, or SQLite, could not do what the store needs of its file.
    case fileFailed(path: String, reason: String)
    /// The file is not what was written. `setAside` is its name by now; nil if it stands where it stood.
    case fileDamaged(path: String, details: String, setAside: String?)
    /// The file is something else than a store; it is left as it is.
    case notAStore(path: String)
    /// A later version of the package wrote the file.
    case fileTooNew(path: String, format: Int, known: Int)
    /// Classes are declared otherwise than the file has them, in ways that need a decision.
    case migrationNeeded(path: String, mistakes: [String])
    /// A version of the application with a higher number of its classes wrote the file.
    case schemaTooNew(path: String, version: UInt64, known: UInt64)
    /// What a migration's block left cannot be kept: objects with one primary key, owned objects without an
    /// owner.
    case migrationFailed(path: String, mistakes: [String])
    /// A migration's block asked for what cannot be done.
    case invalidMigration(String)
    /// The store was opened to be read.
    case readOnlyStore(path: String)
    /// The file is open in this process already, with other options.
    case otherConfiguration(path: String)
    /// What was asked for needs a store in a file.
    case notInFile
  }

  /// Which rule was broken.
  public let kind: Kind

  /// An error of this kind.
  public init(_ kind: Kind) {
    self.kind = kind
  }

  /// The same as ``description``, for alerts and logs that ask an error so.
  public var errorDescription: String? { description }

  /// What is wrong, where, what was expected and what was found; one line, or one per mistake.
  public var description: String {
    switch kind {
    case .typeMismatch(let attribute, let expected, let found):
      "\(attribute): expected \(expected), found \(found)"
    case .outOfRange(let attribute, let expected, let found):
      "\(attribute): \(found) is outside the range of \(expected)"
    case .nullForNonOptional(let attribute):
      "\(attribute): null for an attribute that is not optional"
    case .valueTooLarge(let attribute, let byteCount):
      "\(attribute): a value of \(byteCount) bytes is larger than the limit of 16 MiB"
    case .collectionsTooLarge(let attribute):
      "\(attribute): the collections of 256 neighbouring objects hold more than 4 GiB of text "
        + "or 32 GiB of elements"
    case .tooManyObjects(let className):
      "\(className): the class has had 4294967294 objects since the store was opened "
        + "and takes no more"
    case .primaryKeyNotFound(let className, let attribute):
      "\(className): the update has no value for the primary key '\(attribute)'"
    case .duplicatePrimaryKey(let className, let key):
      "\(className): an object with the primary key \(key) exists already"
    case .noPrimaryKey(let className):
      "\(className): the class has no primary key, by which objects are found and updated"
    case .unknownAttribute(let className, let name, let suggestion):
      "\(className): '\(MessageText.clipped(name))' is no attribute"
        + Suggestion.clause(suggestion)
    case .unknownClass(let name, let suggestion):
      "'\(MessageText.clipped(name))' is no class of this store"
        + Suggestion.clause(suggestion)
    case .invalidDeclarations(let mistakes):
      mistakes.joined(separator: "\n")
    case .tableNameClash(let name, let first, let second):
      "two classes map to the table '\(name)': \(first) and \(second); "
        + Self.clashAdvice([first, second].count { $0.hasPrefix("the schema") })
    case .objectInvalidated(let className):
      "\(className): the object was deleted or rolled back"
    case .objectOfAnotherStore(let className):
      "\(className): the object belongs to another store, or is frozen"
    case .embeddedCycle(let className):
      "\(className): an embedded object cannot contain itself"
    case .embeddedAlone(let className):
      "\(className): an embedded object has no life of its own; make the object that owns it"
    case .alreadyWriting:
      "a write of another handle of this store is open in the same code"
    case .notWriting:
      "no write of this handle is open: call it inside `write`, or after `beginWrite`"
    case .unbalancedWrite:
      "the block of a write, or an observer notified before it, left a write open, or ended one that it "
        + "did not begin; "
        + "each `beginWrite` needs its `commitWrite` or `cancelWrite` in the same block"
    case .writeInDefault:
      "a default value, or an initializer, cannot write to the store that evaluates it"
    case .invalidQuery(let reason):
      reason
    case .invalidKeyPath(let reason):
      reason
    case .fileInUse(let path):
      "\(path): the store is open elsewhere"
    case .fileFailed(let path, let reason):
      "\(path): \(reason)"
    case .fileDamaged(let path, let details, let setAside):
      "\(path): the file is damaged: \(details)"
        + (setAside.map { "; it was set aside as \($0)" } ?? "")
    case .notAStore(let path):
      "\(path): the file is no store; it was left as it is"
    case .fileTooNew(let path, let format, let known):
      "\(path): the file has format \(format), and this version knows those up to \(known)"
    case .migrationNeeded(let path, let mistakes):
      "\(path): the file does not fit the classes:\n" + mistakes.joined(separator: "\n")
    case .schemaTooNew(let path, let version, let known):
      "\(path): the file has schema version \(version), and the configuration says \(known)"
    case .migrationFailed(let path, let mistakes):
      "\(path): the migration failed:\n" + mistakes.joined(separator: "\n")
    case .invalidMigration(let reason):
      reason
    case .readOnlyStore(let path):
      "\(path): the store was opened to be read"
    case .otherConfiguration(let path):
      "\(path): the store is open already, with other options"
    case .notInFile:
      "the store is in memory alone; this needs one in a file"
    }
  }

  /// A date or decimal that is not finite, which has no place in an order and no text.
  static func notFinite(_ type: String, _ attribute: String) -> StoreError {
    StoreError(.typeMismatch(attribute: attribute, expected: "a finite \(type)", found: notFinite))
  }

  private static let notFinite = "one that is not"

  /// True if a value cannot be stored or an object is gone: what data may cause, and not only the program.
  var concernsValue: Bool {
    switch kind {
    case .valueTooLarge, .outOfRange, .nullForNonOptional, .duplicatePrimaryKey,
      .objectInvalidated:
      true
    case .typeMismatch(_, _, let found): found == Self.notFinite
    default: false
    }
  }

  /// - Parameter schemaCount: how many of the two are schemas that no class declares.
  private static func clashAdvice(_ schemaCount: Int) -> String {
    switch schemaCount {
    case 0: "override `class var tableName` in one of them"
    case 1: "override `class var tableName` in the class, or give the schema another name"
    default: "give one of them another name"
    }
  }
}
