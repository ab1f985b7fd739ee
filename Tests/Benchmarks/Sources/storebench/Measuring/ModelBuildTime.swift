import Foundation

/// The build time of a module of model classes, and of the same models as Codable structs.
///
/// A sample is the CPU time of `swiftc -O -wmo`, which does not depend on the load of the machine.
enum ModelBuildTime {
  private static let typeCount = 60

  static func classes() throws -> Side {
    // storebench is in the build folder, like the modules that it imports.
    guard let products = Bundle.main.executableURL?.deletingLastPathComponent() else {
      throw CompileFailure(text: "the path of this executable is unknown")
    }
    let modules = products.appending(path: "Modules").path(percentEncoded: false)
    let shims = products.appending(path: "ObjectStoreShims.build/module.modulemap")
      .path(percentEncoded: false)
    // The module map of the system's SQLite, which store files need.
    let sqlite = PackageFolder.url.appending(path: "Sources/StoreSQLite")
      .path(percentEncoded: false)
    return try side(
      of: "import Foundation\nimport ObjectStore\n\n" + types(classText),
      arguments: ["-I", modules, "-I", sqlite, "-Xcc", "-fmodule-map-file=\(shims)"])
  }

  static func structs() throws -> Side {
    try side(of: "import Foundation\n\n" + types(structText), arguments: [])
  }

  private static func side(of source: String, arguments: [String]) throws -> Side {
    let folder = try ScratchFolder()
    let file = folder.url.appending(path: "Models.swift").path(percentEncoded: false)
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    return Side(operationCount: 1) { watch in
      try watch.time {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
          [
            "swiftc", "-O", "-wmo", "-parse-as-library", "-swift-version", "6",
            "-module-name", "Models", "-emit-module", "-c", file,
          ] + arguments
        process.currentDirectoryURL = folder.url
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
          throw CompileFailure(text: "`swiftc` ended with status \(process.terminationStatus)")
        }
      }
    }
  }

  private static func types(_ text: (Int) -> String) -> String {
    (1...typeCount).map(text).joined(separator: "\n")
  }

  private static func classText(_ number: Int) -> String {
    let attributes = attributes.map { "  @Persisted public var \($0.name): \($0.type)\n" }
    return """
      public final class Model\(number): Object {
        @Persisted(primaryKey: true) public var id: Int
      \(attributes.joined())}

      """
  }

  private static func structText(_ number: Int) -> String {
    let properties = attributes.map { name, type in
      "  public var \(name): \(type.replacing("List<String>", with: "[String]"))\n"
    }
    return """
      public struct Model\(number): Codable {
        public var id: Int
      \(properties.joined())}

      """
  }

  /// The attributes except the key; with the key, there are sixteen.
  private static let attributes = [
    ("name", "String"), ("title", "String"), ("city", "String"), ("note", "String?"),
    ("code", "String"), ("count", "Int"), ("level", "Int"), ("rank", "Int?"), ("price", "Double"),
    ("rating", "Double?"), ("isOpen", "Bool"), ("isNew", "Bool"), ("born", "Date"),
    ("seen", "Date?"), ("tags", "List<String>"),
  ].map { (name: $0, type: $1) }
}

private struct CompileFailure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
