extension CompilerAdvice {
  private static let places = "elements have no index in a query: use any { … }"
  private static let anyOwner = "requires that 'List<Owner>' conform to '_UseAnyAllOrNone'"
  private static let length =
    "a query cannot read the length of a string: store the length, or filter an array"
  private static let ignoreCase =
    "to ignore case, use equals(_:options:) or contains(_:options:) with .caseInsensitive"
  private static let comparisons = "combine two comparisons: $0.age >= 1 && $0.age < 3"
  private static let between = "use between(1...3), which includes both ends"

  /// A mistake in a closure must not be reported for the preceding call of `store.objects`.
  static let queries: [CompilerAdvice] = [
    ("$0.name.hasPrefix(\"B\")", "'hasPrefix' has been renamed to 'starts(with:)'"),
    ("$0.note.hasSuffix(\"B\")", "'hasSuffix' has been renamed to 'ends(with:)'"),
    ("$0.name.isEmpty", "compare with the empty string: $0.name == \"\""),
    ("$0.name.isEmpty == false", "compare with the empty string: $0.name == \"\""),
    ("$0.name.hasPrefix(\"B\") == true", "'hasPrefix' has been renamed to 'starts(with:)'"),
    ("[1, 2].contains($0.legs)", "use the attribute: $0.id.in([1, 2])"),
    ("(1...3).contains($0.legs)", "use the attribute: $0.age.between(1...3)"),
    ("(1..<3).contains($0.legs)", comparisons),
    ("!$0.note.isEmpty", "compare with the empty string: $0.name == \"\""),
    ("$0.name.count > 3", length),
    ("$0.owner.name.count > 3", length),
    ("$0.name.lowercased() == \"b\"", ignoreCase),
    ("$0.name.uppercased() == \"B\"", ignoreCase),
    (
      "$0.name.localizedStandardContains(\"b\")",
      "use contains(_:options:) with [.caseInsensitive, .diacriticInsensitive]"
    ),
    ("$0.legs.contains(1...3)", between),
    ("$0.weight.contains(1...3)", between),
    ("$0.legs.contains(1..<3)", comparisons),
    (
      "$0.legs.between(1..<3)",
      "between(1...3) includes both ends; otherwise \(comparisons)"
    ),
    ("$0.owners.name == \"Jo\"", anyOwner),
    ("$0.legs == 4 && $0.owners.name.contains(\"J\")", anyOwner),
    (
      "$0.owner.animals.legs > 3",
      "requires that 'LinkingObjects<Animal>' conform to '_UseAnyAllOrNone'"
    ),
    (
      "$0.friends.legs > 3",
      "requires that 'MutableSet<Animal>' conform to '_UseAnyAllOrNone'"
    ),
    (
      "$0.vets.name == \"Jo\"",
      "requires that 'Map<String, Owner?>' conform to '_UseAnyAllOrNone'"
    ),
    ("$0.tags.first == \"x\"", places),
    ("$0.owners.last.name == \"x\"", places),
    ("$0.owners[0].id == 1", places),
    ("$0.marks[\"k\"] == 3", "a map has no keys in a query: use any { … } on its values"),
    ("$0.tags.isEmpty", "compare the number of elements: $0.tags.count == 0"),
    (
      "$0.tags.contains(where: { $0 == \"x\" })", "'contains(where:)' has been renamed to 'any(_:)'"
    ),
    ("$0.tags.allSatisfy { $0 == \"x\" }", "'allSatisfy' has been renamed to 'all(_:)'"),
    (
      "$0.owners.any { $0.name.hasPrefix(\"J\") }",
      "'hasPrefix' has been renamed to 'starts(with:)'"
    ),
    (
      "$0.owners.any { $0.nmae == \"Jo\" }",
      "has no dynamic member 'nmae' using key path from root type "
        + "'List<Owner>._QueryElement' (aka 'Owner')"
    ),
    (
      "$0.nmae == \"Jo\"",
      "value of type 'QueryPath<Animal>' has no dynamic member 'nmae' using key path "
        + "from root type 'Animal'"
    ),
    (
      "$0.legs == \"four\"", "cannot convert value of type 'String' to expected argument type 'Int'"
    ),
    ("$0.shape < $0.shape", "requires that 'JSONValue' conform to '_QueryOrdered'"),
    ("$0.extras.min == 1", "property 'min' requires that 'JSONValue' conform to '_QueryMeasured'"),
    (
      "$0.extras.sum == 1",
      "property 'sum' requires that 'JSONValue' conform to 'AdditiveArithmetic'"
    ),
    (
      "$0.owners.max(\\.extra) == 1",
      "instance method 'max' requires that 'JSONValue' conform to '_QueryMeasured'"
    ),
    ("$0.tags.max == \"x\"", "property 'max' requires that 'String' conform to '_QueryMeasured'"),
    ("$0.chip < $0.chip", "requires that 'UUID' conform to '_QueryOrdered'"),
  ].enumerated().map { index, pair in
    CompilerAdvice(
      source: """
        func ask\(index)(_ store: Store) {
          print(store.objects(Animal.self).where { \(pair.0) }.count)
        }
        """, advice: pair.1)
  }
}
