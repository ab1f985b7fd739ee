import ObjectStore

// The types for the lists of `ShapedLists.swift`: a class for our side, a struct for `JSONDecoder`.

final class FlatRecord: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var title = ""
  @Persisted var city = ""
  @Persisted var street = ""
  @Persisted var amount = 0
  @Persisted var ratio = 0.0
  @Persisted var active = false
  @Persisted var code = ""
  @Persisted var group = 0
  @Persisted var level = 0
  @Persisted var note = ""
}

struct PlainFlatRecord: Codable, Hashable {
  var id: Int
  var name, title, city, street: String
  var amount: Int
  var ratio: Double
  var active: Bool
  var code: String
  var group, level: Int
  var note: String
}

/// Declares one of the members of a flat record.
final class LoneKey: Object {
  @Persisted(primaryKey: true) var id = 0
}

struct PlainLoneKey: Codable, Hashable {
  var id: Int
}

/// Declares three of the members of a wide record.
final class FewOfMany: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var amount = 0
}

struct PlainFewOfMany: Codable, Hashable {
  var id: Int
  var name: String
  var amount: Int
}

final class Article: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
}

struct PlainArticle: Codable, Hashable {
  var id: Int
  var text: String
}
