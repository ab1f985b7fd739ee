import ObjectStore
import ValueModels

// A domain without a database.

protocol PlaceInfo {
  var name: String { get }
  var comments: ToMany<any PlaceComment> { get }
}

protocol PlaceComment {
  var text: String { get }
  var place: (any PlaceInfo)? { get }
}

// An implementation by objects of a store.

final class PlaceObject: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var storedComments: List<CommentObject>
}

final class CommentObject: Object {
  @Persisted var text = ""
  @Persisted(originProperty: "storedComments") var places: LinkingObjects<PlaceObject>
}

extension PlaceObject: PlaceInfo {
  var comments: ToMany<any PlaceComment> { ToMany(storedComments, as: { $0 as any PlaceComment }) }
}

extension CommentObject: PlaceComment {
  var place: (any PlaceInfo)? { ToMany(places, as: { $0 as any PlaceInfo }).first }
}

// An implementation by structs.

struct PlainPlace: PlaceInfo {
  struct Comment: PlaceComment {
    var text: String
    var place: (any PlaceInfo)? { nil }
  }

  var name: String
  var texts: [String]

  var comments: ToMany<any PlaceComment> {
    ToMany(count: { texts.count }, element: { Comment(text: texts[$0]) })
  }
}
