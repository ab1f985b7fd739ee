import Foundation
import ObjectStore

// Model classes for the elements of the workload.

final class StoredUser: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var uuid = ""
  @Persisted var username = ""
  @Persisted var email = ""
  @Persisted var firstName = ""
  @Persisted var lastName = ""
  @Persisted var isActive = false
  @Persisted var createdAt = Date.distantPast
  @Persisted var updatedAt: Date?
  @Persisted var score = 0.0
  @Persisted var balance = 0.0
  @Persisted var followerCount = 0
  @Persisted var bio: String?
  @Persisted var address: StoredAddress?
  @Persisted var company: StoredCompany?
  @Persisted var tags: List<String>
  @Persisted var avatarUrl = ""

  override class var codableKeys: [String: String] {
    [
      "firstName": "first_name", "lastName": "last_name", "isActive": "is_active",
      "createdAt": "created_at", "updatedAt": "updated_at", "followerCount": "follower_count",
      "avatarUrl": "avatar_url",
    ]
  }
}

final class StoredAddress: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city = ""
  @Persisted var zip = ""
  @Persisted var country = ""
  @Persisted var geo: StoredPlace?
}

final class StoredPlace: EmbeddedObject {
  @Persisted var lat = 0.0
  @Persisted var lng = 0.0
}

final class StoredCompany: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var title = ""
  @Persisted var remote = false
}

final class StoredBook: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var subtitle = ""
  @Persisted var isbn = ""
  @Persisted var language = ""
  @Persisted var summary = ""
  @Persisted var price = 0.0
  @Persisted var rating = 0.0
  @Persisted var available = false
  @Persisted var published = Date.distantPast
  @Persisted var publisherID = 0
}

/// A book with the indexes for P6.indexed and P11.
final class IndexedBook: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var subtitle = ""
  @Persisted(indexed: true) var isbn = ""
  @Persisted var language = ""
  @Persisted var summary = ""
  @Persisted var price = 0.0
  @Persisted var rating = 0.0
  @Persisted var available = false
  @Persisted var published = Date.distantPast
  @Persisted(indexed: true) var publisherID = 0
}

/// A book with an index on two attributes.
final class ShelvedBook: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var subtitle = ""
  @Persisted var isbn = ""
  @Persisted var language = ""
  @Persisted var summary = ""
  @Persisted var price = 0.0
  @Persisted var rating = 0.0
  @Persisted var available = false
  @Persisted var published = Date.distantPast
  @Persisted var publisherID = 0

  override class var indexes: [[String]] { [["language", "price"]] }
}

/// A class with the attributes of `PlainUser`, persisted.
class LiveUser: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var username = "bridget"
  @Persisted var firstName = "Bridget"
  @Persisted var lastName = "O'Malley"
  @Persisted var bio = "Sails, draws maps and keeps a lighthouse."
  @Persisted var email = "bridget@mail.example.com"
  @Persisted var isActive = true
  @Persisted var score = 4.5
  @Persisted var followerCount = 0
  @Persisted var website: String?
}
