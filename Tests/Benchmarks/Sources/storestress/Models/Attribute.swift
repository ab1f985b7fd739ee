import Foundation
import ObjectStore

/// The translation between an attribute of a class and the model.
struct Attribute: Sendable {
  enum Content: Sendable {
    /// Numbered values.
    case plain(count: Int)
    case link(Kind), list(Kind), set(Kind), map(Kind)
  }

  typealias Find = (Kind, Int) -> Object?

  let name: String
  let content: Content
  /// The value of a new object.
  let initial: Value
  let read: @Sendable (Object) -> Value
  let assign: @Sendable (Object, Value, Find) -> Void
  /// The JSON of each numbered value.
  let texts: [String]
  /// Each numbered value as a value of an update.
  var updates: [UpdateValue] = []

  var target: Kind? {
    switch content {
    case .plain: nil
    case .link(let kind), .list(let kind), .set(let kind), .map(let kind): kind
    }
  }

  /// True if `assign` changes the content of a collection or an embedded object, so that assigning the same does nothing.
  var isChangedInPlace: Bool {
    switch content {
    case .plain: ["address", "stops", "tags", "prices", "lines", "doses"].contains(name)
    case .link: false
    case .list, .set, .map: true
    }
  }

  var isMap: Bool { if case .map = content { true } else { false } }

  /// The attributes of each class, except the primary key.
  static let all: [[Attribute]] = [shop, order, customer]

  static func of(_ kind: Kind) -> [Attribute] { all[kind.rawValue] }

  /// The index of an attribute. A name that does not exist is a mistake in a program.
  static func index(_ kind: Kind, _ name: String) -> Int {
    guard let index = indices[kind.rawValue][name] else {
      preconditionFailure("\(kind) has no attribute \(name)")
    }
    return index
  }

  private static let indices: [[String: Int]] = all.map { attributes in
    Dictionary(uniqueKeysWithValues: attributes.enumerated().map { ($1.name, $0) })
  }
}

extension Attribute {
  /// An attribute with numbered values; the first is that of a new object.
  private static func plain<T: Object, V: Equatable & Sendable>(
    _ name: String, _ values: [(V, json: String)], _ get: @escaping @Sendable (T) -> V,
    _ set: @escaping @Sendable (T, V) -> Void
  ) -> Attribute {
    let table = values.map(\.0)
    return Attribute(
      name: name, content: .plain(count: table.count), initial: .plain(0),
      read: { object in
        let value = get(unsafeDowncast(object, to: T.self))
        return .plain(table.firstIndex(of: value) ?? -1)
      },
      assign: { object, value, _ in
        guard case .plain(let number) = value else { return }
        set(unsafeDowncast(object, to: T.self), table[number])
      },
      texts: values.map(\.json),
      updates: values.map { value, json in
        switch value {
        case let date as Date: .date(date)
        case let value as JSONValue: .json(value)
        default: UpdateValue(json: json)
        }
      })
  }

  private static func link<T: Object, V: Object>(
    _ name: String, _ kind: Kind, _ get: @escaping @Sendable (T) -> V?,
    _ set: @escaping @Sendable (T, V?) -> Void
  ) -> Attribute {
    Attribute(
      name: name, content: .link(kind), initial: .link(nil),
      read: { .link(get(unsafeDowncast($0, to: T.self)).map { kind.id(of: $0) }) },
      assign: { object, value, find in
        guard case .link(let target) = value else { return }
        set(unsafeDowncast(object, to: T.self), target.flatMap { find(kind, $0) } as? V)
      },
      texts: [])
  }

  private static func list<T: Object, V: Object>(
    _ name: String, _ kind: Kind, _ get: @escaping @Sendable (T) -> List<V>
  ) -> Attribute {
    Attribute(
      name: name, content: .list(kind), initial: .links([]),
      read: { .links(get(unsafeDowncast($0, to: T.self)).map { kind.id(of: $0) }) },
      assign: { object, value, find in
        guard case .links(let targets) = value else { return }
        var list = get(unsafeDowncast(object, to: T.self))
        let objects = targets.compactMap { $0.flatMap { find(kind, $0) } as? V }
        list.replaceSubrange(0..<list.count, with: objects)
      },
      texts: [])
  }

  private static func set<T: Object, V: Object>(
    _ name: String, _ kind: Kind, _ get: @escaping @Sendable (T) -> MutableSet<V>
  ) -> Attribute {
    Attribute(
      name: name, content: .set(kind), initial: .links([]),
      read: { .links(get(unsafeDowncast($0, to: T.self)).map { kind.id(of: $0) }.sorted()) },
      assign: { object, value, find in
        guard case .links(let targets) = value else { return }
        let set = get(unsafeDowncast(object, to: T.self))
        let objects = targets.compactMap { $0.flatMap { find(kind, $0) } as? V }
        set.formIntersection(objects)
        set.insert(contentsOf: objects)
      },
      texts: [])
  }

