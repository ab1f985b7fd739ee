/// The kind of a base row. The raw values are part of the file format.
enum BaseState: UInt64 {
  /// The server has the object, and some of its attributes were edited.
  case edited = 1
  /// The server does not have the object.
  case created = 2
  /// The object was deleted. The server has it, and no deletion was sent.
  case deleted = 3
  /// The object was created, sent and deleted, and its creation is not confirmed.
  case deletedCreation = 4
  /// The object was deleted, and a deletion was sent that is not confirmed: the server may not have the object any more.
  case sentDeletion = 5
  /// The user has linked to the object by its key, and neither the server nor the user has given it a value. It has no edits,
  /// and is created once the user gives it one.
  case referenced = 6

  /// True for an object that was deleted.
  var isTombstone: Bool {
    switch self {
    case .edited, .created, .referenced: false
    case .deleted, .deletedCreation, .sentDeletion: true
    }
  }
}
