#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `storebench`: what the package promises about speed, measured beside what one would use instead.
@main
enum StoreBench {
  static func main() {
    do {
      let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
      if options.help {
        print(Options.usage, terminator: "")
      } else if let minutes = options.soakMinutes {
        var soak = try Soak()
        print(Soak.table(of: try soak.run(minutes: minutes)))
      } else {
        print(try report(options))
      }
    } catch let error as UsageError {
      warn("storebench: \(error)\n\n\(Options.usage)")
      exit(2)
    } catch {
      warn("storebench: \(error)\n")
      exit(1)
    }
  }

  private static func report(_ options: Options) throws -> String {
    let sizes: Workload.Sizes =
      options.tiny ? .tiny : options.size.map { .uniform($0) } ?? .standard
    var rounds = options.tiny ? Rounds.tiny : .standard
    if let count = options.rounds {
      rounds.minimum = count
      rounds.maximum = max(rounds.maximum, count)
    }
    let benchmarks = Benchmark.all(sizes: sizes).filter { $0.matches(options) }
    guard !benchmarks.isEmpty else {
      throw UsageError(description: "no row is called \(options.only.joined(separator: ", "))")
    }
    let workload = Workload(sizes: sizes)
    var rows: [Row] = []
    for benchmark in benchmarks {
      if options.list {
        rows.append(benchmark.row(with: Measurement()))
      } else {
        if isatty(STDERR_FILENO) == 1 { warn("\(benchmark.id)  \(benchmark.what) …\n") }
        rows.append(
          try benchmark.measured(on: workload, rounds: rounds, oursAlone: options.oursAlone))
      }
    }
    return options.json ? json(of: rows) : table(of: rows)
  }

  /// Text for people, on the standard error, unbuffered.
  private static func warn(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
