import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import StoreCoding
import TestSupport
import Testing
import ValueModels

private enum Offline {
  final class ErrandObject: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var title = ""
    @Persisted var isDone = false
    override class var tracksEdits: Bool { true }
  }

  struct Errand: MappedPersistable, Hashable, Codable {
    var id = UUID()
    var title = ""
    var isDone = false

    typealias ManagedObject = ErrandObject
    static let mapping: Fields = [
      .key(\.id, \.id), .field(\.title, \.title), .field(\.isDone, \.isDone),
    ]
  }
}

private typealias ErrandObject = Offline.ErrandObject
private typealias Errand = Offline.Errand

private struct Errands {
  let repository: CacheRepository<NetworkDataSource<Errand>, PersistableDataSource<Errand>>

  func save(_ errand: Errand) async throws {
    do {
      try await repository.put(errand, forId: errand.id, operation: .cacheSync)
    } catch let error as URLError where error.code != .cancelled {
      // The edit stays in the store.
    }
  }

  func sendEdits() async throws -> Bool {
    try await repository.upload().postponed == 0
  }
}

/// The code about offline edits in the DataSources article.
@Suite struct `The DataSources article about offline edits` {
  @Test func `offline edits are uploaded, and refused ones have messages`() async throws {
    let store = try Store()
    let configuration = store.configuration
    let storage = StoreDataSource(Errand.self, store: store).readingRejections { body in
      let store = try Store(configuration: configuration, isolation: nil)
      return StoreCoder(store: store).rejection(of: ErrandObject.self, in: body)
    }
    let server = ResourceServer(
      ResourceCollection("errands", ids: .chosen) { errand in
        errand["title"]?.stringValue == "" ? ["title": ["is empty"]] : [:]
      })
    let network = NetworkDataSource<Errand>(
      base: try nowhere(), transport: server,
      routes: [
        .put(IdQuery<UUID>.self) { "errands/\($0.id)" },
        .delete(IdQuery<UUID>.self) { "errands/\($0.id)" },
      ], coding: .json(), retry: .never)
    let errands = Errands(repository: CacheRepository(main: network, cache: storage))
    server.script([.lostRequest])
    try await errands.save(Errand(title: "milk"))
    #expect(server.resources["errands"]?.isEmpty == true)
    #expect(try await errands.sendEdits())
    #expect(server.resources["errands"]?.count == 1)

    await #expect(throws: DataSourceError.self) { try await errands.save(Errand(title: "")) }
    store.refresh()
    let refused = try #require(store.objects(ErrandObject.self).rejected.first)
    #expect(refused.rejection?[\ErrandObject.title] == ["is empty"])
  }
}
