#if os(Linux) || os(macOS)
  import Testing

  /// Swift 5 accepts races that Swift 6 rejects. It warns about them only with complete checking.
  @Suite struct `Swift 5 mode` {
    private static let races = CompilerProgram.refused.filter {
      $0.refusal == CompilerProgram.raceRisk
    }

    private func warnings(_ program: CompilerProgram, _ flags: [String]) throws -> [Substring] {
      var program = program
      program.flags += ["-swift-version", "5"] + flags
      let output = try #require(UserCompiler.shared).compile(program)
      #expect(!output.contains("error:"), "\(program.name)")
      return output.split(separator: "\n").filter { $0.contains("warning:") }
    }

    @Test(
      .enabled(if: UserCompiler.shared != nil, "no swiftc, or the built modules were not found"),
      arguments: races.indices)
    func `a possible data race is a warning with complete checking and accepted without it`(
      _ index: Int
    ) throws {
      let program = Self.races[index]
      let all = try warnings(program, ["-strict-concurrency=complete"])
      #expect(all.contains { $0.contains(CompilerProgram.raceRisk) }, "\(program.name)")
      let few = try warnings(program, [])
      #expect(!few.contains { $0.contains(CompilerProgram.raceRisk) }, "\(program.name)")
    }
  }
#endif
