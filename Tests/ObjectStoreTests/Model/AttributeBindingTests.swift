import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Reading and assigning as a binding of SwiftUI does it, without SwiftUI.
@Suite struct `Bindings of attributes` {
  final class Animal: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  private let store: ObjectStore.Store
  private let animal: Animal

  init() throws {
    let store = try Store()
    self.store = store
    animal = try store.write { try store.create(Animal.self, value: ["id": 1, "name": "a"]) }
  }

  private var name: AttributeBinding<Animal, String> {
    AttributeBinding(object: animal, keyPath: \.name)
  }

  @Test func `a binding assigns in a transaction, and an equal value makes no version`() throws {
    try name.set("b")
    #expect(name.value == "b" && animal.name == "b")
    let version = store.version
    try name.set("b")
    #expect(store.version == version)
  }

  @Test func `inside a write, a binding assigns in that write`() throws {
    try store.beginWrite()
    try name.set("b")
    #expect(name.value == "b")
    store.cancelWrite()
    #expect(name.value == "a")
  }

  @Test func `a binding of a deleted object keeps the last value`() throws {
    let other = ObjectStore.Store(core: store.handle.core)
    try other.write { other.deleteAll() }
    let version = other.version
    try name.set("b")
    #expect(name.value == "a" && store.version == version)
  }

  @Test func `an object that is not managed is assigned directly`() throws {
    let draft = Animal()
    try AttributeBinding(object: draft, keyPath: \.name).set("b")
    #expect(draft.name == "b")
  }

  @Test func `a binding throws the error of the write and keeps the value`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("animals.store")
    try store.copyNow(to: url)
    let reader = try ObjectStore.Store(configuration: .file(url, readOnly: true))
    let animal = try #require(reader.object(Animal.self, key: 1))
    let error = StoreError(.readOnlyStore(path: url.resolvingSymlinksInPath().path))
    #expect(throws: error) { try AttributeBinding(object: animal, keyPath: \.name).set("b") }
    #expect(animal.name == "a")
  }
}
