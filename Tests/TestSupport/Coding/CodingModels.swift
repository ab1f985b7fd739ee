public import Foundation
public import ObjectStore

/// The models of the documents in `Fixtures`.
public enum Coding {
  // MARK: - Users

  public enum Role: String, PersistableEnum {
    case guest, admin
  }

  public class User: Object {
    @Persisted(primaryKey: true) public var objId: String
    @Persisted public var rank: Int = -1
    @Persisted public var username = ""
    @Persisted public var firstName = ""
    @Persisted(indexed: true) public var lastName = ""
    @Persisted public var address: String?
    @Persisted public var joined: Date?
    @Persisted public var configJson = ""
    @Persisted public var publisher: Publisher?
    @Persisted public var tags: List<String>
    @Persisted public var friends: List<User>
    @Persisted public var home: Place?
    @Persisted public var role: Role = .guest
    @Persisted public var avatar: Data?
    public var draftNote = ""

    override public class var codableKeys: [String: String] {
      ["objId": "id", "firstName": "first_name", "lastName": "last_name"]
    }
    override public class var codableIgnoredAttributes: [String] { ["address"] }
    override public class var codableRawJsonSubstrings: [String] { ["configJson"] }
    override public class var objectEnvelope: String? { "user" }
    override public class var listEnvelope: String? { "users" }
  }

  /// A user of another API: bare, with lists under a dotted path.
  public final class PagedUser: User {
    override public class var objectEnvelope: String? { nil }
    override public class var listEnvelope: String? { "data.items" }
  }

  /// A user without envelopes.
  public final class BareUser: User {
    override public class var objectEnvelope: String? { nil }
    override public class var listEnvelope: String? { nil }
  }

  public final class Publisher: Object {
    @Persisted(primaryKey: true) public var identifier: Int
    @Persisted public var name = ""
  }

  public final class Place: EmbeddedObject {
    @Persisted public var street = ""
    @Persisted public var city = ""
  }

  // MARK: - Restaurants

  public final class Restaurant: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var cuisine = ""
    @Persisted public var rating: Double?
    @Persisted public var image: URL?
    @Persisted public var phone: String?
    @Persisted(json: "review_count") public var reviewCount = 0
    @Persisted public var address: Address?
    @Persisted(json: "opening_hours") public var openingHours: List<OpeningHours>
    @Persisted public var menu: List<Dish>
  }

  public final class Address: EmbeddedObject {
    @Persisted public var street = ""
    @Persisted public var city = ""
    @Persisted public var zip: String?
  }

  public final class OpeningHours: Object {
    @Persisted public var day = 0
    @Persisted public var opens = ""
    @Persisted public var closes = ""
  }

  public final class Dish: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var price: Decimal = 0
    @Persisted public var vegan = false
  }

  // MARK: - Farm

  public final class Farm: Object {
    @Persisted(primaryKey: true) public var id: String
    @Persisted public var name = ""
    @Persisted(.date(.rfc1123)) public var established: Date?
    @Persisted public var centroid = ""
    @Persisted public var animals: List<Animal>
    @Persisted public var owner: Owner?

    override public class var codableRawJsonSubstrings: [String] { ["centroid"] }
  }

  public final class Animal: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var legs = 4
    @Persisted public var kind = ""
    @Persisted(originProperty: "animals") public var farms: LinkingObjects<Farm>
  }

  public final class Owner: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var farm: Farm?
  }

  // MARK: - Parking lot

  public class Vehicle: Object {
    @Persisted(primaryKey: true) public var number: Int
    @Persisted public var plate = ""

    override public class var codableKeys: [String: String] { ["number": "id"] }
  }

  public final class Car: Vehicle {
    @Persisted public var doors = 0
    @Persisted public var make = ""
  }

  public final class Truck: Vehicle {
    @Persisted public var axles = 0
    @Persisted public var payload = 0.0

    override public class var codableKeys: [String: String] { ["payload": "payload_kg"] }
  }

  public final class ParkingLot: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var capacity = 0
    @Persisted public var cars: List<Car>
    @Persisted public var trucks: List<Truck>
  }

  // MARK: - Adoption

  public final class AdoptableAnimal: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var type = ""
    @Persisted public var photos: List<Photo>
    @Persisted(json: "published_at") public var publishedAt: Date?
    @Persisted public var contact: Contact?
    @Persisted public var tags: List<String>
    @Persisted public var attributes: Map<String, Bool?>

    override public class var listEnvelope: String? { "animals" }
  }

  public final class Photo: Object {
    @Persisted public var small: URL?
    @Persisted public var large: URL?
  }

  public final class Contact: EmbeddedObject {
    @Persisted public var email = ""
    @Persisted public var phone: String?
    @Persisted public var address: ContactAddress?
  }

  public final class ContactAddress: EmbeddedObject {
    @Persisted public var city = ""
    @Persisted public var state = ""
  }

  // MARK: - Muppets

  public final class Muppet: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var species = ""
    @Persisted public var occupation: String?
    @Persisted public var debut: Date?
    @Persisted public var skills: List<String>
  }

  // MARK: - Partial

  public final class Company: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = "unnamed"
    @Persisted public var ceo: Person?
  }

  public final class Person: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = "nobody"
    @Persisted public var title: String?
    @Persisted public var assistant: Person?
    @Persisted public var desk: Desk?
    @Persisted public var nicknames: List<String>
  }

  public final class Desk: EmbeddedObject {
    @Persisted public var room = ""
    @Persisted public var floor = 1
  }

  public final class Order: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var completed = false
    @Persisted public var note: String?
    @Persisted public var total: Decimal = 0
    @Persisted(json: "placed_at") public var placedAt: Date?
    @Persisted public var tags: List<String>
    @Persisted public var customer: Customer?
    @Persisted public var lines: List<OrderLine>
  }

  public final class Customer: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var email = ""
  }

  public final class OrderLine: Object {
    @Persisted public var sku = ""
    @Persisted public var title = ""
    @Persisted public var quantity = 1
    @Persisted(json: "unit_price") public var unitPrice: Decimal = 0
  }

  // MARK: - Chains

  /// A chain of objects without a key, as deep as a payload.
  public final class Link: Object {
    @Persisted public var depth = 0
    @Persisted public var next: Link?
  }

  /// A chain of objects with a key.
  public final class KeyedLink: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var next: KeyedLink?
    @Persisted public var links: List<KeyedLink>
  }

  /// A chain of embedded objects.
  public final class Chain: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var first: EmbeddedLink?
  }

  public final class EmbeddedLink: EmbeddedObject {
    @Persisted public var depth = 0
    @Persisted public var next: EmbeddedLink?
    @Persisted public var others: List<EmbeddedLink>
  }
}
