import Foundation
import ObjectStore

// What the app keeps. A class is a table and a property is a column; beside them stands what their JSON
// looks like, where it differs.

/// What a user edits or makes, also while the server is away.
class Editable: Object {
  /// The server's; below 0 until it has given one.
  @Persisted(primaryKey: true) var id: Int
  /// How many edits the server has not got.
  @Persisted var unsentEdits = 0
  /// Why the server refused what it got.
  @Persisted var refusal: String?

  /// These are no business of the server.
  override class var codableIgnoredAttributes: [String] { ["unsentEdits", "refusal"] }
}

final class Restaurant: Editable {
  @Persisted var name = ""
  @Persisted var cuisine = ""
  /// What all users think.
  @Persisted var rating: Double?
  @Persisted var about: String?
  @Persisted var openingHours: List<OpeningHours>
  @Persisted var menu: List<Dish>
  /// What this user thinks.
  @Persisted(json: "my_stars", .writesNil) var stars: Int?
  @Persisted(json: "my_note", .writesNil) var note: String?
  @Persisted(originProperty: "restaurant") var reviews: LinkingObjects<Review>

  override class var listEnvelope: String? { "restaurants" }
  override class var objectEnvelope: String? { "restaurant" }
  override class var codableKeys: [String: String] {
    ["about": "description", "openingHours": "opening_hours"]
  }
  /// These the server says, and nobody tells it.
  override class var codableIgnoredAttributes: [String] {
    ["rating", "about", "openingHours", "menu"]
  }
}

final class Dish: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var price: Decimal
}

final class OpeningHours: EmbeddedObject {
  @Persisted var day = ""
  @Persisted var opens = ""
  @Persisted var closes = ""
}

/// A review by the user.
final class Review: Editable {
  @Persisted var text = ""
  @Persisted var restaurant: Restaurant?

  override class var objectEnvelope: String? { "review" }
  /// The URL that it is sent to says which it is.
  override class var codableIgnoredAttributes: [String] { ["restaurant"] }
}

/// What the server called its last answer at a path; it need not send that again.
final class AnswerTag: Object {
  @Persisted(primaryKey: true) var path: String
  @Persisted var tag: String?
}
