import DataSources
import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Mappers` {
  @Test func `a mapper converts values, arrays and collections of a store`() throws {
    let store = try Store()
    try store.write { try store.add([Item("a"), Item("b")]) }
    let names = Mapper<Item, String> { $0.id }
    #expect(try names.map(Item("c")) == "c")
    #expect(try names.map(store.objects(Item.self)) == ["a", "b"])
    #expect(try names.map([Item("d")]) == ["d"])
    #expect(throws: TestError()) {
      try Mapper<Int, Int> { _ in throw TestError() }.map([1])
    }
  }

  @Test func `a store mapper converts arrays to lists`() throws {
    let store = try Store()
    let list = try EntityToItemMapper().map([ItemEntity(id: "a"), ItemEntity(id: "b")], in: store)
    #expect(list.map(\.id) == ["a", "b"])
  }

  @Test func `an identified object has a new id unless one is passed`() throws {
    #expect(Item("x").id == "x")
    #expect(Item("").id == "")
    let ids = [Item(nil).id, Item(nil).id, Item().id, Item().id]
    #expect(Set(ids).count == 4)
    #expect(ids.allSatisfy { UUID(uuidString: $0) != nil })
    let store = try Store()
    try store.write { try store.add([Item(), Item()]) }
    #expect(store.objects(Item.self).count == 2)
  }

  @Test func `an id is found by the values of other attributes`() throws {
    let store = try Store()
    let item = Item("a")
    item.serverId = 42
    item.text = "apple"
    try store.write { try store.add([item, Item("b")]) }
    #expect(Item.findId(key: "serverId", value: 42, in: store) == "a")
    #expect(Item.findId(key: "serverId", value: 43, in: store) == nil)
    #expect(Item.findId(key: "lastUpdate", value: nil, in: store) == "a")
    #expect(Item.findId(keyedValues: ["serverId": 42, "text": "apple"], in: store) == "a")
    #expect(Item.findId(keyedValues: ["serverId": 42, "text": "pear"], in: store) == nil)
    #expect(Item.findId(keyedValues: [:], in: store) == "a")

    try store.write { try store.create(PlaceObject.self, value: ["code": 7, "name": "Barn"]) }
    let places = StoreMapper<Int, PlaceObject>()
    let code: Int? = places.findId(key: "name", value: "Barn", in: store)
    #expect(code == 7)
    let text: String? = places.findId(key: "name", value: "Barn", in: store)
    #expect(text == nil)
  }

  #if DEBUG
    @Test func `finding an id by an unknown attribute or an unsuitable value stops a debug build`()
      async
    {
      let unknown = await #expect(processExitsWith: .failure, observing: .misuseText) {
        _ = Item.findId(key: "wings", value: 2, in: try Store())
      }
      unknown.says("Item.findId: Item: 'wings' is not an attribute")
      let mismatch = await #expect(processExitsWith: .failure, observing: .misuseText) {
        _ = Item.findId(key: "serverId", value: "four", in: try Store())
      }
      mismatch.says(#"Item.findId: Item.serverId: expected a number, found String "four""#)
    }
  #endif
}
