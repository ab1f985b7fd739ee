import Foundation
import LoopbackServer
import ObjectStore
import Synchronization

/// `storecoder browse`: serves a page that shows a store.
struct Browse {
  static let command = Command(
    name: "browse", summary: "Show a store in a web browser.",
    arguments: [
      Command.Argument(name: "FILE", help: "a store, or \(ImportOptions.fileHelp)")
    ],
    options: [
      Command.Option(
        name: "write", help: "allow changes in the page; no other process can then write the store"),
      Command.Option(name: "port", value: "N", help: "the port; default: any free port"),
    ] + ImportOptions.fileOptions + [CacheFile.acceptEdits],
    details: """
      The address of the page contains a random token, and only this computer can open it. The page shows the changes that an
      app makes meanwhile. Ctrl-C ends the command.
      """,
    example: "storecoder browse cache.store"
  ) { try Browse($0).run() }

  private let arguments: Arguments

  private init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  private func run() throws {
    let path = arguments[0] ?? ""
    let port = try arguments.number("port", by: "browse") ?? 0
    guard let port = UInt16(exactly: port) else {
      throw UsageError(text: "--port is at most 65535", command: "browse")
    }
    let (cache, store) = try open(path)
    Interruption.shared.watch()
    let site = BrowseSite(
      BrowsedStore(cache, name: path, isWritable: arguments.has("write")), token: Self.token())
    let server: LoopbackServer
    do {
      server = try LoopbackServer(
        port: port, keepsRequests: false,
        limits: LoopbackServer.Limits(bodyByteCount: 8 << 20, idleMilliseconds: 10_000),
        handler: { site.response(to: $0) })
    } catch let error as POSIXError where error.code == .EADDRINUSE {
      throw CommandError(text: "the port \(port) is in use")
    } catch let error as POSIXError {
      throw CommandError(
        text: "the port \(port) cannot be used: \(String(cString: strerror(error.code.rawValue)))")
    }
    Terminal.print("\(path): http://127.0.0.1:\(server.port)/\(site.token)/\nCtrl-C ends")
    if let failure = Terminal.outputFailure.withLock({ $0 }) { throw failure }
    while (try? Interruption.shared.check()) != nil { usleep(50_000) }
    server.stop()
    withExtendedLifetime(store) {}
  }

  /// Opens a store, or reads a file into memory. The content stays in memory as long as the returned store.
  private func open(_ path: String) throws -> (CacheFile, Store) {
    guard QuerySource.isStore(path) else {
      if arguments.has("write") {
        throw UsageError(
          text: "--write needs a store: changes of a file that is read into memory are lost",
          command: "browse")
      }
      let source = try QuerySource(file: path, arguments, [], by: "browse")
      return (source.cache, source.store)
    }
    try QuerySource.refuseFileOptions(arguments, by: "browse")
    let cache = try CacheFile(
      path, mustExist: true, readOnly: !arguments.has("write"),
      acceptsEdits: arguments.has(CacheFile.acceptEdits.name))
    return (cache, try cache.open())
  }

  /// Returns 128 random bits in hexadecimal digits.
  private static func token() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(UInt32.random(in: .min ... .max, using: &random), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }
}
