#if os(Linux) || os(macOS)
  import Foundation
  import Testing

  /// The compiler's error is the first documentation that a user reads, so it contains the correct code.
  @Suite(.enabled(if: UserCompiler.shared != nil, "no swiftc, or the built modules were not found"))
  struct `Compiler advice` {
    /// An error: its line (0 if it has none) and its message.
    struct Complaint: Hashable {
      let line: Int
      let text: String
    }

    /// The type checker's errors for all mistakes, without duplicates on one line.
    struct Verdict {
      var lines: [Range<Int>] = []
      let complaints: Set<Complaint>
      let output: String

      init() throws {
        var source = CompilerAdvice.models
        func nextLine() -> Int { source.count { $0 == "\n" } + 1 }
        for mistake in CompilerAdvice.all {
          let first = nextLine()
          source += mistake.source + "\n"
          lines.append(first..<nextLine())
        }
        source += "final class Plain { @Persisted var legs = 4 }\n"
        output = try #require(UserCompiler.shared).compile(source, ["-typecheck"])
        complaints = Set(
          output.split(separator: "\n").compactMap { line in
            guard let error = line.range(of: ": error: ") else { return nil }
            let location = line[..<error.lowerBound].split(separator: ":")
            guard location.count > 1, let number = Int(location[1]) else { return nil }
            return Complaint(line: number, text: String(line[error.upperBound...]))
          })
      }
    }

    /// The result of one compiler call, shared by all tests.
    static let verdict = Result { try Verdict() }

    @Test func `the compiler reports each mistake once, on its line, with advice`() throws {
      let verdict = try Self.verdict.get()
      for (mistake, lines) in zip(CompilerAdvice.all, verdict.lines) {
        let texts = verdict.complaints.filter { lines.contains($0.line) }.map(\.text)
        #expect(
          texts.count == 1 && texts.allSatisfy { $0.hasSuffix(mistake.advice) },
          "\(mistake.source): \(texts)")
      }
      #expect(verdict.complaints.count == CompilerAdvice.all.count + 1, "\(verdict.output)")
    }

    @Test func `an attribute of a class that is not a model is reported with the class`() throws {
      // The compiler has no line for accessors that it synthesizes, so it quotes a line of our source.
      let verdict = try Self.verdict.get()
      let texts = verdict.complaints.filter { $0.line == 0 }.map(\.text)
      #expect(
        texts.count == 1 && texts[0].hasSuffix("requires that 'Plain' inherit from 'ObjectBase'"))
      #expect(verdict.output.contains("works in subclasses of Object and EmbeddedObject only"))
    }

    @Test(arguments: ["Owner", "Kind", "Info", "Info?", "Kind?"])
    func `a type that cannot be an attribute is rejected with a list of types that can`(
      _ type: String
    ) throws {
      let output = try #require(UserCompiler.shared).compile(
        """
        import ObjectStore
        final class Owner: Object {}
        enum Kind: String { case cow, cat }
        struct Info: Codable { var text = "" }
        final class Animal: Object { @Persisted var a: \(type) }
        """, ["-typecheck"])
      let errors = output.split(separator: "\n").filter { $0.contains(": error: ") }
      let bare = type.prefix { $0 != "?" }
      let optional = "_PersistableEnumOrCodablePersistable"
      let name = type == bare ? optional + "OrOptionalLink" : optional
      #expect(errors.count == 1, "\(output)")
      #expect(errors[0].hasSuffix("requires that '\(bare)' conform to '\(name)'"), "\(output)")
      #expect(
        output.contains(
          "A link is optional: `Owner?`. Enums are `PersistableEnum`, Codable types "
            + "`CodablePersistable`, others `CustomPersistable`."), "\(output)")
    }

    @Test func `no compiler error mentions the label of objects(dynamic:)`() throws {
      let verdict = try Self.verdict.get()
      #expect(!verdict.output.contains("label 'dynamic:'"))
    }
  }
#endif
