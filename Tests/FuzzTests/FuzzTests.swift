import Dispatch
import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The inputs in `Fixtures/fuzz`: those that reach different code, and those that once broke a law.
@Suite(.serialized) struct `Inputs of the fuzz targets` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures/fuzz").standardizedFileURL

  private struct Input {
    let name: String
    let bytes: [UInt8]
  }

  /// The inputs of a target, in the order of their names.
  private static func inputs(_ target: FuzzTarget) throws -> [Input] {
    let folder = folder.appending(path: target.rawValue)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      Input(name: $0, bytes: Array(try Data(contentsOf: folder.appending(path: $0))))
    }
  }

  /// Runs the target on a thread that may wait for tasks. A broken law ends the process with its message.
  private func run(_ target: FuzzTarget, _ inputs: [[UInt8]]) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let thread = Thread {
        for input in inputs { target.run(input) }
        continuation.resume()
      }
      // That of the main thread, on which libFuzzer runs.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  /// All inputs that once broke a law, and a part of the others in each run that is not thorough.
  @Test(arguments: FuzzTarget.allCases)
  func `no input in Fixtures breaks a law of its target`(_ target: FuzzTarget) async throws {
    let inputs = try Self.inputs(target)
    #expect(inputs.count > 10)
    let stride = SeededRandom.isThorough ? 1 : Self.stride(of: target)
    let chosen = inputs.enumerated().filter {
      $0.offset % stride == 0 || $0.element.name.hasPrefix("crash-")
    }
    await run(target, chosen.map(\.element.bytes))
  }

  /// One of this number of inputs is run, because decoding and files take milliseconds each.
  private static func stride(of target: FuzzTarget) -> Int {
    switch target {
    case .json, .query: 1
    case .decode, .stream, .file, .columns: 10
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `an empty input breaks no law`(_ target: FuzzTarget) async {
    await run(target, [[]])
  }

  @Test(arguments: FuzzTarget.allCases)
  func `the inputs of a target are small`(_ target: FuzzTarget) throws {
    let inputs = try Self.inputs(target)
    #expect(inputs.count <= 200)
    #expect(inputs.map(\.bytes.count).reduce(0, +) <= 300_000)
  }
}
