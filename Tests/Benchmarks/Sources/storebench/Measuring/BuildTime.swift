import Foundation

/// The time of a debug build of a copy of this package in the temporary folder.
enum BuildTime {
  /// A clean build.
  static func clean() -> Side {
    Side(operationCount: 1) { watch in
      let copy = try PackageCopy()
      try watch.time { try copy.build() }
    }
  }

  /// An incremental build after a change to a file on which all targets depend.
  static func afterOneChange() -> Side {
    Side(operationCount: 1) { watch in
      let copy = try PackageCopy()
      try copy.build()
      try copy.changeOneFile()
      try watch.time { try copy.build() }
    }
  }
}

private final class PackageCopy {
  private let folder: URL

  init() throws {
    let files = FileManager.default
    folder = files.temporaryDirectory.appending(path: "storebench-" + UUID().uuidString)
    // Targets need the folders of their tests, but not the benchmarks and their build folder.
    let tests = folder.appending(path: "Tests")
    try files.createDirectory(at: tests, withIntermediateDirectories: true)
    try PackageFolder.copyItems(to: folder, except: "Tests")
    try PackageFolder.copyItems(of: "Tests", to: tests, except: "Benchmarks")
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func build() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift", "build", "--package-path", folder.path(percentEncoded: false)]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BuildFailure(status: process.terminationStatus)
    }
  }

  func changeOneFile() throws {
    let file = folder.appending(path: "Sources/ObjectStore/Support/Misuse.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    try (text + "\nfunc changedForTheBenchmark() -> Int { 1 }\n")
      .write(to: file, atomically: true, encoding: .utf8)
  }
}

private struct BuildFailure: Error, CustomStringConvertible {
  let status: Int32
  var description: String { "`swift build` ended with status \(status)" }
}
