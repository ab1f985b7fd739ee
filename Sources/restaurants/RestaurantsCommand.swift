import Foundation
import ObjectStore

/// The command line.
@main
enum RestaurantsCommand {
  static let usage = """
    usage: restaurants [--live] [--store PATH]

    A client of restaurants that works offline, and its server, step by step.

      --live        draws slowly and in place, on an interactive terminal
      --store PATH  keeps the app's data in this file, which SQLite tools can open

    """

  static func main() async {
    var arguments = CommandLine.arguments.dropFirst()
    var isLive = false
    var path: String?
    while let argument = arguments.popFirst() {
      switch argument {
      case "--live": isLive = isatty(STDOUT_FILENO) == 1
      case "--store" where !arguments.isEmpty: path = arguments.popFirst()
      case "--help", "-h": return print(usage, terminator: "")
      default: fail("unknown argument '\(argument)'\n\n\(usage)", status: 2)
      }
    }
    if let path, FileManager.default.fileExists(atPath: path) {
      fail("\(path) already exists; the tour needs a new file", status: 2)
    }
    do {
      try await tour(isLive, path)
    } catch {
      fail("\(error)", status: 1)
    }
  }

  @MainActor private static func tour(_ isLive: Bool, _ path: String?) async throws {
    let file = path.map { URL(filePath: $0) }
    let other = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).store")
    let configuration = StoreConfiguration.restaurants(in: file ?? other)
    let terminal = Terminal(isLive: isLive) { print($0, terminator: "") }
    try await Story(terminal: terminal, configuration: configuration).run()
    if let path {
      print("The app's file is \(path).")
    } else {
      try Store.deleteFiles(configuration)
    }
  }

  private static func fail(_ text: String, status: Int32) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data("restaurants: \(text)\n".utf8))
    exit(status)
  }
}
