public import Foundation

/// The documents in `Fixtures`, found from this file's place.
public enum CodingFixtures {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  /// The bytes of `users/user.json`.
  public static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: path))
  }

  /// The snapshot `dumps/<name>.txt`; with `RECORD=1` in the environment it is written first.
  public static func snapshot(_ name: String, recording text: String) throws -> String {
    let file = folder.appending(path: "dumps/\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data((text + "\n").utf8).write(to: file)
    }
    return String(String(decoding: try Data(contentsOf: file), as: UTF8.self).dropLast())
  }
}

/// The same sequence for the same seed, on every platform (SplitMix64).
public struct CodingRandom: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
