import LoopbackServer
import ObjectStore

/// The server, which is not part of the app. ``ResourceServer`` describes its requests. The lists have summaries.
extension ResourceServer {
  static func restaurants() -> ResourceServer {
    let members: Set = ["id", "name", "cuisine", "rating", "my_stars", "my_note"]
    let server = ResourceServer(
      ResourceCollection("restaurants", listMembers: members) { restaurant in
        guard case .int(let stars)? = restaurant["my_stars"], !(1...5).contains(stars) else {
          return [:]
        }
        return ["my_stars": ["one to five, not \(stars)"]]
      }, ResourceCollection("reviews", listMembers: ["id", "text", "restaurant"]))
    for (id, restaurant) in seeds {
      let own: JSONObject = ["my_stars": nil, "my_note": nil]
      server.set(own.replacing(restaurant), id: id, in: "restaurants")
    }
    return server
  }

  /// Changes a restaurant, as another user does.
  func change(_ id: ResourceID, _ members: JSONObject) {
    guard let restaurant = resources["restaurants"]?[id] else { return }
    set(restaurant.replacing(members), id: id, in: "restaurants")
  }

  private static let seeds: [(ResourceID, JSONObject)] = [
    (
      42,
      [
        "name": "Chez Léonie", "cuisine": "French", "rating": 4.6,
        "description": "Bistro cooking in what was a locksmith's shop.",
        "opening_hours": [
          ["day": "Tue", "opens": "12:00", "closes": "14:30"],
          ["day": "Fri", "opens": "19:00", "closes": "23:00"],
        ],
        "menu": [
          ["id": 4201, "name": "Soupe à l'oignon", "price": 8.5],
          ["id": 4202, "name": "Ratatouille", "price": 14],
          ["id": 4203, "name": "Coq au vin", "price": 21.5],
        ],
      ]
    ),
    (
      57,
      [
        "name": "Taco Norte", "cuisine": "Mexican", "rating": 3.9,
        "description": "Three tables and a grill.",
        "menu": [["id": 5701, "name": "Tacos al pastor", "price": 9.5]],
      ]
    ),
    (61, ["name": "The Green Fork", "cuisine": "Vegan", "rating": 4.2]),
    (70, ["name": "Sakura", "cuisine": "Japanese", "rating": 4.8]),
  ]
}

extension JSONObject {
  /// Returns the object with other values of some members.
  fileprivate func replacing(_ members: JSONObject) -> JSONObject {
    var result = self
    for (name, value) in members { result[name] = value }
    return result
  }
}
