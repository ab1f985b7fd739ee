import Foundation
import ObjectStore

extension Book {
  var published: Date { Date(timeIntervalSince1970: Double(publishedSecondsSince1970)) }

  /// What an app writes to create or to update a `StoredBook`.
  var update: UpdateDictionary {
    [
      "id": .init(id), "title": .init(title), "subtitle": .init(subtitle), "isbn": .init(isbn),
      "language": .init(language), "summary": .init(summary), "price": .init(price),
      "rating": .init(rating), "available": .init(available), "published": .init(published),
      "publisherID": .init(publisherID),
    ]
  }
}
