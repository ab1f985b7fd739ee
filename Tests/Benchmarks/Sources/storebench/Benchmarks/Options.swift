/// The options of the command line.
struct Options {
  var tiny = false
  var list = false
  var help = false
  var json = false
  /// The duration of the soak test in minutes; nil to measure rows.
  var soakMinutes: Double?
  /// True to run our side only, for a profiler.
  var oursAlone = false
  /// Ids of rows, or their part before the dot. Empty for all rows that are not `onlyWhenNamed`.
  var only: [String] = []
  /// The number of elements of each workload; nil for the default sizes.
  var size: Int?
  /// The number of samples of each side; nil for the default.
  var rounds: Int?
  /// A folder with the standard benchmark files of JSON libraries.
  var dataFolder: String?
  /// A file for the rows as JSON, in addition to the printed report.
  var output: String?
  /// The JSON file of an earlier run.
  var earlierRun: String?
  /// A file for an SVG chart of the rows.
  var plot: String?
  /// The task of a child process and its argument. Internal, so it is not in `usage`.
  var child: (task: ChildTask, argument: String)?

  static let usage = """
    usage: storebench [--only P1,P7] [--size N] [--rounds N] [--data FOLDER] [--tiny]
                      [--json] [--output FILE] [--compare FILE] [--plot FILE] [--list]
           storebench --soak MINUTES

      --only P1,P7   measure these rows; P9 means P9.read, P9.write, and so on
      --size N       N elements in every workload (default: 10,000 users, 100,000 books,
                     5,000 of each list, 100,000 in a collection)
      --rounds N     at least N samples of each side (default: 5; the cheapest counts)
      --data FOLDER  add rows for the files twitter.json, citm_catalog.json, canada.json and
                     github_events.json that exist in FOLDER
      --tiny         smallest sizes, one sample: checks results, not speed
      --json         print the rows as JSON
      --output FILE  also write the rows to FILE as JSON
      --compare FILE show the changes of ratio and our time since the run whose JSON is in FILE
      --plot FILE    write a chart of the rows to FILE as SVG
      --ours         run our side only, for a profiler
      --soak MINUTES refresh a store for this time and compare its memory and speed over time
      --list         list the rows and their targets without measuring

    Rows are printed as they finish. P18, P19 and P22 take minutes and run only if named by
    --only. P24 is measured only in a debug build of storebench. The exit status is 1 if the two
    sides of a row have different results, or if a row failed.

    """

  init() {}

  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--tiny": tiny = true
      case "--list": list = true
      case "--json": json = true
      case "--ours": oursAlone = true
      case "--help", "-h": help = true
      case "--only":
        only = try Self.value(after: argument, &rest).split(separator: ",").map(String.init)
      case "--data": dataFolder = try Self.value(after: argument, &rest)
      case "--output": output = try Self.value(after: argument, &rest)
      case "--compare": earlierRun = try Self.value(after: argument, &rest)
      case "--plot": plot = try Self.value(after: argument, &rest)
      case "--child": child = try Self.child(after: argument, &rest)
      case "--size": size = try Self.count(after: argument, &rest)
      case "--rounds": rounds = try Self.count(after: argument, &rest)
      case "--soak": soakMinutes = try Self.minutes(after: argument, &rest)
      default: throw UsageError(description: "unknown argument \(argument)")
      }
    }
  }

  private static func value(
    after name: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else {
      throw UsageError(description: "\(name) needs a value")
    }
    return value
  }

  private static func child(
    after name: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> (ChildTask, String) {
    let text = try value(after: name, &rest)
    guard let task = ChildTask(rawValue: text) else {
      throw UsageError(description: "\(name) needs a task, not \(text)")
    }
    return (task, try value(after: text, &rest))
  }

  private static func minutes(
    after name: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Double {
    let text = try value(after: name, &rest)
    guard let minutes = Double(text), minutes > 0, minutes.isFinite else {
      throw UsageError(description: "\(name) needs a number of minutes above 0, not \(text)")
    }
    return minutes
  }

  private static func count(
    after name: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Int {
    let text = try value(after: name, &rest)
    guard let count = Int(text), count > 0 else {
      throw UsageError(description: "\(name) needs a number above 0, not \(text)")
    }
    return count
  }
}
