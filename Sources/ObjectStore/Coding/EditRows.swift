// The rows of edits, for the coder.

extension Edit {
  /// The row of the object as it is sent; nil for a deletion. The edit keeps it alive.
  package var rowView: RowView? {
    taken.slot.map { RowView(handle, table: entry.table, slot: $0) }
  }

  /// The row with the server's values. Only known values are meaningful. The edit keeps it alive.
  package var baseRowView: RowView { RowView(handle, table: base.table, slot: taken.baseSlot) }
}
