import Foundation
import FuzzTargets

/// Runs the target that `STOREFUZZ_TARGET` names with libFuzzer: `storefuzz [OPTIONS OF LIBFUZZER] [FOLDERS OR FILES]`.
@main
enum StoreFuzz {
  /// The driver of libFuzzer, which returns only if an option of it asks for nothing but information.
  @_silgen_name("LLVMFuzzerRunDriver")
  private static func runLibFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt

  /// The chosen target.
  private static let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["STOREFUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      print("STOREFUZZ_TARGET must be one of", FuzzTarget.allCases.map(\.rawValue))
      exit(2)
    }
    return target
  }()

  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = target
    exit(
      runLibFuzzer(&count, &arguments) { start, count in
        StoreFuzz.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
      })
  }
}
