import ObjectStore

// Objects that contain everything that the server has of them.

extension ObjectReader {
  /// Makes the attributes missing that a whole object lacks. A value that a policy skips is there.
  @inline(never)
  mutating func clearAbsentAttributes(of row: BatchRow, _ plan: CodingPlan) throws {
    row.setWhole()
    for field in plan.fields where field.form != .linkingObjects {
      if row[field.attribute].isLacking {
        if !field.hasPath || field.isKey { continue }
        try plan.codingClass.assignMissing(
          field.attribute, to: row, in: batch, keepsGiven: false)
      } else if let target = field.target, target.keyAttribute < 0 {
        noteWhole(row[field.attribute], field)
      }
    }
  }

  /// Records that the objects without a key in a value are whole.
  private func noteWhole(_ cell: BatchCell, _ field: CodingField) {
    if field.form == .link {
      if let row = cell.row { noteWhole(row, field) }
    } else if cell.state == .value {
      for element in cell.elements {
        if let row = element.row { noteWhole(row, field) }
      }
    }
  }

  private func noteWhole(_ row: BatchRow, _ field: CodingField) {
    row.setWhole()
    for inner in field.target?.fields ?? [] {
      if let target = inner.target, target.keyAttribute < 0 {
        noteWhole(row[inner.attribute], inner)
      }
    }
  }
}
