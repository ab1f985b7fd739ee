import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `storestress`: runs random programs on a store and on a naive model of it.
@main
@MainActor
enum StoreStress {
  static func main() async {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == ReaderProcess.argument {
      return ReaderProcess.run(arguments[2], schemaVersion: UInt64(arguments[3]) ?? 0)
    }
    do {
      let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
      if options.help {
        print(Options.usage)
        return
      }
      let runner = try Runner(options)
      exit(try await runner.run() ? 0 : 1)
    } catch let error as UsageError {
      write("storestress: \(error.description)\n\n\(Options.usage)\n")
      exit(2)
    } catch {
      write("storestress: \(error)\n")
      exit(1)
    }
  }

  /// Writes a message to the standard error.
  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
