/// A wrong command line.
struct UsageError: Error {
  let description: String
}

/// The options of the command line.
struct Options {
  var firstSeed: UInt64 = 1
  var programs = 1000
  var steps = 150
  var seconds: Int?
  var places = Place.allCases
  var features = Generator.Features.all
  var prints = false
  var shrinkSeconds = 60
  var help = false
  /// The file of a program to run.
  var replay: String?
  /// For the program's own use: the file to which the seed of the program that runs is written; nil in the process that the user starts.
  var progress: String?

  static let usage = """
    storestress: runs random programs on a store and on a naive model, and compares both after each step.

    --seed N        the first seed (1)
    --programs N    the number of programs (1000)
    --seconds N     stops after this time
    --steps N       the number of steps of a program (150)
    --place NAME    memory, normal, full or background; all in turn without it
    --without NAME  edits, deletions (those of objects that track edits), faults or crashes: programs
                    without them. A program has either deletions, or faults and crashes.
    --shrink N      the seconds for shrinking a program that fails (60)
    --print         prints each program
    --replay FILE   runs the program that a failure has left
    """

  init(arguments: [String]) throws {
    var rest = arguments[...]
    func next(_ name: String) throws -> String {
      guard let value = rest.popFirst() else {
        throw UsageError(description: "\(name) needs a value")
      }
      return value
    }
    func number(_ name: String) throws -> Int {
      let text = try next(name)
      guard let number = Int(text), number >= 0 else {
        throw UsageError(description: "\(name) needs a number, not \(text)")
      }
      return number
    }
    while let name = rest.popFirst() {
      switch name {
      case "--seed": firstSeed = UInt64(try number(name))
      case "--programs": programs = try number(name)
      case "--seconds": seconds = try number(name)
      case "--steps": steps = try number(name)
      case "--shrink": shrinkSeconds = try number(name)
      case "--place":
        let text = try next(name)
        guard let place = Place(rawValue: text) else {
          throw UsageError(description: "\(text) is no place")
        }
        places = [place]
      case "--without":
        let text = try next(name)
        let names: [String: Generator.Features] = [
          "edits": .edits, "deletions": .deletions, "faults": .faults, "crashes": .crashes,
        ]
        guard let feature = names[text] else {
          throw UsageError(description: "\(text) is no feature")
        }
        features.remove(feature)
      case "--print": prints = true
      case "--replay": replay = try next(name)
      case "--progress": progress = try next(name)
      case "--help", "-h": help = true
      default: throw UsageError(description: "unknown option \(name)")
      }
    }
  }
}
