import Foundation

/// `storecoder drift`: shows how the shape of JSON has changed.
struct Drift {
  static let command = Command(
    name: "drift", summary: "Show how the keys and types of JSON files have changed.",
    arguments: [
      Command.Argument(
        name: "OLD", isRepeated: true,
        help: "JSON documents, or files with one value per line; - for the standard input"),
      Command.Argument(
        name: "NEW", isRepeated: true, followsSeparator: true, help: "later files of the same kinds"
      ),
    ],
    options: [
      Command.Option(
        name: "envelope", value: "PATH",
        help: "the path of the values in the documents, as in data.users"),
      Command.Option(name: "json", help: "print the changes as JSON"),
    ],
    details: """
      The values of all old files are compared with those of all new files. The status is 1 if something has changed, and 2 if
      a file cannot be compared.
      """,
    example: "storecoder drift monday/*.json -- today/*.json"
  ) { try Drift($0).run() }

  private let old: [JSONSource]
  private let new: [JSONSource]
  private let isJSON: Bool

  private init(_ arguments: Arguments) throws {
    guard let index = arguments.separatorIndex else {
      throw UsageError(text: "drift needs -- between the old and the new files", command: "drift")
    }
    guard index > 0 else { throw UsageError(text: "drift needs OLD", command: "drift") }
    guard index < arguments.values.count else {
      throw UsageError(text: "drift needs NEW", command: "drift")
    }
    let sources = try CommandError.withStatus(2) {
      try arguments.values.map { try JSONSource($0, envelope: arguments[option: "envelope"]) }
    }
    old = Array(sources[..<index])
    new = Array(sources[index...])
    isJSON = arguments.has("json")
  }

  private func run() throws {
    let (before, after) = try CommandError.withStatus(2) {
      try (Self.shape(of: old), Self.shape(of: new))
    }
    let changes = ShapeDrift(before, after).changes
    let report = Report(oldCount: before.count, newCount: after.count, changes: changes)
    if isJSON { Terminal.print(try report.json) } else { Terminal.printChanges(report.text) }
    if !changes.isEmpty { throw ChangesFound() }
  }

  private static func shape(of sources: [JSONSource]) throws -> Shape {
    let progress = Progress()
    let all = Shape()
    for (index, source) in sources.enumerated() {
      let shape = try source.valueShape(progress, notesValues: true, fileIndex: index)
      guard shape.count > 0 else {
        throw CommandError(text: "\(source.name): it contains no values")
      }
      all.merge(shape)
    }
    return all
  }

  private struct Report: Encodable {
    let oldCount: Int
    let newCount: Int
    let changes: [ShapeDrift.Change]

    var json: String {
      get throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
      }
    }

    var text: String {
      let paths = changes.map { $0.path.isEmpty ? "." : $0.path }
      let width = min(40, paths.map { Terminal.columns(of: $0) }.max() ?? 0)
      let lines = zip(changes, paths).map { change, path in
        let padding = String(repeating: " ", count: max(0, width - Terminal.columns(of: path)))
        return "\(change.mark) \(path)\(padding)  \(change.text)"
      }
      func count(_ kind: ShapeDrift.Change.Kind) -> Int { changes.count { $0.change == kind } }
      let (added, removed) = (count(.added), count(.removed))
      let changed = changes.count - added - removed
      return
        (lines + [
          changes.isEmpty
            ? "no changes: \(oldCount) old, \(newCount) new"
            : "\(added) added, \(removed) removed, \(changed) changed: \(oldCount) old, \(newCount) new"
        ])
        .joined(separator: "\n")
    }
  }
}

extension ShapeDrift.Change {
  fileprivate var mark: String {
    switch change {
    case .added: "+"
    case .removed: "-"
    case .kinds, .null, .missing, .form: "~"
    }
  }

  fileprivate var text: String {
    switch change {
    case .added: "\(Self.text(new)) in \(Self.objects(newTotal))"
    case .removed: "\(Self.text(old)) in \(Self.objects(oldTotal))"
    case .kinds, .form: "\(Self.text(old)) → \(Self.text(new))"
    case .null:
      "\(Self.text(new)) in \(Terminal.count(newTotal, "value")), 0 in \(oldTotal) before"
    case .missing: "\(Self.text(new)) in \(Self.objects(newTotal)), 0 in \(oldTotal) before"
    }
  }

  private static func objects(_ count: Int) -> String { Terminal.count(count, "object") }

  /// `6 Int, 4 String`
  private static func text(_ counts: [String: Int]) -> String {
    counts.isEmpty
      ? "nothing"
      : counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}
