import Foundation
import StoreCoding

// Column files are internal. A build with optimization for another purpose than tests cannot access them.
#if DEBUG || STORE_INVARIANTS
  @testable import ObjectStore

  /// Maps changed column files, and uses the store in all ways that read columns.
  enum ColumnsTarget {
    private static let store = StoreFolder.fixture("columns-3.store")
    private static let files = ["Place-9d57325a10f24d46", "Sample-fc7287d462d44702"].map { name in
      let bytes = StoreFolder.fixture("columns-3.store.columns/\(name)")
      return (name: name, words: bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) })
    }

    static func run(_ bytes: [UInt8]) {
      var input = InputBytes(bytes)
      let options = input.byte()
      let isForged = options & 1 != 0
      var words = files.map(\.words)
      while !input.isEmpty { change(&words[input.byte() & 1], &input) }
      do {
        let folder = try StoreFolder()
        let url = folder.url.appending(path: "columns-3.store")
        try Data(store).write(to: url)
        let columns = folder.url.appending(path: "columns-3.store.columns")
        try FileManager.default.createDirectory(at: columns, withIntermediateDirectories: true)
        for (file, words) in zip(files, words) {
          let words = isForged ? ForgedColumns(file.words).sealed(words) : words
          try words.withUnsafeBytes { try Data($0).write(to: columns.appending(path: file.name)) }
        }
        try use(url, options, isForged: isForged)
        for name in folder.names {
          law(name.hasPrefix("columns-3.store"), "no foreign file is left: \(folder.names)")
        }
      } catch {
        fatalError("\(error)")
      }
    }

    /// Changes a word.
    private static func change(_ words: inout [UInt64], _ input: inout InputBytes) {
      let index = input.number(byteCount: 2) % words.count
      let kind = input.byte()
      let word = words[index]
      words[index] =
        switch kind % 8 {
        case 0: 0
        case 1: .max
        case 2: word &+ UInt64(1 + kind / 8)
        case 3: word &- UInt64(1 + kind / 8)
        case 4: UInt64(truncatingIfNeeded: input.number(byteCount: 8))
        case 5: words[input.number(byteCount: 2) % words.count]
        case 6: word ^ 1 << UInt64(input.byte() % 64)
        default: word & ~0xFFFF_FFFF | UInt64(input.number(byteCount: 4))
        }
    }

    // MARK: - Use

    private static let schemas = [
      ObjectSchema(
        "Sample",
        [
          Property("id", .string, isPrimaryKey: true), Property("flag", .bool, isOptional: true),
          Property("number", .int, isIndexed: true), Property("ratio", .double, isOptional: true),
          Property("text", .string, isOptional: true, isIndexed: true), Property("image", .data),
          Property("amount", .decimal), Property("extra", .value(.json)),
          Property("names", .list(.string), isOptional: true), Property("sizes", .set(.int)),
          Property("scores", .map(.double), isOptional: true),
          Property("next", .object("Sample")), Property("places", .list("Place")),
        ], indexes: [["flag", "number"]]),
      ObjectSchema("Place", [Property("street", .string)], isEmbedded: true),
    ]

    private static func use(_ url: URL, _ options: Int, isForged: Bool) throws {
      var configuration = StoreConfiguration.file(url, readOnly: options & 2 != 0)
      configuration.file.columnFileRows = 1
      var file: StoreFile?
      do {
        let store = try Store(configuration: configuration, schemas: schemas)
        file = store.handle.core.file
        query(store, options)
        touchAll(store)
        if !isForged {
          law(content(of: store), equals: expected, "damaged column files are not read")
        }
        _ = failure { try file?.check(store.handle.engine, FileProgress(nil)) }
        if options & 2 == 0 { change(store, cancels: isForged) }
      }
      // Closing writes column files in the background.
      file?.columnQueue.sync {}
    }

    /// The content of the database.
    private static let expected: [String] = {
      do {
        let folder = try StoreFolder()
        let url = folder.url.appending(path: "columns-3.store")
        try Data(store).write(to: url)
        return content(
          of: try Store(configuration: .inMemory(copyOf: url), schemas: schemas))
      } catch {
        fatalError("\(error)")
      }
    }()

    private static func samples(of store: Store) -> Results<DynamicObject> {
      do {
        return try store.objects(dynamic: "Sample")
      } catch {
        fatalError("\(error)")
      }
    }

    /// Reads all values of all objects.
    private static func touchAll(_ store: Store) {
      for sample in samples(of: store) {
        for property in schemas[0].properties { touch(sample[property.name]) }
        _ = sample.unknownAttributes
      }
    }

    /// An eighth of the objects as text, because text takes long. Links are shown by key, because they may form cycles.
    private static func content(of store: Store) -> [String] {
      samples(of: store).enumerated().filter { $0.offset % 8 == 0 }.map { _, sample in
        schemas[0].properties.map { property in
          switch sample[property.name] {
          case let next as DynamicObject: "\(next["id"] ?? "")"
          case let places as List<DynamicObject>: "\(places.map { $0["street"] ?? "" })"
          case let image as Data: image.base64EncodedString()
          case let value?: "\(value)"
          case nil: "nil"
          }
        }.joined(separator: " | ") + " \(sample.unknownAttributes)"
      }
    }

    /// Uses the indexes and the keys.
    private static func query(_ store: Store, _ options: Int) {
      let samples = samples(of: store)
      _ = failure {
        for query in [
          "number > \(options)", "text BEGINSWITH 'é1'", "flag == true AND number < 200",
          "ANY names == 'b'", "places.@count > 1 AND next.id != nil",
        ] {
          _ = try samples.filter(query).map { $0["id"] as? String }
        }
        let order = [StoreSortDescriptor("number", ascending: false), StoreSortDescriptor("text")]
        _ = try samples.sorted(by: order).limit(9).map { $0["id"] as? String }
        for number in stride(from: 0, to: 260, by: 13) {
          _ = try store.object(dynamic: "Sample", forPrimaryKey: "sample \(number)")?["text"]
        }
      }
    }

    /// - Parameter cancels: True to cancel the write. Forged values may break the invariants that commits check in tests.
    private static func change(_ store: Store, cancels: Bool) {
      _ = failure {
        try store.write {
          let samples = Array(samples(of: store).prefix(40))
          for (number, sample) in samples.enumerated() {
            switch number % 5 {
            case 0: store.delete(sample)
            case 1: (sample["names"] as? List<String?>)?.append("new")
            case 2: sample["next"] = samples[3]
            case 3: sample["text"] = "new"
            default: (sample["scores"] as? Map<String, Double?>)?["new"] = 1
            }
          }
          touchAll(store)
          if cancels { throw CancellationError() }
        }
        touchAll(store)
      }
    }
  }

  /// The parts of a column file that have checksums.
  private struct ForgedColumns {
    private let original: [UInt64]
    private var chunkEntries: [Int] = []
    private var indexEntries: [Int] = []

    init(_ original: [UInt64]) {
      self.original = original
      func header(_ field: ColumnFile.Header) -> Int { Int(original[field.rawValue]) }
      let first = header(.directoryOffset) / 8
      let indexSize = ColumnFile.Index.wordCount
      let end = first + header(.directoryByteCount) / 8
      let indexStart = end - header(.indexCount) * indexSize
      let size = (indexStart - first) / header(.chunkCount)
      chunkEntries = (0..<header(.chunkCount)).map { first + $0 * size }
      indexEntries = (0..<header(.indexCount)).map { indexStart + $0 * indexSize }
    }

    /// Returns changed words with right checksums.
    func sealed(_ changed: [UInt64]) -> [UInt64] {
      var words = changed
      func header(_ field: ColumnFile.Header) -> Int { Int(clamping: words[field.rawValue]) }
      func set(_ sum: Int, _ offset: Int, _ byteCount: Int) {
        guard offset >= 0, byteCount >= 0, byteCount % 8 == 0, offset % 8 == 0,
          offset <= words.count * 8 - byteCount
        else { return }
        words[sum] = words.withUnsafeBytes {
          ColumnFile.checksum(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + byteCount]))
        }
      }
      func set(_ sum: Int, at entry: Int) {
        set(sum, Int(clamping: words[entry]), Int(clamping: words[entry + 1]))
      }
      for entry in chunkEntries { set(entry + 3, at: entry + 1) }
      let size = CompoundIndex.size.upperBound
      for entry in indexEntries { set(entry + size + 2, at: entry + size) }
      if header(.keySize) < words.count {
        set(ColumnFile.Header.keyChecksum.rawValue, header(.keyOffset), 16 * header(.keySize))
      }
      set(
        ColumnFile.Header.directoryChecksum.rawValue, header(.directoryOffset),
        header(.directoryByteCount))
      set(ColumnFile.Header.checksum.rawValue, 0, 8 * ColumnFile.Header.checksum.rawValue)
      return words
    }
  }
#else
  enum ColumnsTarget {
    static func run(_ bytes: [UInt8]) {}
  }
#endif
