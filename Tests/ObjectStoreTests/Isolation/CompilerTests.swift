#if os(Linux) || os(macOS)
  import Foundation
  import Testing

  /// The types determine which values may cross isolation domains, and the compiler enforces it.
  @Suite struct `Concurrency checks by the compiler` {
    @Test(
      .enabled(if: UserCompiler.shared != nil, "no swiftc, or the built modules were not found"),
      arguments: CompilerProgram.accepted.indices)
    func `a program without data races compiles`(_ index: Int) throws {
      let program = CompilerProgram.accepted[index]
      let output = try #require(UserCompiler.shared).compile(program)
      #expect(output == "", "\(program.name)")
    }

    @Test(
      .enabled(if: UserCompiler.shared != nil, "no swiftc, or the built modules were not found"),
      arguments: CompilerProgram.refused.indices)
    func `a program with a possible data race or type error does not compile`(_ index: Int) throws {
      let program = CompilerProgram.refused[index]
      let output = try #require(UserCompiler.shared).compile(program)
      let errors = output.split(separator: "\n").filter { $0.contains("error:") }
      #expect(
        errors.contains { $0.contains(program.refusal ?? "") }, "\(program.name): \(output)")
    }
  }

  /// Compiles sources that import the module under test.
  struct UserCompiler: Sendable {
    /// The build folder of the running tests, which contains `Modules`.
    let build: URL
    let compiler: URL

    static let shared = UserCompiler()

    private init?() {
      let files = FileManager.default
      guard
        let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
          .map({ URL(filePath: String($0)).appending(path: "swiftc") })
          .first(where: { files.isExecutableFile(atPath: $0.path) })
      else { return nil }
      // The test binary or its bundle is somewhere inside the build folder.
      var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      let module = "Modules/ObjectStore.swiftmodule"
      while !files.fileExists(atPath: folder.appending(path: module).path) {
        guard folder.pathComponents.count > 1 else { return nil }
        folder.deleteLastPathComponent()
      }
      build = folder
      self.compiler = compiler
    }

    /// The module map with which SwiftPM finds the system's SQLite.
    private static let sqlite = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/StoreSQLite").standardizedFileURL

    /// Returns the compiler's output. Emits SIL, because region isolation is checked after type checking.
    func compile(_ program: CompilerProgram) throws -> String {
      try compile(CompilerProgram.models + program.source, ["-emit-sil"] + program.flags)
    }

    /// Returns the compiler's output for a source; `stage` is the compilation mode.
    func compile(_ text: String, _ stage: [String]) throws -> String {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "ObjectStoreCompilerTests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let source = folder.appending(path: "Program.swift")
      try text.write(to: source, atomically: true, encoding: .utf8)
      let process = Process()
      process.executableURL = compiler
      process.arguments =
        [
          "-swift-version", "6", "-parse-as-library", source.path, "-module-name", "Program",
          "-o", folder.appending(path: "Program.sil").path,
          "-module-cache-path", build.appending(path: "ModuleCache").path,
          "-I", build.appending(path: "Modules").path, "-I", Self.sqlite.path, "-Xcc",
          "-fmodule-map-file=\(build.appending(path: "ObjectStoreShims.build/module.modulemap").path)",
        ] + stage
      let output = Pipe()
      process.standardError = output
      process.standardOutput = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self)
    }
  }
#endif
