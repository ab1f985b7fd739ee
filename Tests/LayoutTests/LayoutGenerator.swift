import TestSupport

/// Writes the source of `GeneratedLayouts.swift`: classes of every mixture of types, options,
/// defaults and plain stored properties, as an app would declare them.
///
/// Generic classes show layouts made at run time; these are what the compiler lays out, inlines and
/// optimizes. Drawn with a seed, so that the file changes only if this does.
struct LayoutGenerator {
  static let classCount = 60

  private var random = SeededRandom(seed: 60)

  private struct Kind {
    let type: String
    /// A default; empty for none.
    let value: String
    /// Options that only this type can have.
    var options: [String] = []
  }

  private static let kinds = [
    Kind(type: "Bool", value: "true"),
    Kind(type: "Bool", value: ""),
    Kind(type: "Bool?", value: ""),
    Kind(type: "Int", value: "-1"),
    Kind(type: "Int?", value: ""),
    Kind(type: "Int8", value: "3"),
    Kind(type: "Int8?", value: "nil"),
    Kind(type: "Int16", value: ""),
    Kind(type: "UInt32", value: "9"),
    Kind(type: "UInt64?", value: ""),
    Kind(type: "Float", value: "0.5"),
    Kind(type: "Double?", value: ""),
    Kind(type: "Decimal", value: "7"),
    Kind(type: "Decimal?", value: ""),
    Kind(type: "String", value: "\"none\"", options: [".raw()", ".raw(.exact)"]),
    Kind(type: "String?", value: "", options: [".raw(.exact)"]),
    Kind(type: "Data", value: ""),
    Kind(type: "Data?", value: ""),
    Kind(
      type: "Date", value: "Date(timeIntervalSince1970: 9)",
      options: [".date(.date)", ".date(\"yyyy-MM-dd\", .unixSeconds)"]),
    Kind(type: "Date?", value: "", options: [".date(.unixMilliseconds)", ".date(.date)"]),
    Kind(type: "URL", value: ""),
    Kind(type: "URL?", value: ""),
    Kind(type: "UUID?", value: ""),
    Kind(type: "Species", value: ".cow", options: [".unknown(.horse)"]),
    Kind(type: "Species?", value: "", options: [".unknown(.cow)"]),
    Kind(type: "Level", value: ""),
    Kind(type: "JSONValue", value: ""),
    Kind(type: "List<Int>", value: "[1, 2]"),
    Kind(type: "List<String>", value: ""),
  ]

  private static let plainProperties = [
    "var spare: UInt8 = 1", "var spare: (UInt8, Bool) = (1, true)", "let spare: Int16 = 2",
    "var spare: Any = 5", "var spare: (any CustomStringConvertible)?", "weak var spare: Object?",
    "var spare: Date?", "var spare = URL(fileURLWithPath: \"/\")", "var spare: () -> Int = { 4 }",
    "lazy var spare = [id]", "var spare = SIMD4<Float>(repeating: 1)", "var spare: String?",
    "unowned(unsafe) var spare: AnyObject?", "var spare: UInt32?", "var spare: Decimal = 1",
  ]

  /// The whole file.
  static func source() -> String {
    var generator = LayoutGenerator()
    var lines = ["// Written by `LayoutGenerator`; to write it again, run the tests with RECORD=1."]
    lines += ["", "import Foundation", "import ObjectStore", "import TestSupport", ""]
    for index in 0..<classCount { lines += generator.declaration(index) + [""] }
    lines += ["let generatedLayouts: [any LayoutClass.Type] = ["]
    for first in stride(from: 0, to: classCount, by: 4) {
      let names = (first..<min(first + 4, classCount)).map { "Layout\($0).self" }
      lines.append("  \(names.joined(separator: ", ")),")
    }
    return (lines + ["]", ""]).joined(separator: "\n")
  }

  private mutating func declaration(_ index: Int) -> [String] {
    // Every fourth class derives from one of three that have attributes and plain ones before it.
    let base = index % 4 == 3 ? "LayoutBase\(random.below(3))" : "Object"
    let names = (0..<1 + random.below(5)).map { "\("abcdef".map(String.init)[$0])" }
    var lines = ["final class Layout\(index): \(base), LayoutClass {"]
    if base == "Object" { lines.append("  @Persisted(primaryKey: true) var id: Int") }
    let spares = random.below(3)
    for (place, name) in names.enumerated() {
      lines.append("  " + attribute(name))
      if place < spares {
        let plain = element(of: Self.plainProperties)
        lines.append("  " + plain.replacing("spare", with: "spare\(place)"))
      }
    }
    let inherited = base == "Object" ? [] : ["early"]
    let all = (inherited + names).map { ".init(\"\($0)\", \\.\($0))" }
    lines += ["  static var attributes: [LayoutAttribute<Layout\(index)>] {"]
    let list = "    [\(all.joined(separator: ", "))]"
    if list.utf8.count <= 100 {
      lines.append(list)
    } else {
      lines += ["    ["] + all.map { "      \($0)," } + ["    ]"]
    }
    return lines + ["  }", "}"]
  }

  private mutating func attribute(_ name: String) -> String {
    let kind = element(of: Self.kinds)
    var arguments: [String] = []
    if random.below(6) == 0 { arguments.append("json: \"the_\(name)\"") }
    var options = [".flexible", ".null(.skip)", ".null(.default)", ".mismatch(.skipAttribute)"]
    options += kind.options + kind.options
    for _ in 0..<random.below(3) {
      let option = element(of: options)
      if !arguments.contains(option) { arguments.append(option) }
    }
    let value = kind.value.isEmpty ? "" : " = \(kind.value)"
    while true {
      let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
      let line = "@Persisted\(list) var \(name): \(kind.type)\(value)"
      if line.utf8.count <= 98 { return line }
      arguments.removeLast()
    }
  }

  private mutating func element<T>(of elements: [T]) -> T { elements[random.below(elements.count)] }
}
