import Foundation
import ObjectStore

// The classes of the store. A class is a table and a property is a column. Each class declares where its JSON
// differs.

/// An object that the user can edit or create, online or offline.
class Editable: Object {
  /// The server's id; below 0 until the server has assigned one.
  @Persisted(primaryKey: true) var id: Int
  /// The edited attributes that the server does not have yet, with the number of edits of each.
  @Persisted(.local) var edits: Map<String, Int>
  /// The server's reason for refusing the edits; nil if it has not refused them.
  @Persisted(.local) var refusal: String?
}

final class Restaurant: Editable {
  @Persisted var name = ""
  @Persisted var cuisine = ""
  /// The average rating by all users.
  @Persisted var rating: Double?
  @Persisted var about: String?
  @Persisted var openingHours: List<OpeningHours>
  @Persisted var menu: List<Dish>
  /// This user's own rating.
  @Persisted var stars: Int?
  @Persisted var note: String?
  @Persisted(originProperty: "restaurant") var reviews: LinkingObjects<Review>

  override class var listEnvelope: String? { "restaurants" }
  override class var objectEnvelope: String? { "restaurant" }
  override class var codableKeys: [String: String] {
    [
      "about": "description", "openingHours": "opening_hours",
      "stars": "my_stars", "note": "my_note",
    ]
  }
  /// Attributes that only the server changes, which are never sent.
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
  /// The restaurant's id is in the URL of the request.
  override class var codableIgnoredAttributes: [String] { ["restaurant"] }
}

/// The `ETag` of the last response for a path.
final class ResponseTag: Object {
  @Persisted(primaryKey: true) var path: String
  @Persisted var tag: String?
}
