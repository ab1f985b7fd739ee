public import Foundation

extension Edit {
  /// The outcome of sending one edit.
  public enum Outcome: Sendable {
    /// The server has applied the edit. The first value is the response with the object; nil or empty if the server returned
    /// none. The second one is the path to the object in the response; nil if it is where the class's `objectEnvelope` says.
    case confirmed(Data?, at: String? = nil)
    /// The server refused the edit: the values stay, ``Object/editState`` becomes `.rejected`, and ``Object/rejection`` has
    /// the reason. The object is offered again once one of its attributes changes. If one has changed since the edit was
    /// taken, or the object was deleted, it is offered at once, without a rejection.
    case rejected(Edit.Rejection)
    /// The server refused the edit, and it is undone: attributes that still have the value that was sent get the base value,
    /// what changed since stays, a created object is deleted, and a deleted object comes back.
    case reverted
    /// The server does not have the object (404, 410). A deletion is confirmed, and a creation stays for a later upload. An
    /// edited object stays with its edits, because the request may have been wrong: its ``Object/editState`` is `.rejected`,
    /// and ``Edit/Rejection/isGone`` is true. `CodingConfiguration.resolveConflict` can choose to delete it or to create it
    /// again. If the object was deleted since, its deletion is still sent.
    case gone
    /// The fate of the edit is unknown, for example after a timeout: it stays for a later upload, which sends its attributes
    /// whole and without tests.
    case later
    /// The server has certainly not applied the edit, for example because it responded with 409, or because the request was
    /// not sent: it stays for a later upload, and its base values are still known to be the server's.
    case unapplied

    /// The server has applied the edit and returned no object.
    public static var confirmed: Edit.Outcome { .confirmed(nil) }
  }
}

extension Edit {
  /// The numbers of edits by outcome of an upload.
  public struct Summary: Sendable, Hashable {
    /// The number of edits that the server applied, including deletions of objects that it did not have any more.
    public internal(set) var confirmed = 0
    /// The number of edits that the server refused.
    public internal(set) var rejected = 0
    /// The number of edits that were undone.
    public internal(set) var reverted = 0
    /// The edited objects that the server does not have. Their ``Edit/Conflict/attribute`` is nil.
    public internal(set) var gone: [Edit.Conflict] = []
    /// The number of edits that stay for a later upload, including those that wait for the creation of another object.
    public internal(set) var postponed = 0

    /// Creates a summary of no edits.
    package init() {}
  }
}
