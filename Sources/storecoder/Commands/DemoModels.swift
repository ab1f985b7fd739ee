import Foundation
import ObjectStore

// The models of the demo, as in an app that shows restaurants.

final class Restaurant: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var cuisine = ""
  @Persisted var rating: Double?
  @Persisted var imageURL: URL?
  @Persisted var phone: String?
  @Persisted var reviewCount = 0
  @Persisted var address: Address?
  @Persisted var openingHours: List<OpeningHours>
  @Persisted var menu: List<Dish>
  /// Set by the user; not part of the server's data.
  @Persisted var isFavourite = false

  override class var codableKeys: [String: String] {
    ["imageURL": "image", "reviewCount": "review_count", "openingHours": "opening_hours"]
  }
  override class var codableIgnoredAttributes: [String] { ["isFavourite", "reviewCount"] }
}

final class Dish: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var price: Decimal
  @Persisted var vegan = false
  @Persisted(originProperty: "menu") var servedBy: LinkingObjects<Restaurant>
}

final class Address: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city = ""
  @Persisted var zip = ""
}

final class OpeningHours: EmbeddedObject {
  @Persisted var day = 0
  @Persisted var opens = ""
  @Persisted var closes = ""
}
