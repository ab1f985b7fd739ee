import DataSources
import Foundation
import Synchronization

/// The server, which is not part of the app. It uses no store.
///
///     GET   restaurants             returns a summary of each restaurant
///     GET   restaurants/42          returns one restaurant with all attributes
///     PATCH restaurants/42          changes the attributes in the body
///     POST  restaurants             creates a restaurant and assigns its id
///     POST  restaurants/42/reviews  creates a review and assigns its id
///     PATCH restaurants/42/reviews/71
final class RestaurantsServer: Sendable {
  private typealias JSON = [String: Any]

  private struct State {
    var restaurants: [Int: JSON] = [:]
    var reviews: [Int: JSON] = [:]
    /// The number of changes so far, which is the tag of all responses.
    var revision = 0
    var nextID = 71
  }

  private let state = Mutex(State())

  init() throws {
    try state.withLock { state in
      let list = try JSONSerialization.jsonObject(with: Data(Self.restaurants.utf8))
      for restaurant in list as? [JSON] ?? [] {
        if let id = restaurant["id"] as? Int { state.restaurants[id] = restaurant }
      }
    }
  }

  /// Changes the rating of a restaurant, as other users do.
  func rate(_ id: Int, _ rating: Double) {
    state.withLock { state in
      state.restaurants[id]?["rating"] = rating
      state.revision += 1
    }
  }

  /// Renames a restaurant, as another user does.
  func rename(_ id: Int, _ name: String) {
    state.withLock { state in
      state.restaurants[id]?["name"] = name
      state.revision += 1
    }
  }

  /// Deletes a restaurant.
  func close(_ id: Int) {
    state.withLock { state in
      state.restaurants[id] = nil
      state.revision += 1
    }
  }

  func respond(to request: NetworkRequest) -> NetworkResponse {
    // The components after "/api/restaurants".
    let path = request.url.pathComponents.dropFirst(3)
    let id = path.first.flatMap { Int($0) }
    let isReview = path.dropFirst().first == "reviews"
    let reviewID = path.dropFirst(2).first.flatMap { Int($0) }
    return state.withLock { state in
      switch (request.method, id) {
      case (.get, nil):
        Self.list(request, state)
      case (.get, let id?) where state.restaurants[id] != nil:
        Self.response(to: request, ["restaurant": state.restaurants[id] ?? [:]], state)
      case (.patch, _?) where isReview && reviewID.flatMap { state.reviews[$0] } != nil:
        Self.take(request, "review", \.reviews, reviewID, &state)
      case (.patch, let id?) where !isReview && state.restaurants[id] != nil:
        Self.take(request, "restaurant", \.restaurants, id, &state)
      case (.post, nil):
        Self.take(request, "restaurant", \.restaurants, nil, &state)
      case (.post, let id?) where isReview && state.restaurants[id] != nil:
        Self.take(request, "review", \.reviews, nil, &state)
      default:
        NetworkResponse(status: 404)
      }
    }
  }

  private static func list(_ request: NetworkRequest, _ state: State) -> NetworkResponse {
    let summaries = state.restaurants.sorted { $0.key < $1.key }.map { _, restaurant in
      restaurant.filter { ["id", "name", "cuisine", "rating"].contains($0.key) }
    }
    return response(to: request, ["restaurants": summaries], state)
  }

  /// Stores the members of a body in the object with the id, or in a new one. Refuses an invalid body.
  private static func take(
    _ request: NetworkRequest, _ name: String, _ objects: WritableKeyPath<State, [Int: JSON]>,
    _ id: Int?, _ state: inout State
  ) -> NetworkResponse {
    let body = try? JSONSerialization.jsonObject(with: request.body ?? Data()) as? JSON
    guard var value = body?[name] as? JSON else { return NetworkResponse(status: 400) }
    if let stars = value["my_stars"] as? Int, !(1...5).contains(stars) {
      return response(422, ["error": "one to five stars, not \(stars)"])
    }
    let key = id ?? state.nextID
    value["id"] = key
    if let cuisine = value["cuisine"] as? String { value["cuisine"] = cuisine.capitalized }
    value = state[keyPath: objects][key, default: [:]].merging(value) { $1 }
    state[keyPath: objects][key] = value
    if id == nil { state.nextID += 1 }
    state.revision += 1
    return response(id == nil ? 201 : 200, [name: value])
  }

  /// The response to a GET; 304 if the client has this revision.
  private static func response(
    to request: NetworkRequest, _ json: JSON, _ state: State
  ) -> NetworkResponse {
    let tag = "\"\(state.revision)\""
    if request.headers["If-None-Match"] == tag { return NetworkResponse(status: 304) }
    return response(200, json, ["ETag": tag])
  }

  private static func response(
    _ status: Int, _ json: JSON, _ headers: HeaderFields = [:]
  ) -> NetworkResponse {
    guard let body = try? JSONSerialization.data(withJSONObject: json) else {
      return NetworkResponse(status: 500)
    }
    return NetworkResponse(status: status, headers: headers, body: body)
  }

  // Part of the source, so that the program runs without other files.
  private static let restaurants = """
    [
      {"id": 42, "name": "Chez Léonie", "cuisine": "French", "rating": 4.6,
       "description": "Bistro cooking in what was a locksmith's shop.",
       "opening_hours": [
         {"day": "Tue", "opens": "12:00", "closes": "14:30"},
         {"day": "Fri", "opens": "19:00", "closes": "23:00"}],
       "menu": [
         {"id": 4201, "name": "Soupe à l'oignon", "price": 8.5},
         {"id": 4202, "name": "Ratatouille", "price": 14},
         {"id": 4203, "name": "Coq au vin", "price": 21.5}]},
      {"id": 57, "name": "Taco Norte", "cuisine": "Mexican", "rating": 3.9,
       "description": "Three tables and a grill.",
       "menu": [{"id": 5701, "name": "Tacos al pastor", "price": 9.5}]},
      {"id": 61, "name": "The Green Fork", "cuisine": "Vegan", "rating": 4.2},
      {"id": 70, "name": "Sakura", "cuisine": "Japanese", "rating": 4.8}
    ]
    """
}