  /// A map with the keys `k0`, `k1` and so on.
  private static func map<T: Object, V: Object>(
    _ name: String, _ kind: Kind, _ get: @escaping @Sendable (T) -> Map<String, V?>
  ) -> Attribute {
    Attribute(
      name: name, content: .map(kind), initial: .links([]),
      read: { object in
        .links(get(unsafeDowncast(object, to: T.self)).map { $0.value.map { kind.id(of: $0) } })
      },
      assign: { object, value, find in
        guard case .links(let targets) = value else { return }
        let map = get(unsafeDowncast(object, to: T.self))
        for key in map.keys.dropFirst(targets.count) { map[key] = nil }
        for (index, target) in targets.enumerated() {
          map["k\(index)"] = .some(target.flatMap { find(kind, $0) } as? V)
        }
      },
      texts: [])
  }
}

// MARK: - The tables

extension Attribute {
  private static let streets: [((String, String?)?, json: String)] = [
    (nil, "null"), (("1", nil), #"{"street":"1","city":null}"#),
    (("2", "Rome"), #"{"city":"Rome","street":"2"}"#), (("", nil), #"{"street":"","city":null}"#),
  ]

  /// An embedded object. An existing one is changed, so that both ways to edit it occur.
  private static func address<T: Object>(
    _ get: @escaping @Sendable (T) -> Address?, _ set: @escaping @Sendable (T, Address?) -> Void
  ) -> Attribute {
    let table = streets.map(\.0)
    return Attribute(
      name: "address", content: .plain(count: table.count), initial: .plain(0),
      read: { object in
        let address = get(unsafeDowncast(object, to: T.self))
        return .plain(
          table.firstIndex { $0?.0 == address?.street && $0?.1 == address?.city } ?? -1)
      },
      assign: { object, value, _ in
        guard case .plain(let number) = value else { return }
        let owner = unsafeDowncast(object, to: T.self)
        if let (street, city) = table[number], let address = get(owner) {
          address.street = street
          address.city = city
        } else {
          set(owner, table[number].map { Address($0.0, $0.1) })
        }
      },
      texts: streets.map(\.json), updates: streets.map { UpdateValue(json: $0.json) })
  }

  private static func lines<T: Object>(_ get: @escaping @Sendable (T) -> List<Line>) -> Attribute {
    plain(
      "lines",
      [
        ([], json: "[]"), (["a"], json: #"[{"text":"a"}]"#),
        (["b", "a"], json: #"[{"text":"b"},{"text":"a"}]"#),
        (["", "a", "line 3"], json: #"[{"text":""},{"text":"a"},{"text":"line 3"}]"#),
      ],
      { (owner: T) in get(owner).map(\.text) },
      { (owner: T, texts: [String]) in
        var lines = get(owner)
        lines.replaceSubrange(0..<lines.count, with: texts.map { Line($0) })
      })
  }

  private static let shop: [Attribute] = [
    plain(
      "name",
      [
        (nil, json: "null"), ("old barn", json: #""old barn""#), ("", json: #""""#),
        ("Caf\u{E9} of the old town", json: #""Caf\u00e9 of the old town""#),
        ("barn, barns & more than 15 bytes", json: #""barn, barns & more than 15 bytes""#),
      ], { (shop: Shop) in shop.name }, { $0.name = $1 }),
    plain(
      "city", [("", json: #""""#), ("Rome", json: #""Rome""#), ("Oslo", json: #""Oslo""#)],
      { (shop: Shop) in shop.city }, { $0.city = $1 }),
    plain(
      "rating", [(0, json: "0"), (1.5, json: "1.5"), (-2.25, json: "-225e-2"), (3, json: "3.0")],
      { (shop: Shop) in shop.rating }, { $0.rating = $1 }),
    plain(
      "opened",
      [
        (nil, json: "null"),
        (Date(timeIntervalSince1970: 0), json: #""1970-01-01T00:00:00Z""#),
        (Date(timeIntervalSince1970: 86_400), json: #""1970-01-02T00:00:00Z""#),
        (Date(timeIntervalSince1970: 172_800.5), json: #""1970-01-03T00:00:00.500Z""#),
      ], { (shop: Shop) in shop.opened }, { $0.opened = $1 }),
    plain(
      "doses",
      [
        ([], json: "[]"), ([nil], json: "[null]"), ([nil, 2.5], json: "[null,2.5]"),
        ([nil, 2.5, 1, 1], json: "[null,2.5,1,1]"),
      ], { (shop: Shop) in Array(shop.doses) },
      { shop, doses in shop.doses.replaceSubrange(0..<shop.doses.count, with: doses) }),
    address({ (shop: Shop) in shop.address }, { $0.address = $1 }),
    lines { (shop: Shop) in shop.lines },
    link("lead", .customer, { (shop: Shop) in shop.lead }, { $0.lead = $1 }),
    link("next", .shop, { (shop: Shop) in shop.next }, { $0.next = $1 }),
    list("staff", .customer) { (shop: Shop) in shop.staff },
    set("orders", .order) { (shop: Shop) in shop.orders },
    map("byDay", .customer) { (shop: Shop) in shop.byDay },
  ]

  private static let order: [Attribute] = [
    plain(
      "note",
      [
        (nil, json: "null"), ("a", json: #""a""#),
        ("a note of more than 15 bytes", json: #""a note of more than 15 bytes""#),
      ],
      { (order: Order) in order.note }, { $0.note = $1 }),
    plain(
      "count", [(0, json: "0"), (1, json: "1"), (-7, json: "-7")],
      { (order: Order) in order.count }, { $0.count = $1 }),
    plain(
      "total", [(0, json: "0"), (12.5, json: "12.5"), (13, json: "13")],
      { (order: Order) in order.total }, { $0.total = $1 }),
    plain(
      "isPaid", [(nil, json: "null"), (true, json: "true"), (false, json: "false")],
      { (order: Order) in order.isPaid }, { $0.isPaid = $1 }),
    address({ (order: Order) in order.address }, { $0.address = $1 }),
    plain(
      "stops",
      [
        ([], json: "[]"), (["0"], json: #"[{"street":"0","city":null}]"#),
        (["0", "1"], json: #"[{"street":"0","city":null},{"street":"1","city":null}]"#),
      ], { (order: Order) in order.stops.map(\.street) },
      { order, streets in
        while order.stops.count > streets.count { order.stops.removeLast() }
        while order.stops.count < streets.count {
          order.stops.append(Address(streets[order.stops.count], nil))
        }
      }),
    plain(
      "tags", [([], json: "[]"), (["x"], json: #"["x"]"#), (["x", "y"], json: #"["x","y"]"#)],
      { (order: Order) in Set(order.tags) },
      { order, tags in
        order.tags.formIntersection(tags)
        order.tags.insert(contentsOf: tags)
      }),
    plain(
      "prices",
      [
        ([:], json: "{}"), (["p": 1], json: #"{"p":1}"#),
        (["p": 2, "q": 0], json: #"{"q":0,"p":2}"#),
      ],
      { (order: Order) in order.prices.dictionary },
      { order, prices in
        for key in order.prices.keys where prices[key] == nil { order.prices[key] = nil }
        for (key, price) in prices { order.prices[key] = price }
      }),
    plain(
      "extra",
      [
        (JSONValue.null, json: "null"), (["a": [1, 2]], json: #"{"a":[1,2]}"#),
        ("b", json: #""b""#),
      ], { (order: Order) in order.extra }, { $0.extra = $1 }),
    lines { (order: Order) in order.lines },
    link("customer", .customer, { (order: Order) in order.customer }, { $0.customer = $1 }),
    list("guests", .customer) { (order: Order) in order.guests },
  ]

  private static let customer: [Attribute] = [
    plain(
      "name",
      [
        ("", json: #""""#), ("jo", json: #""jo""#),
        ("kim of the long name", json: #""kim of the long name""#),
      ],
      { (customer: Customer) in customer.name }, { $0.name = $1 }),
    plain(
      "rank", [(nil, json: "null"), (1, json: "1"), (2, json: "2"), (0, json: "0")],
      { (customer: Customer) in customer.rank }, { $0.rank = $1 }),
    link("best", .customer, { (customer: Customer) in customer.best }, { $0.best = $1 }),
  ]
}

extension UpdateValue {
  /// Creates the value of a JSON text.
  fileprivate init(json: String) {
    let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    self = UpdateValue(value ?? .null)
  }

  private init(_ json: JSONValue) {
    self =
      switch json {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .number(let text): .double(Double(text) ?? .nan)
      case .string(let text): .string(text)
      case .array(let elements): .array(elements.map { UpdateValue($0) })
      case .object(let members):
        .object(UpdateDictionary(members.map { ($0.key, UpdateValue($0.value)) }))
      }
  }
}
