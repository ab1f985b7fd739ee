/// What the command line asks for.
struct Options {
  var tiny = false
  var list = false
  var help = false
  var json = false
  /// Minutes of refreshes instead of rows.
  var soakMinutes: Double?
  /// Our side alone, for a profiler.
  var oursAlone = false
  /// Ids of rows, or the part before the dot; empty means all that are not `onlyWhenNamed`.
  var only: [String] = []
  /// Elements of every workload instead of the default sizes.
  var size: Int?
  /// Samples of each side instead of the default.
  var rounds: Int?
  /// A folder with the files that JSON libraries are measured with.
  var dataFolder: String?
  /// A file for the rows as JSON, beside what is printed.
  var output: String?
  /// The JSON of an earlier run.
  var earlierRun: String?
  /// A file for a picture of the rows.
  var plot: String?
  /// What a child process shall do, and its argument: how this program starts itself, so not in
  /// `usage`.
  var child: (task: ChildTask, argument: String)?

  static let usage = """
    usage: storebench [--only P1,P7] [--size N] [--rounds N] [--data FOLDER] [--tiny]
                      [--json] [--output FILE] [--compare FILE] [--plot FILE] [--list]
           storebench --soak MINUTES

      --only P1,P7   these rows; P9 means P9.read, P9.write, and so on
      --size N       N elements in every workload (default: 10,000 users, 100,000 books,
                     5,000 of each list, 100,000 in a collection)
      --rounds N     at least N samples of each side (default: 5; the cheapest counts)
      --data FOLDER  also rows for twitter.json, citm_catalog.json, canada.json and
                     github_events.json, those that are in FOLDER
      --tiny         smallest sizes, one sample: that everything runs, not how fast
      --json         the rows as JSON
      --output FILE  the rows as JSON into FILE, beside what is printed
      --compare FILE what changed since the run whose JSON is in FILE: ratio and our own time
      --plot FILE    the rows as a picture, SVG
      --ours         our side alone, for a profiler
      --soak MINUTES refresh a store for so long: does it stay as small and as quick?
      --list         the rows and their targets, nothing measured

    Rows are printed as they finish. P18, P19 and P22 take minutes and run only when named by
    --only. P24 is measured only if storebench was built in debug. The exit status is 1 if the two
    sides of a row came to different results, or if a row failed.

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
