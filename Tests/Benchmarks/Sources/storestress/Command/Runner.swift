import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs programs, and shrinks those that fail.
///
/// The programs run in a child process, because a failure may be a trap.
@MainActor
struct Runner {
  private let options: Options
  private let folder: String
  private let disk: Disk?

  init(_ options: Options) throws {
    self.options = options
    let memory = "/dev/shm"
    let parent =
      FileManager.default.fileExists(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    folder = "\(parent)/storestress-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    disk = options.progress != nil || options.replay != nil ? Disk.install() : nil
  }

  /// Returns true if all programs pass.
  func run() async throws -> Bool {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    if let replay = options.replay { return try await run(programIn: replay) }
    if let progress = options.progress { return try await runAll(progress) }
    let progress = "\(folder)/progress"
    let status = try Self.runChild(
      Array(CommandLine.arguments.dropFirst()) + ["--progress", progress])
    guard status >= 128 else { return status == 0 }
    guard let seed = UInt64((try? String(contentsOfFile: progress, encoding: .utf8)) ?? "") else {
      throw UsageError(description: "the process ended with the signal \(status - 128)")
    }
    let place = place(of: seed)
    Self.print("seed \(seed), \(place): ended with the signal \(status - 128)")
    await shrink(program(seed), place) { program in
      (try? Self.runChild(["--replay", save(program, place)], isQuiet: true)) != 0
    }
    return false
  }

  // MARK: - Programs

  private func place(of seed: UInt64) -> Place { options.places[Int(seed) % options.places.count] }

  private func program(_ seed: UInt64) -> [Step] {
    var generator = Generator(seed: seed, place: place(of: seed), features: options.features)
    return generator.program(options.steps)
  }

  private func runAll(_ progress: String) async throws -> Bool {
    let start = ContinuousClock.now
    var (programCount, stepCount) = (0, 0)
    var isGood = true
    for number in 0..<options.programs {
      if let seconds = options.seconds, ContinuousClock.now - start > .seconds(seconds) { break }
      let seed = options.firstSeed + UInt64(number)
      let (place, program) = (place(of: seed), program(seed))
      try "\(seed)".write(toFile: progress, atomically: false, encoding: .utf8)
      if options.prints { Self.print(text(program)) }
      programCount += 1
      stepCount += program.count
      guard let failure = await failure(of: program, place) else { continue }
      isGood = false
      Self.print("seed \(seed), \(place), \(failure)")
      await shrink(Array(program.prefix((failure.step ?? program.count) + 1)), place) {
        await self.failure(of: $0, place, checksAll: true) != nil
      }
      break
    }
    Self.print("\(programCount) programs, \(stepCount) steps, \(ContinuousClock.now - start)")
    return isGood
  }

  private struct Failure: CustomStringConvertible {
    /// The index of the step; nil for the end of the program.
    let step: Int?
    let text: String

    var description: String { (step.map { "step \($0): " } ?? "at the end: ") + text }
  }

  private func failure(
    of program: [Step], _ place: Place, checksAll: Bool = false
  ) async -> Failure? {
    let folder = "\(folder)/run"
    try? FileManager.default.removeItem(atPath: folder)
    var step = 0
    do {
      let simulation = try Simulation(place, folder: folder, disk: disk)
      simulation.checksAll = checksAll
      defer {
        step = simulation.stepNumber
        simulation.end()
      }
      try await simulation.run(program)
      return nil
    } catch {
      return Failure(step: step < program.count ? step : nil, text: "\(error)")
    }
  }

  // MARK: - Shrinking

  private func shrink(
    _ program: [Step], _ place: Place, _ fails: @escaping ([Step]) async -> Bool
  ) async {
    guard options.shrinkSeconds > 0 else { return }
    let end = ContinuousClock.now + .seconds(options.shrinkSeconds)
    let shrinker = Shrinker(fails: fails, isOver: { ContinuousClock.now > end })
    let program = await shrinker.shrink(program)
    let rest = disk == nil ? nil : await failure(of: program, place, checksAll: true)
    Self.print("\(program.count) steps, \(place), \(rest?.description ?? "")\n\(text(program))")
    let path = "\(FileManager.default.temporaryDirectory.path)/storestress.json"
    if (try? FileManager.default.copyReplacing(save(program, place), path)) != nil {
      Self.print("repeat it with: storestress --replay \(path)")
    }
  }

  private func text(_ program: [Step]) -> String {
    "let program: [Step] = [\n\(program.map { "  \(literal($0)),\n" }.joined())]"
  }

  // MARK: - Files

  private struct Saved: Codable {
    let place: Place
    let steps: [Step]
  }

  private func save(_ program: [Step], _ place: Place) throws -> String {
    let path = "\(folder)/program.json"
    try JSONEncoder().encode(Saved(place: place, steps: program)).write(to: URL(filePath: path))
    return path
  }

  private func run(programIn path: String) async throws -> Bool {
    let data = try Data(contentsOf: URL(filePath: path))
    let saved = try JSONDecoder().decode(Saved.self, from: data)
    guard let failure = await failure(of: saved.steps, saved.place, checksAll: true) else {
      return true
    }
    Self.print("\(failure)\n\(text(saved.steps))")
    return false
  }

  // MARK: - Processes

  /// Returns the exit status of the program with some arguments, or 128 and the number of the signal that ended it.
  private static func runChild(_ arguments: [String], isQuiet: Bool = false) throws -> Int {
    let process = Process()
    process.executableURL = ReaderProcess.executable
    process.arguments = arguments
    if isQuiet {
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    process.waitUntilExit()
    let status = Int(process.terminationStatus)
    return process.terminationReason == .exit ? status : 128 + status
  }

  private static func print(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}

extension FileManager {
  fileprivate func copyReplacing(_ source: String, _ target: String) throws {
    try? removeItem(atPath: target)
    try copyItem(atPath: source, toPath: target)
  }
}
