import Foundation

/// The list of users with Foundation's coders and plain structs, without storing anything.
enum FoundationBaseline {
  /// Dates remain strings, the cheapest option of `JSONDecoder`.
  static func decode(_ workload: Workload) -> Side {
    let data = workload.userList()
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        try JSONDecoder().decode([User].self, from: data)
      } checking: {
        $0.reduce(0) { $0 &+ $1.id }
      }
    }
  }

  /// Dates become `Date`, as on our side.
  static func decodeWithDates(_ workload: Workload) -> Side {
    let data = workload.userList()
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode([DatedUser].self, from: data)
      } checking: {
        $0.reduce(0) { $0 &+ $1.id }
      }
    }
  }

  /// Dates are strings.
  static func encode(_ workload: Workload) throws -> Side {
    let users = try JSONDecoder().decode([User].self, from: workload.userList())
    return Side(operationCount: users.count) { watch in
      try watch.time {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return try encoder.encode(users)
      } checking: {
        try sumOfIDs(in: $0)
      }
    }
  }

  /// The details of users, one payload each.
  static func decodeEach(_ workload: Workload) -> Side {
    let details = workload.userDetails
    return Side(operationCount: details.count) { watch in
      try watch.time {
        try details.map { try JSONDecoder().decode(User.self, from: $0) }
      } checking: {
        $0.reduce(0) { $0 &+ $1.id }
      }
    }
  }

  static func idOfUser(in data: Data) throws -> Int {
    try JSONDecoder().decode(User.self, from: data).id
  }

  static func sumOfIDs(in list: Data) throws -> Int {
    try JSONDecoder().decode([User].self, from: list).reduce(0) { $0 &+ $1.id }
  }
}

// Properties have the names of the JSON keys, so that decoding needs no key strategy.

struct User: Codable {
  var id: Int
  var uuid: String
  var username: String
  var email: String
  var first_name: String
  var last_name: String
  var is_active: Bool
  var created_at: String
  var updated_at: String?
  var score: Double
  var balance: Double
  var follower_count: Int
  var bio: String?
  var address: Address
  var company: Company?
  var tags: [String]
  var avatar_url: String
}

/// `User` with dates. Not a generic struct, because unspecialized code would slow the baseline.
private struct DatedUser: Codable {
  var id: Int
  var uuid: String
  var username: String
  var email: String
  var first_name: String
  var last_name: String
  var is_active: Bool
  var created_at: Date
  var updated_at: Date?
  var score: Double
  var balance: Double
  var follower_count: Int
  var bio: String?
  var address: Address
  var company: Company?
  var tags: [String]
  var avatar_url: String
}

struct Address: Codable {
  var street: String
  var city: String
  var zip: String
  var country: String
  var geo: Coordinate
}

struct Coordinate: Codable {
  var lat: Double
  var lng: Double
}

struct Company: Codable {
  var name: String
  var title: String
  var remote: Bool
}
