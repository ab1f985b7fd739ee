/// A piece of a streamed list, which is read as a text of its own.
struct ListPiece {
  /// The place in the text at which the elements of earlier pieces are missing.
  var gap: PayloadText.Gap
  /// The index of the first element in the whole list.
  var firstIndex: Int
  /// True if the text is a sequence of objects rather than a payload with a list.
  var isSequence: Bool
  /// The number of bytes from the beginning of the stream to the end of the piece.
  var byteCount: Int
  /// True if the result has the metadata in the text.
  var hasMetadata: Bool
  /// True if the result has objects.
  var makesObjects: Bool
}
