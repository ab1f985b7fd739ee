public import Foundation

/// A failure of the object store and its reason.
///
///     Animal.legs: expected Int, found String "four"
///
/// ``kind`` lets code distinguish failures, and `description` explains the failure to people.
public struct StoreError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, with the details for the message.
  public enum Kind: Sendable, Hashable {
    /// The value does not fit the attribute's type.
    case typeMismatch(attribute: String, expected: String, found: String)
    /// The number is outside the range of the attribute's type.
    case outOfRange(attribute: String, expected: String, found: String)
    /// The value is null, but the attribute is not optional.
    case nullForNonOptional(attribute: String)
    /// The text or data value has 16 MiB or more. If such a value is assigned to a property, the write throws this
    /// error when it ends.
    case valueTooLarge(attribute: String, byteCount: Int)
    /// The collections of up to 256 adjacent objects would together hold more than 4 GiB of text or 32 GiB of elements
    /// in one attribute.
    case collectionsTooLarge(attribute: String)
    /// The class has had 4,294,967,294 objects since the store was opened and accepts no more.
    case tooManyObjects(className: String)
    /// The update has no value for the primary key.
    case primaryKeyNotFound(className: String, attribute: String)
    /// With `update: .error`, an object with this primary key already exists, or the update contains the key twice.
    case duplicatePrimaryKey(className: String, key: String)
    /// The class has no primary key, which `update:` options other than `.error` require.
    case noPrimaryKey(className: String)
    /// The class has no attribute with this name.
    case unknownAttribute(className: String, name: String, suggestion: String?)
    /// The store has no class with this name: no class with that name has been used with it, and no schema describes
    /// one.
    case unknownClass(name: String, suggestion: String?)
    /// The class's declarations are invalid or contradictory; contains all mistakes.
    case invalidDeclarations([String])
    /// Two classes have the same table name.
    case tableNameClash(name: String, first: String, second: String)
    /// The object was deleted, or the transaction that created it was rolled back.
    case objectInvalidated(className: String)
    /// The object was deleted locally, and the server has not confirmed the deletion.
    case pendingDeletion(className: String, key: String)
    /// The edit cannot be settled, because it was not taken.
    case editNotTaken(className: String, key: String)
    /// The response to the edit cannot be decoded, because a store has no coder.
    case responseNotDecoded(className: String, key: String)
    /// The class does not track edits.
    case editsNotTracked(className: String)
    /// The file has unconfirmed edits of classes that the store has not used.
    case unregisteredEdits(classNames: [String])
    /// The object is unmanaged or frozen, or belongs to another store.
    case objectOfAnotherStore(className: String)
    /// An embedded object contains itself, directly or indirectly.
    case embeddedCycle(className: String)
    /// An embedded object has no owner. Create it as part of the object that owns it.
    case embeddedAlone(className: String)
    /// The code that started the open write started another one on a second handle.
    case alreadyWriting
    /// The call requires an open write.
    case notWriting
    /// The block of a write, an observer notified before it, or the closure of an upload left a write open or ended one that it
    /// did not begin. An upload began inside a write.
    case unbalancedWrite
    /// The default value of an attribute, an `init()`, a conversion for encoding, or a resolver of conflicts wrote to the
    /// store that evaluated it.
    case writeInDefault
    /// The query is invalid or cannot be parsed.
    case invalidQuery(String)
    /// The key path does not refer to attributes.
    case invalidKeyPath(String)
    /// Another process has the store's file open; for `deleteFiles`, possibly this process.
    case fileInUse(path: String)
    /// The system or SQLite could not perform an operation on the store's file. If another file is the cause, such as the
    /// lock or the log, or the disk is full, the reason says so.
    case fileFailed(path: String, reason: String)
    /// The file's contents are damaged. `setAside` is the file's new name; nil if it was not moved. While that file is
    /// there and none is at `path`, opening throws this error again.
    case fileDamaged(path: String, details: String, setAside: String?)
    /// The file is not a store. It is left unchanged.
    case notAStore(path: String)
    /// The file was written by a later version of the package.
    case fileTooNew(path: String, format: Int, known: Int)
    /// The declared classes differ from those in the file in ways that require a migration.
    case migrationNeeded(path: String, mistakes: [String])
    /// The file has a higher schema version than the configuration.
    case schemaTooNew(path: String, version: UInt64, known: UInt64)
    /// The result of a migration's block is invalid, for example because objects share a primary key or owned objects
    /// have no owner.
    case migrationFailed(path: String, mistakes: [String])
    /// A migration's block attempted an unsupported operation.
    case invalidMigration(String)
    /// The store is read-only.
    case readOnlyStore(path: String)
    /// The file is already open in this process, with other options.
    case otherConfiguration(path: String)
    /// The operation requires a store in a file.
    case notInFile
  }

  /// The kind of failure, with its details.
  public let kind: Kind

  /// True if the error reports a value of the right type that cannot be stored, such as a date that is not finite. The
  /// kind is then `typeMismatch`.
  private var isAboutValue = false

  /// Creates an error of this kind.
  public init(_ kind: Kind) {
    self.kind = kind
  }

  /// The same text as ``description``, for alerts and logs that use `LocalizedError`.
  public var errorDescription: String? { description }

  /// An explanation of the failure, its location, and the expected and found values: one line, or one line per
  /// mistake.
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
      "\(attribute): the collections of 256 neighboring objects hold more than 4 GiB of text "
        + "or 32 GiB of elements"
    case .tooManyObjects(let className):
      "\(className): the class has had 4294967294 objects since the store was opened "
        + "and accepts no more"
    case .primaryKeyNotFound(let className, let attribute):
      "\(className): the update has no value for the primary key '\(attribute)'"
    case .duplicatePrimaryKey(let className, let key):
      "\(className): an object with the primary key \(key) already exists"
    case .noPrimaryKey(let className):
      "\(className): the class has no primary key, which is needed to find and update objects"
    case .unknownAttribute(let className, let name, let suggestion):
      "\(className): '\(MessageText.clipped(name))' is not an attribute"
        + Suggestion.clause(suggestion)
    case .unknownClass(let name, let suggestion):
      "'\(MessageText.clipped(name))' is not a class of this store"
        + Suggestion.clause(suggestion)
    case .invalidDeclarations(let mistakes):
      mistakes.joined(separator: "\n")
    case .tableNameClash(let name, let first, let second):
      "two classes map to the table '\(name)': \(first) and \(second); "
        + Self.clashAdvice([first, second].count { $0.hasPrefix("the schema") })
    case .objectInvalidated(let className):
      "\(className): the object was deleted or rolled back"
    case .pendingDeletion(let className, let key):
      "\(className) \(MessageText.clipped(key)): the object was deleted locally, and the server has not "
        + "confirmed the deletion"
    case .editNotTaken(let className, let key):
      "\(className) \(MessageText.clipped(key)): the edit was not taken, so it cannot be settled; use "
        + "takeEdit() to send edits"
    case .responseNotDecoded(let className, let key):
      "\(className) \(MessageText.clipped(key)): a store cannot decode the response to an edit; call settle of a "
        + "StoreCoder"
    case .unregisteredEdits(let classNames):
      "the file has unconfirmed edits of classes that the store has not used: "
        + "\(classNames.joined(separator: ", ")); add them to the classes of the configuration"
    case .editsNotTracked(let className):
      "\(className): the class does not track edits; add "
        + "'override class var tracksEdits: Bool { true }'"
    case .objectOfAnotherStore(let className):
      "\(className): the object is unmanaged or frozen, or belongs to another store"
    case .embeddedCycle(let className):
      "\(className): an embedded object cannot contain itself"
    case .embeddedAlone(let className):
      "\(className): an embedded object cannot exist alone; create it as part of the object that owns it"
    case .alreadyWriting:
      "the same code has an open write on another handle of this store"
    case .notWriting:
      "this handle has no open write; call this inside `write`, or after `beginWrite`"
    case .unbalancedWrite:
      "the block of a write, an observer notified before it, or an upload left a write open, or ended one "
        + "that it did not begin; "
        + "each `beginWrite` needs its `commitWrite` or `cancelWrite` in the same block"
    case .writeInDefault:
      "a default value, an initializer, a conversion for encoding, or a resolver of conflicts cannot "
        + "write to the store that evaluates it"
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
      "\(path): the file is not a store; it was left unchanged"
    case .fileTooNew(let path, let format, let known):
      "\(path): the file has format \(format), but this version supports formats only up to \(known)"
    case .migrationNeeded(let path, let mistakes):
      "\(path): the file does not match the classes:\n" + mistakes.joined(separator: "\n")
    case .schemaTooNew(let path, let version, let known):
      "\(path): the file has schema version \(version), but the configuration has \(known)"
    case .migrationFailed(let path, let mistakes):
      "\(path): the migration failed:\n" + mistakes.joined(separator: "\n")
    case .invalidMigration(let reason):
      reason
    case .readOnlyStore(let path):
      "\(path): the store was opened read-only"
    case .otherConfiguration(let path):
      "\(path): the store is already open with other options"
    case .notInFile:
      "the store is in memory; this requires a store in a file"
    }
  }

  /// Returns the error for a date or decimal that is not finite, which cannot be sorted or written as text.
  static func notFinite(_ type: String, _ attribute: String) -> StoreError {
    var error = StoreError(
      .typeMismatch(
        attribute: attribute, expected: "a finite \(type)", found: "NaN or infinity"))
    error.isAboutValue = true
    return error
  }

  /// The error for a Codable value whose `encode(to:)` throws an error.
  static func notEncodable(_ value: _UnencodableValue, _ attribute: String) -> StoreError {
    var failure = StoreError(
      .typeMismatch(
        attribute: attribute, expected: "\(value.typeName) that can be encoded",
        found: value.reason))
    failure.isAboutValue = true
    return failure
  }

  /// True if the error is caused by a value or a deleted object, which can result from data rather than from a
  /// mistake in the program.
  var concernsValue: Bool {
    switch kind {
    case .valueTooLarge, .outOfRange, .nullForNonOptional, .duplicatePrimaryKey,
      .objectInvalidated:
      true
    default: isAboutValue
    }
  }

  /// - Parameter schemaCount: The number of clashing classes, 0 to 2, that are described by schemas created at run
  ///   time.
  private static func clashAdvice(_ schemaCount: Int) -> String {
    switch schemaCount {
    case 0: "override `class var tableName` in one of them"
    case 1: "override `class var tableName` in the class, or give the schema another name"
    default: "give one of them another name"
    }
  }
}

extension StoreError {
  /// Returns true if the errors are of equal kinds.
  public static func == (a: StoreError, b: StoreError) -> Bool { a.kind == b.kind }

  /// Hashes the kind.
  public func hash(into hasher: inout Hasher) { kind.hash(into: &hasher) }
}
