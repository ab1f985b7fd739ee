import Foundation
import ObjectStore
import TestSupport

// Changes by code of objects of generated classes.

extension BodyClasses {
  /// Changes one to three attributes of an object, or of an object in it. Returns the names of the object's attributes.
  mutating func change(_ object: DynamicObject, _ store: Store) -> [String] {
    let attributes = (classes["Whole"]?.attributes ?? []).filter { !$0.isIgnored }
    if attributes.isEmpty { return [] }
    return (0..<1 + random.below(3)).map { _ in
      let attribute = pick(attributes)
      change(attribute, of: object, store)
      return attribute.name
    }
  }

  private mutating func change(_ attribute: BodyAttribute, of object: DynamicObject, _ store: Store)
  {
    let value = object[attribute.name]
    if random.once(in: 2) {
      if let part = value as? DynamicObject, attribute.target != "Target",
        let members = classes[attribute.target ?? ""]?.attributes, !members.isEmpty
      {
        return change(pick(members), of: part, store)
      }
      switch value {
      case let list as List<Int>: return change(list, adding: pick([3, 4]))
      case let list as List<String>: return change(list, adding: pick(["a", "new"]))
      case let list as List<DynamicObject> where attribute.target == "Target":
        let targets = (try? store.objects(dynamic: "Target")).map(Array.init) ?? []
        return change(list, adding: targets.first { !list.contains($0) })
      case let list as List<DynamicObject>:
        if let part = list.first, let members = classes[attribute.target ?? ""]?.attributes,
          !members.isEmpty, random.once(in: 2)
        {
          return change(pick(members), of: part, store)
        }
        return change(list, adding: nil)
      case let set as MutableSet<String>:
        return random.once(in: 3) ? set.removeAll() : set.insert(pick(["a", "new"]))
      case let map as Map<String, Double?>: return map[pick(["a", "new"])] = .some(2.5)
      case let map as Map<String, Int>: return map[pick(["a", "new"])] = 3
      default: break
      }
    }
    if attribute.isOptional, !attribute.isCollection, random.once(in: 3) {
      object[attribute.name] = nil
    } else {
      object[attribute.name] = update(attribute)
    }
  }

  private mutating func change<Element>(_ list: List<Element>, adding element: Element?) {
    switch random.below(4) {
    case 0 where !list.isEmpty: list.remove(at: random.below(list.count))
    case 1 where list.count > 1: list.move(from: 0, to: list.count - 1)
    case 2: list.removeAll()
    default:
      guard let element else { return list.removeAll() }
      list.insert(element, at: random.below(list.count + 1))
    }
  }

  /// Returns a value of an attribute.
  private mutating func update(_ attribute: BodyAttribute) -> UpdateValue {
    guard attribute.isCollection else { return updateElement(attribute) }
    var values: [UpdateValue] = []
    for number in 0..<random.below(4) {
      let isNull = attribute.isOptional && random.once(in: 4)
      if attribute.target == "Target", !isNull {
        // A keyed collection contains an object once.
        let id = 3 * random.below(3) + number + (random.once(in: 3) ? 100 : 1)
        if values.contains(where: { $0.id == Int64(id) }) { continue }
        values.append(["id": .int(Int64(id))])
      } else {
        values.append(isNull ? .null : updateElement(attribute))
      }
    }
    guard attribute.form == .map else { return .array(values) }
    var names = ["a", "é", "new"]
    if attribute.isKeyed {
      values.removeAll { $0.id == nil }
      names = values.compactMap { $0.id.map { "\($0)" } }
    }
    return .object(UpdateDictionary(Array(zip(names, values))))
  }

  private mutating func updateElement(_ attribute: BodyAttribute) -> UpdateValue {
    if attribute.kind == .object {
      guard attribute.target != "Target" else {
        return ["id": .int(Int64(1 + random.below(9) + (random.once(in: 3) ? 100 : 0)))]
      }
      var values: [(String, UpdateValue)] = []
      for member in classes[attribute.target ?? ""]?.attributes ?? [] where random.once(in: 2) {
        values.append((member.name, update(member)))
      }
      return .object(UpdateDictionary(values))
    }
    let text = element(attribute)
    if attribute.kind == .raw {
      return .string(
        attribute.has(.raw(.exact)) ? text : pick(["[1,2]", #""x""#, #"{"a":[],"b":1}"#]))
    }
    let json = BodyMeaning.json(text)
    if attribute.kind == .json { return .json(json) }
    var single = attribute
    single.form = .scalar
    var meaning = BodyMeaning(self)
    switch (attribute.kind, meaning.value(json, single)) {
    case (.decimal, .string(let text)?): return Decimal(string: text).map { .decimal($0) } ?? .null
    case (.data, .string(let text)?): return .data(Data(base64Encoded: text) ?? Data())
    case (.date, .int(let value)?):
      return .date(Date(timeIntervalSince1970: Double(value) / 1000))
    case (.uuid, .string(let text)?): return UUID(uuidString: text).map { .uuid($0) } ?? .null
    case (_, .string(let text)?): return .string(text)
    case (_, .int(let value)?): return .int(value)
    case (_, .double(let value)?): return .double(value)
    case (_, .bool(let value)?): return .bool(value)
    default: return attribute.isOptional ? .null : 0
    }
  }
}

extension UpdateValue {
  /// The key of a linked object.
  fileprivate var id: Int64? {
    if case .object(let members) = self, case .int(let id)? = members["id"] { id } else { nil }
  }
}
