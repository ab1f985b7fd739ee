import Foundation
import ObjectStore
import TestSupport
import Testing

extension Animal {
  var label: String { "\(name) \(legs)" }
  var upperName: String { name.uppercased() }
  var nameOrTag: String { legs < 5 ? "few" : name }
  var nothing: Int { 1 }
}

@Suite struct `Attribute names of key paths` {
  @Test func `a key path to an attribute has the attribute's name`() {
    #expect(Animal.attributeName(for: \.name) == "name")
    #expect(Animal.attributeName(for: \.species) == "species")
    #expect(Animal.attributeName(for: \.born) == "born")
    #expect(Animal.attributeName(for: \.tags) == "tags")
    #expect(Animal.attributeName(for: \.owner) == "owner")
    #expect(Animal.attributeName(for: \.farms) == "farms")
    #expect(Farm.attributeName(for: \.prices) == "prices")
    #expect(Farm.attributeName(for: \.colours) == "colours")
  }

  @Test func `a nested key path has a dotted name`() {
    #expect(Animal.attributeName(for: \.owner?.name) == "owner.name")
    #expect(
      Animal.attributeName(for: \.mother?.mother?.owner?.home?.street)
        == "mother.mother.owner.home.street")
    #expect(Animal.attributeName(for: \.mother?.tags) == "mother.tags")
    #expect(Animal.attributeName(for: \.mother?.born) == "mother.born")
  }

  @Test func `key paths to attributes of every type have names`() throws {
    let typed: [PartialKeyPath<AllTypes>] = [
      \.bool, \.uint8, \.float, \.decimal, \.data, \.date, \.uuid, \.url, \.level, \.metres, \.word,
      \.json, \.optBool, \.optSpecies, \.optJSON, \.optURL, \.spot, \.optStrings, \.objectSet,
      \.optSpotMap, \.linkedBy,
    ]
    #expect(
      typed.map { AllTypes.attributeName(for: $0) } == [
        "bool", "uint8", "float", "decimal", "data", "date", "uuid", "url", "level", "metres",
        "word", "json", "optBool", "optSpecies", "optJSON", "optURL", "spot", "optStrings",
        "objectSet", "optSpotMap", "linkedBy",
      ])
  }

  @Test func `a key path to a computed property that reads several attributes is rejected`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Animal.attributeName(for: \.label)
    }
    result.says(
      "Animal.attributeName(for:): the key path reads several attributes (name, legs): "
        + "a computed property is not stored")
  }

  @Test func `a key path to a computed property that returns an attribute is rejected`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Animal.attributeName(for: \.nameOrTag)
    }
    result.says(
      "Animal.attributeName(for:): the key path reads several attributes (legs, name): "
        + "a computed property is not stored")
  }

  @Test func `a key path to a derived value is rejected`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Animal.attributeName(for: \.upperName)
    }
    result.says(
      "Animal.attributeName(for:): the key path's value is derived from 'name', "
        + "not the attribute itself")
  }

  @Test func `a key path to a property that reads no attribute is rejected`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Animal.attributeName(for: \.nothing)
    }
    result.says(
      "Animal.attributeName(for:): the key path reads no @Persisted attribute of Animal")
  }

  @Test func `a key path to a member of an attribute's value is rejected`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Animal.attributeName(for: \.name.count)
    }
    result.says(
      "Animal.attributeName(for:): the key path's value is derived from 'name', "
        + "not the attribute itself")
  }
}
