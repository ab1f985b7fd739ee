import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `storebench`: measures the performance targets of the package against alternatives.
@main
enum StoreBench {
  static func main() {
    do {
      let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
      if options.help {
        write(Options.usage, to: STDOUT_FILENO)
      } else if let child = options.child {
        write(try child.task.run(child.argument).text, to: STDOUT_FILENO)
      } else if let minutes = options.soakMinutes {
        var soak = try Soak()
        write(Soak.table(of: try soak.run(minutes: minutes)) + "\n", to: STDOUT_FILENO)
      } else if try !report(options) {
        exit(1)
      }
    } catch let error as UsageError {
      write("storebench: \(error)\n\n\(Options.usage)", to: STDERR_FILENO)
      exit(2)
    } catch {
      write("storebench: \(error)\n", to: STDERR_FILENO)
      exit(1)
    }
  }

  /// Measures the selected rows and reports each when it is complete. Returns true if all results are correct.
  private static func report(_ options: Options) throws -> Bool {
    let sizes: Workload.Sizes =
      options.tiny ? .tiny : options.size.map { .uniform($0) } ?? .standard
    var rounds = options.tiny ? Rounds.tiny : .standard
    if let count = options.rounds {
      rounds.minimum = count
      rounds.maximum = max(rounds.maximum, count)
    }
    if let folder = options.dataFolder, Benchmark.dataFiles(in: folder).isEmpty {
      throw UsageError(description: "\(folder) has none of the files for --data")
    }
    let benchmarks = Benchmark.all(sizes: sizes, dataFolder: options.dataFolder)
      .filter { $0.matches(options) }
    guard !benchmarks.isEmpty else {
      throw UsageError(description: "no row is called \(options.only.joined(separator: ", "))")
    }
    let earlier = try options.earlierRun.map { try EarlierRun(path: $0) }
    let blanks = benchmarks.map { $0.row(with: Measurement()) }
    let report: any RowReport =
      options.json ? JSONReport() : TableReport(of: blanks, earlier: earlier)
    write(report.opening, to: STDOUT_FILENO)
    let workload = Workload(sizes: sizes)
    var rows: [Row] = []
    var isGood = true
    for (benchmark, blank) in zip(benchmarks, blanks) {
      var row = blank
      if !options.list {
        do {
          row = try benchmark.measured(
            on: workload, rounds: rounds, oursAlone: options.oursAlone)
        } catch {
          write("storebench: \(benchmark.id): \(error)\n", to: STDERR_FILENO)
          isGood = false
        }
      }
      row.change = earlier?.change(to: row)
      isGood = isGood && row.measurement.sidesAgree
      write(report.text(for: row, isFirst: rows.isEmpty), to: STDOUT_FILENO)
      rows.append(row)
      // The file is complete after each row, so that an aborted run leaves valid results.
      try options.output.map { try save(JSONReport.whole(of: rows), $0) }
      try options.plot.map { try save(plot(of: rows), $0) }
    }
    write(report.closing, to: STDOUT_FILENO)
    return isGood
  }

  private static func save(_ text: String, _ path: String) throws {
    try text.write(to: URL(filePath: path), atomically: true, encoding: .utf8)
  }

  /// Writes without buffering, so that each row appears immediately, also in a redirected file.
  private static func write(_ text: String, to descriptor: CInt) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

/// The system's `write`, which a member of the same name would hide.
private let systemWrite = write
