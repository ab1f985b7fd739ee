public import Foundation
public import ObjectStore

// The example domain of the tests, the documentation and the README.

/// The species of an animal; the first case is the default.
public enum Species: String, PersistableEnum {
  case cow, sheep, horse
}

/// An address, owned by a farm or an owner.
public final class Address: EmbeddedObject {
  @Persisted public var street = ""
  @Persisted public var city: String?

  public convenience init(street: String, city: String? = nil) {
    self.init()
    self.street = street
    self.city = city
  }
}

public final class Owner: Object {
  @Persisted(primaryKey: true) public var id: Int
  @Persisted public var name = ""
  @Persisted public var home: Address?
  @Persisted(originProperty: "owner") public var animals: LinkingObjects<Animal>

  public convenience init(id: Int, name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}

public final class Animal: Object {
  @Persisted(primaryKey: true) public var id: Int
  @Persisted public var name = ""
  @Persisted public var species: Species = .cow
  @Persisted public var legs = 4
  @Persisted(indexed: true) public var born: Date?
  @Persisted public var owner: Owner?
  @Persisted public var mother: Animal?
  @Persisted public var tags: List<String>
  @Persisted(originProperty: "animals") public var farms: LinkingObjects<Farm>
  @Persisted(originProperty: "mother") public var children: LinkingObjects<Animal>

  public convenience init(id: Int, name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}

public final class Farm: Object {
  @Persisted(primaryKey: true) public var name: String
  @Persisted public var address: Address?
  @Persisted public var animals: List<Animal>
  @Persisted public var fields: List<Address>
  @Persisted public var notes: List<Note>
  @Persisted public var prices: Map<String, Double>
  @Persisted public var colours: MutableSet<String>

  public convenience init(name: String) {
    self.init()
    self.name = name
  }
}

/// A class without a primary key.
public final class Note: Object {
  @Persisted public var text = ""

  public convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}
