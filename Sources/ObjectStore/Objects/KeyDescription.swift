/// Formats primary keys for messages.
package enum KeyDescription {
  package static func describe(_ cell: BatchCell, _ kind: ScalarKind) -> String {
    switch kind {
    case .uuid where cell.count == 16:
      UUIDText.text(cell.bytes)
    case .string, .uuid:
      MessageText.quoted(cell.bytes)
    default:
      kind.unsignedMaximum != nil ? "\(cell.bits)" : "\(Int64(bitPattern: cell.bits))"
    }
  }
}
