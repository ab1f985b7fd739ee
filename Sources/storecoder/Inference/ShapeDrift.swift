import ObjectStore
import StoreCoding

/// The differences between the shapes of two sets of values.
struct ShapeDrift {
  /// A difference at one path.
  struct Change: Encodable, Equatable {
    enum Kind: String, Encodable {
      /// A key that only the new or only the old objects have.
      case added, removed
      /// Values of other kinds.
      case kinds
      /// Null, or an absent key, that did not occur before.
      case null, missing
      /// Strings or numbers in another notation.
      case form
    }

    /// The path from the values of the files: `lines[].sku`. The name of a member of a map is `*`.
    let path: String
    let change: Kind
    /// The number of old and new values, by their kind or form.
    let old: [String: Int]
    let new: [String: Int]
    /// The number of all values; of objects, if a key was added or removed, or is missing.
    let oldTotal: Int
    let newTotal: Int
  }

  private(set) var changes: [Change] = []

  init(_ old: Shape, _ new: Shape) {
    compare(old, new, "", key: "")
  }

  // MARK: - Values

  private mutating func compare(_ old: Shape, _ new: Shape, _ path: String, key: String) {
    func add(_ kind: Change.Kind, _ before: [String: Int], _ after: [String: Int]) {
      changes.append(
        Change(
          path: path, change: kind, old: before, new: after, oldTotal: old.count,
          newTotal: new.count))
    }
    let (before, after) = (old.kinds, new.kinds)
    // Smaller integers are no change among larger ones, and integers none among fractions, of which any may be whole.
    var expected = Set(before.keys)
    if let kind = old.numberKind, let other = new.numberKind, other.rank < kind.rank {
      expected = expected.subtracting([kind.name]).union([other.name])
    }
    if expected != Set(after.keys) {
      let nulls = { (shape: Shape) in shape.nulls > 0 ? ["null": shape.nulls] : [:] }
      add(
        .kinds, before.isEmpty ? nulls(old) : before, after.isEmpty ? nulls(new) : after)
    } else if let (before, after) = Self.forms(old, new, key) {
      add(.form, before, after)
    }
    if old.nulls == 0, new.nulls > 0, !after.isEmpty { add(.null, [:], ["null": new.nulls]) }
    if let before = old.element, let after = new.element {
      compare(before, after, "\(path)[]", key: key)
    }
    if let before = old.object, let after = new.object { compare(before, after, path) }
  }

  /// The notations of values that have only one kind, if all old values have the same one and the new do not.
  private static func forms(
    _ old: Shape, _ new: Shape, _ key: String
  ) -> ([String: Int], [String: Int])? {
    guard let before = old.form(key), let after = new.form(key), before != after,
      !Shape.generalForms.contains(before)
    else { return nil }
    return ([before: old.count - old.nulls], [after: new.count - new.nulls])
  }

  // MARK: - Objects

  private mutating func compare(_ old: ObjectShape, _ new: ObjectShape, _ path: String) {
    let prefix = path.isEmpty ? "" : "\(path)."
    if old.isMap || new.isMap {
      guard let before = old.mergedValues, let after = new.mergedValues else { return }
      return compare(before, after, "\(prefix)*", key: "")
    }
    func add(
      _ member: ObjectShape.Member, _ kind: Change.Kind, _ before: [String: Int],
      _ after: [String: Int]
    ) {
      changes.append(
        Change(
          path: prefix + Self.text(member.name), change: kind, old: before, new: after,
          oldTotal: old.count, newTotal: new.count))
    }
    for member in old.members {
      guard let other = new[member.name] else {
        add(member, .removed, member.shape.kindsAndNulls, [:])
        continue
      }
      if member.count == old.count, other.count < new.count {
        add(member, .missing, [:], ["missing": new.count - other.count])
      }
      compare(member.shape, other.shape, prefix + Self.text(member.name), key: member.name)
    }
    for member in new.members where old[member.name] == nil {
      add(member, .added, [:], member.shape.kindsAndNulls)
    }
  }

  /// A key in a path: in quotes if it is ambiguous there.
  private static func text(_ key: String) -> String {
    let isPlain =
      !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || "_-$@".contains($0) }
    return isPlain ? key : SwiftNames.literal(key)
  }
}

extension Shape {
  /// The number of values of each kind except null. Numbers are one kind.
  fileprivate var kinds: [String: Int] {
    var counts = [
      "Bool": bools, "String": strings, "array": arrays, "object": object?.count ?? 0,
    ]
    if let numberKind { counts[numberKind.name] = numbers }
    return counts.filter { $0.value > 0 }
  }

  /// The smallest type that holds all numbers, which also holds those of lower ranks; nil if there are none.
  fileprivate var numberKind: (rank: Int, name: String)? {
    if numbers == 0 { return nil }
    if fractions > 0 { return (3, "Double") }
    if hugeIntegers > 0 || largeNaturals > 0 && negatives > 0 {
      return (2, "integer of more than 64 bits")
    }
    return largeNaturals > 0 ? (1, "UInt64") : (0, "Int")
  }

  fileprivate var kindsAndNulls: [String: Int] {
    nulls > 0 ? kinds.merging(["null": nulls]) { first, _ in first } : kinds
  }

  /// The forms of values without a common notation.
  fileprivate static let generalForms = ["other", "number"]

  /// The notation of values that are all strings or all Unix times; nil for other values.
  fileprivate func form(_ key: String) -> String? {
    guard kindCount == 1 else { return nil }
    let date = samples?.dateForm.value
    if numbers > 0 {
      guard let date, date.isDate(key, count: numbers) else { return "number" }
      return date.format.name
    }
    guard strings > 0 else { return nil }
    if let date { return date.format.name }
    if let digits = samples?.fractionDigits.value {
      return "number with \(digits) fraction \(digits == 1 ? "digit" : "digits")"
    }
    return "other"
  }
}

extension ObjectShape {
  /// The values of all members; nil if there are none.
  fileprivate var mergedValues: Shape? {
    if members.isEmpty { return nil }
    let all = Shape()
    for member in members { all.merge(member.shape) }
    return all
  }
}
