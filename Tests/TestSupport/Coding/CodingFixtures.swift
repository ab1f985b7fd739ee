public import Foundation

/// The documents in `Fixtures`, located relative to this file.
public enum CodingFixtures {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  /// The bytes of `users/user.json`.
  public static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: path))
  }

  /// The snapshot `dumps/<name>.txt`; recorded first if the environment has `RECORD=1`.
  public static func snapshot(_ name: String, recording text: String) throws -> String {
    let file = folder.appending(path: "dumps/\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data((text + "\n").utf8).write(to: file)
    }
    return String(String(decoding: try Data(contentsOf: file), as: UTF8.self).dropLast())
  }
}
