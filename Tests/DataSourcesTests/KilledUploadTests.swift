import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import StoreCoding
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Processes that edit and upload are killed at any point, while the server loses requests and responses. In the end the
/// server has what the user did last.
///
/// `STORE_KILLS` is the number of kills.
@Suite(.serialized) struct `An upload in a process that is killed` {
  private static let kills =
    ProcessInfo.processInfo.environment["STORE_KILLS"].flatMap(Int.init) ?? 8

  @Test func `no edit is lost and no confirmed edit is sent again`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path(percentEncoded: false)
    let server = ResourceServer(ResourceCollection("tasks", ids: .chosen))
    server.script(random: SeededRandom(seed: 5)) { _, random in
      switch random.below(12) {
      case 0: .lostRequest
      case 1: .lostResponse
      case 2: .status(503)
      default: .none
      }
    }
    let loopback = try server.listen()
    let base = loopback.url.absoluteString
    var random = SeededRandom(seed: 3)
    for _ in 0..<Self.kills {
      let (pause, seed) = (20_000 + random.below(250_000), Int(random.next() >> 8))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = path as String, base = base as String, pause = pause as Int, seed = seed as Int
        ] in
        try await KilledUpload(path, base, seed).run(pause: pause)
      }
    }
    server.clearScript()
    let upload = try KilledUpload(path, base, 0)
    #expect(upload.violations == "")
    try await upload.finish()
    let store = upload.store
    let wanted = Dictionary(
      uniqueKeysWithValues: store.objects(KilledUpload.Intent.self).map { ($0.id, $0.value) })
    let stored = Dictionary(
      uniqueKeysWithValues: store.objects(KilledUpload.Task.self).map { ($0.id, $0.value) })
    let onServer = (server.resources["tasks"] ?? [:]).mapValues { $0["value"]?.intValue ?? -1 }
    for (id, value) in wanted where id != "last" {
      #expect(stored[id] == value, "task \(id)")
      #expect(onServer[ResourceID(id)] == value, "task \(id)")
    }
    #expect(stored.count == onServer.count)
    #expect(try store.pendingEdits().isEmpty)
    #expect(wanted.count > 1)
    try await store.integrityCheck()
  }
}

/// The code that runs in the killed process.
private struct KilledUpload {
  final class Task: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var value = 0
    override class var tracksEdits: Bool { true }
  }

  /// The last value that the user gave a task, stored in the same transaction; nil if the user deleted it.
  final class Intent: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var value: Int?
  }

  let store: Store
  private let coder: StoreCoder
  private let base: URL
  private let violationFile: URL
  /// A line with the key and the value of each confirmed edit, written after the confirmation is durable.
  private let confirmedFile: URL
  private var random: SeededRandom

  init(_ path: String, _ base: String, _ seed: Int) throws {
    let folder = URL(filePath: path)
    let configuration = StoreConfiguration.file(
      folder.appending(path: "tasks.store"), classes: [Task.self, Intent.self])
    let deadline = ContinuousClock.now + .seconds(60)
    var opened: Store?
    while opened == nil {
      do {
        opened = try Store(configuration: configuration)
      } catch let error as StoreError {
        // The previous process may still be closing it.
        guard case .fileInUse = error.kind, ContinuousClock.now < deadline else { throw error }
        usleep(1_000)
      }
    }
    store = try #require(opened)
    var coding = CodingConfiguration()
    // A task that the user created again after its deletion was sent.
    coding.resolveConflict = { _ in .local }
    coder = StoreCoder(store: store, configuration: coding)
    self.base = try #require(URL(string: base))
    violationFile = folder.appending(path: "violations")
    confirmedFile = folder.appending(path: "confirmed")
    random = SeededRandom(seed: UInt64(seed))
  }

  var violations: String {
    (try? String(contentsOf: violationFile, encoding: .utf8)) ?? ""
  }

  /// Edits and uploads until the process kills itself after `pause` microseconds.
  func run(pause: Int) async throws {
    var this = self
    killProcess(afterMicroseconds: pause)
    while true {
      for _ in 0..<this.random.below(4) { try this.act() }
      try await this.upload()
      if this.random.below(3) == 0 { try await this.refresh() }
    }
  }

  private mutating func act() throws {
    let id = "t\(random.below(12))"
    try store.write {
      let last = store.object(ofType: Intent.self, forPrimaryKey: "last")?.value ?? 0
      let number = last + 1
      try store.create(
        Intent.self, value: ["id": "last", "value": .int(Int64(number))], update: .modified)
      let task = store.object(ofType: Task.self, forPrimaryKey: id)
      var value: Int? = number
      if let task, random.below(4) == 0 {
        store.delete(task)
        value = nil
      } else if let task {
        task.value = number
      } else {
        try store.create(Task.self, value: ["id": .string(id), "value": .int(Int64(number))])
      }
      try store.create(
        Intent.self,
        value: ["id": .string(id), "value": value.map { .int(Int64($0)) } ?? .null],
        update: .modified)
    }
  }

  func upload() async throws {
    let transport = URLSessionTransport()
    var confirmed = confirmedValues
    // The edit whose response arrived. It is confirmed once the next one is offered.
    var answered: (key: String, value: Int)?
    func noteConfirmation() {
      guard let (key, value) = answered else { return }
      confirmed[key] = value
      append("\(key) \(value)\n", to: confirmedFile)
      answered = nil
    }
    defer { noteConfirmation() }
    try await coder.upload { edit in
      noteConfirmation()
      guard case .string(let key) = edit.key else { return .later }
      let path = "tasks/\(key)"
      var number = 0
      if case .int(let value)? = edit.value(of: "value") { number = Int(value) }
      // Values are never repeated.
      if number > 0, number <= confirmed[key] ?? 0 { append("\(edit)\n", to: violationFile) }
      var request = NetworkRequest(.delete, base.appending(path: path))
      switch edit.kind {
      case .created:
        request = NetworkRequest(.put, base.appending(path: path), body: try coder.encode(edit))
      case .edited:
        request = NetworkRequest(
          .patch, base.appending(path: path),
          headers: ["Content-Type": StoreCoder.BodyFormat.mergePatch.contentType],
          body: try coder.encode(edit, as: .mergePatch))
      case .deleted: break
      }
      guard let response = try? await transport.send(request) else { return .later }
      if (200..<300).contains(response.status), number > 0 { answered = (key, number) }
      return switch response.status {
      case 200..<300: .confirmed(edit.kind == .deleted ? nil : response.body)
      case 404, 410: .gone
      default: .later
      }
    }
  }

  private var confirmedValues: [String: Int] {
    let text = (try? String(contentsOf: confirmedFile, encoding: .utf8)) ?? ""
    let pairs = text.split(separator: "\n").compactMap { line -> (String, Int)? in
      let words = line.split(separator: " ")
      guard words.count == 2, let value = Int(words[1]) else { return nil }
      return (String(words[0]), value)
    }
    return Dictionary(pairs) { max($0, $1) }
  }

  private func append(_ text: String, to file: URL) {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  func refresh() async throws {
    let list = try coder.pages(of: Task.self, complete: .all)
    let request = NetworkRequest(.get, base.appending(path: "tasks"))
    guard let response = try? await URLSessionTransport().send(request), response.status == 200
    else { return }
    try list.read(response.body)
    _ = try? list.finish()
  }

  /// Uploads all edits and refreshes.
  func finish() async throws {
    for _ in 0..<5 where try !store.pendingEdits().isEmpty { try await upload() }
    try await refresh()
  }
}
