import ObjectStore

// Objects that contain everything that the server has of them.

extension ObjectReader {
  /// Makes the attributes missing that a whole object lacks, also those of its content without a key. A value that a policy
  /// skips is there.
  @inline(never)
  mutating func clearAbsentAttributes(of row: BatchRow, _ plan: CodingPlan) throws {
    row.setWhole()
    for field in plan.fields where field.form != .linkingObjects {
      let cell = row[field.attribute]
      if cell.isLacking {
        if field.isUnread ? plan.keyAttribute < 0 : field.hasPath && !field.isKey {
          try plan.codingClass.assignMissing(
            field.attribute, to: row, in: batch, keepsGiven: field.isUnread)
        }
      } else if field.isUnread {
        row[field.attribute].mergesMembers = false
      } else if let target = field.target, target.keyAttribute < 0 {
        if field.form == .link {
          if let content = cell.row { try clearAbsentAttributes(of: content, target) }
        } else if cell.state == .value {
          for element in cell.elements {
            if let content = element.row { try clearAbsentAttributes(of: content, target) }
          }
        }
      }
    }
  }
}
