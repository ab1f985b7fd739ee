/// The cost of the language itself: stored properties, an initializer, a dictionary.
enum PlainBaseline {
  static let objectCount = 1_000
  static let repetitionCount = 100

  static func readNumber() -> Side {
    readOrWrite {
      readNumbers($0)
    } before: {
      $0.followerCount = 3
    }
  }

  static func writeNumber() -> Side {
    readOrWrite { objects in
      writeNumbers(objects, objects.count)
      return 0
    }
  }

  /// A string of at most 15 bytes, which String stores inline.
  static func readShortText() -> Side {
    readOrWrite { readShortTexts($0) }
  }

  /// A string that String stores on the heap.
  static func readLongText() -> Side {
    readOrWrite { readLongTexts($0) }
  }

  /// Ten attributes with their defaults, and the release of the previous object.
  static func create() -> Side {
    Side(operationCount: objectCount * 10) { watch in
      watch.time {
        for _ in 0..<objectCount * 10 { lastObject = PlainUser() }
      }
      lastObject = nil
    }
  }

  static func dictionaryLookup(_ workload: Workload) -> Side {
    let keys = workload.shuffledBookKeys
    let positions = Dictionary(uniqueKeysWithValues: keys.sorted().enumerated().map { ($1, $0) })
    return Side(operationCount: keys.count) { watch in
      watch.check(watch.time { sumOfPositions(keys, positions) })
    }
  }

  private static func readOrWrite(
    _ pass: @escaping ([PlainUser]) -> Int, before: (PlainUser) -> Void = { _ in }
  ) -> Side {
    let objects = (0..<objectCount).map { _ in PlainUser() }
    for object in objects { before(object) }
    return Side(operationCount: objectCount * repetitionCount) { watch in
      watch.time {
        for _ in 0..<repetitionCount { sink &+= pass(objects) }
      }
    }
  }
}

/// A class as in an app: its properties are internal, so the optimizer knows that none is overridden. (Each access to a
/// `public` one is a dynamic call of 9 ns; a target relative to that would be easy to meet.)
open class PlainUser {
  var id = 0
  var username = "bridget"
  var firstName = "Bridget"
  var lastName = "O'Malley"
  var bio = "Sails, draws maps and keeps a lighthouse."
  var email = "bridget@mail.example.com"
  var isActive = true
  var score = 4.5
  var followerCount = 0
  var website: String?

  init() {}
}

// The loops are separate functions, so that the optimizer cannot use knowledge of the caller, and they iterate over
// many objects, so that no access can be moved out of the loop. The store's side has the same loops over live objects.

@inline(never) private func readNumbers(_ objects: [PlainUser]) -> Int {
  var sum = 0
  for object in objects { sum &+= object.followerCount }
  return sum
}

@inline(never) private func writeNumbers(_ objects: [PlainUser], _ value: Int) {
  for object in objects { object.followerCount = value }
}

@inline(never) private func readShortTexts(_ objects: [PlainUser]) -> Int {
  var sum = 0
  for object in objects { sum &+= object.username.utf8.count }
  return sum
}

@inline(never) private func readLongTexts(_ objects: [PlainUser]) -> Int {
  var sum = 0
  for object in objects { sum &+= object.bio.utf8.count }
  return sum
}

@inline(never) private func sumOfPositions(_ keys: [Int], _ positions: [Int: Int]) -> Int {
  var sum = 0
  for key in keys { sum &+= positions[key] ?? 0 }
  return sum
}

// Accessed only by the thread that runs the benchmarks.
nonisolated(unsafe) var sink = 0
// Prevents the stack allocation of a new object. Accessed only by the thread that runs the benchmarks.
nonisolated(unsafe) var lastObject: AnyObject?
