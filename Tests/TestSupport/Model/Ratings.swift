public import Foundation
public import ObjectStore

/// The meal at which a dish was eaten; the first case is the default.
public enum Meal: String, PersistableEnum {
  case lunch, dinner
}

/// A class with a compound key.
public final class Rating: Object {
  @Persisted(primaryKey: true) public var id: String
  @Persisted(indexed: true) public var userID: Int
  @Persisted public var restaurantID: String
  @Persisted public var stars = 3
  @Persisted public var note: String?
  @Persisted(originProperty: "rating") public var reports: LinkingObjects<RatingReport>

  override public class var compoundKey: [String] { ["userID", "restaurantID"] }

  public convenience init(_ userID: Int, _ restaurantID: String, stars: Int = 3) {
    self.init()
    self.userID = userID
    self.restaurantID = restaurantID
    self.stars = stars
  }
}

/// A class that links to ratings.
public final class RatingReport: Object {
  @Persisted(primaryKey: true) public var id: Int
  @Persisted public var rating: Rating?
  @Persisted public var others: List<Rating>
}

/// A class whose compound key has the maximum number of parts, of all types.
public final class Helping: Object {
  @Persisted public var meal: Meal
  @Persisted public var seat: UInt8
  @Persisted public var guest: UUID
  @Persisted(primaryKey: true) public var key: String
  @Persisted public var dish: String
  @Persisted public var size = 1

  override public class var compoundKey: [String] { ["guest", "seat", "meal", "dish"] }
}
