import Foundation
import ObjectStore

// The classes of the store. A class is a table and a property is a column. Each class declares where its JSON
// differs.

extension StoreConfiguration {
  /// The configuration of the app's file. The classes are listed so that edits of an earlier start are uploaded before a
  /// screen shows them.
  static func restaurants(in file: URL) -> StoreConfiguration {
    .file(file, classes: [Restaurant.self, Review.self])
  }
}

/// An object that the user can create, edit and delete, online or offline.
class Editable: Object {
  /// The server's id; below 0 until the server has assigned one.
  @Persisted(primaryKey: true) var id: Int

  override class var tracksEdits: Bool { true }
}

final class Restaurant: Editable {
  @Persisted var name = ""
  @Persisted var cuisine = ""
  /// The average rating by all users.
  @Persisted var rating: Double?
  @Persisted(json: "description") var about: String?
  @Persisted(json: "opening_hours") var openingHours: List<OpeningHours>
  @Persisted var menu: List<Dish>
  /// This user's own rating.
  @Persisted(json: "my_stars", .writesNil) var stars: Int?
  @Persisted(json: "my_note", .writesNil) var note: String?
  @Persisted(originProperty: "restaurant") var reviews: LinkingObjects<Review>

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

/// A review by the user. Its edits are sent with PUT, which replaces everything that the server has of it.
final class Review: Editable {
  @Persisted var text = ""
  @Persisted(.byKey) var restaurant: Restaurant?
  /// The day of the visit, which lists do not have.
  @Persisted var visited: String?
  /// The members that this version of the app does not read. A body without them would erase them.
  @Persisted(.unread) var rest: JSONValue = [:]
}

/// The `ETag` of the last response for a path.
final class ResponseTag: Object {
  @Persisted(primaryKey: true) var path: String
  @Persisted var tag: String?
}
