import Foundation

// The classes of `TypedClasses.swift` as structs for `JSONDecoder`.

struct PlainInts: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: Int
}

struct PlainDoubles: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: Double
}

struct PlainBools: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: Bool
}

struct PlainTexts: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: String
}

struct PlainDates: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: Date
}

struct PlainDays: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: String
}

struct PlainDecimals: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: Decimal
}

struct PlainUUIDs: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: UUID
}

struct PlainURLs: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: URL
}

struct PlainBlobs: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: Data
}

struct PlainRoles: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: Role
}

struct PlainJSONs: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: PlainJSON
}

struct PlainLists: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: [Int]
}

struct PlainMaps: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: [String: Int]
}

struct PlainLinks: Codable, Hashable {
  var id: Int
  var first, second, third, fourth, fifth, sixth, seventh, eighth: PlainItem?
}

struct PlainItem: Codable, Hashable {
  var id: Int
  var name: String
}

/// Any JSON value, decoded as is usual with `JSONDecoder`: by trying each type.
indirect enum PlainJSON: Codable, Hashable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([PlainJSON])
  case object([String: PlainJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode([PlainJSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: PlainJSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
