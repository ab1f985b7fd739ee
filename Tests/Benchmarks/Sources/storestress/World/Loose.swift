/// The part of an object that the model does not predict exactly, because the user has created or deleted the object, or
/// because a link may return with a deleted object.
///
/// The model then knows what the user wants and what the server has said. It accepts each value that is possible, and
/// continues with the one that the store shows. What the user has changed since the last request is never uncertain.
struct Loose: Hashable, Sendable {
  enum Life: Hashable, Sendable {
    case normal
    /// The user has created the object, and the server may lack it.
    case created
    /// The user has deleted the object, and the server may have it.
    case deleted
  }

  var life = Life.normal
  /// The attributes that are loose.
  var attributes = Record.Mask()
  /// The attributes that the user has changed since they were last sent.
  var pending = Record.Mask()
  /// The values before the user's changes.
  var bases: [Int: Value] = [:]
  /// The attributes that may be sent: they were sent before, or a link has returned to them.
  var sendable = Record.Mask()
  /// True if a creation was sent, so that the server may have the object.
  var wasSent = false
  /// True while the store shows edits of the object.
  var isEdited = false
  var isRejected = false

  /// The values of earlier payloads, which may take effect when the request under way gets its outcome.
  var heard: [Int: Set<Value>] = [:]

  // For the current step.

  /// The values that the step may give an attribute.
  var supplied: [Int: Set<Value>] = [:]
  /// The attributes that the step may give any value.
  var free = Record.Mask()
  /// True if the step may remove the object, or show it again.
  var mayChangeLife = false

  /// Removes the links of an attribute to an object that is deleted.
  mutating func removeLinks(to id: Int, _ index: Int, isMap: Bool) {
    if let base = bases[index] { bases[index] = base.without(id, isMap: isMap) }
    for path in [\Loose.heard, \Loose.supplied] {
      guard let values = self[keyPath: path][index] else { continue }
      // The values with the link remain, because the deletion may be undone.
      self[keyPath: path][index] = values.union(values.map { $0.without(id, isMap: isMap) })
    }
  }

  mutating func endStep() {
    supplied = [:]
    free = Record.Mask()
    mayChangeLife = false
  }
}

extension Record {
  /// Gives up the exact prediction of some attributes.
  mutating func loosen(_ mask: Mask, isPending: (Int) -> Bool) {
    var part = loose ?? Loose()
    for index in mask.indices where !part.attributes[index] {
      part.attributes[index] = true
      guard let base = edits.bases[index] else { continue }
      part.bases[index] = base
      part.isEdited = true
      if edits.sent[index], !isPending(index) {
        part.sendable[index] = true
      } else {
        part.pending[index] = true
      }
    }
    part.isRejected = part.isRejected || edits.isRejected
    if mask == .all(values.count) { edits.bases = [:] }
    loose = part
  }

  /// Records the user's changes of a loose object.
  mutating func recordLooseEdits() {
    for (index, old) in edits.former where values[index] != old.value || !old.isKnown {
      let isServers = loose?.heard[index]?.contains(values[index]) ?? false
      if isServers || loose?.bases[index] == values[index] {
        // The edit may have ended.
        loose?.pending[index] = false
        loose?.sendable[index] = true
      } else {
        if loose?.bases[index] == nil { loose?.bases[index] = old.value }
        loose?.pending[index] = true
      }
      loose?.isRejected = false
    }
    edits.former = [:]
  }
}
