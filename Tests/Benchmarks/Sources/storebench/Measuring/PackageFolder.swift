import Foundation

/// The folder of the package whose speed is measured.
enum PackageFolder {
  /// This file is `Tests/Benchmarks/Sources/storebench/Measuring/PackageFolder.swift`.
  static let url = URL(filePath: #filePath).appending(path: "../../../../../..").standardizedFileURL

  /// Copies the items of a folder, except hidden ones and one with a given name.
  static func copyItems(
    of subfolder: String = "", to destination: URL, except excluded: String
  ) throws {
    let source = url.appending(path: subfolder)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: source.path(percentEncoded: false))
    for name in names where !name.hasPrefix(".") && name != excluded {
      try FileManager.default.copyItem(
        at: source.appending(path: name), to: destination.appending(path: name))
    }
  }
}
