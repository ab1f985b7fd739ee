/// Removes parts of a program that fails as long as the rest fails.
@MainActor
struct Shrinker {
  /// Returns true if a program fails.
  let fails: ([Step]) async -> Bool
  /// Returns true if no time is left.
  let isOver: () -> Bool

  func shrink(_ program: [Step]) async -> [Step] {
    var program = program
    var former = 0
    repeat {
      former = program.size
      program = await removeSteps(program)
      program = await simplifySteps(program)
    } while program.size < former && !isOver()
    return program
  }

  private func removeSteps(_ program: [Step]) async -> [Step] {
    var program = program
    var length = max(1, program.count / 2)
    while true {
      var start = program.count - length
      while start > -length, !isOver() {
        var shorter = program
        shorter.removeSubrange(max(0, start)..<min(program.count, start + length))
        if shorter.count < program.count, await fails(shorter) { program = shorter }
        start -= length
      }
      if length == 1 || isOver() { return program }
      length = max(1, min(length, program.count) / 2)
    }
  }

  private func simplifySteps(_ program: [Step]) async -> [Step] {
    var program = program
    for index in program.indices.reversed() {
      var isSimpler = true
      while isSimpler, !isOver() {
        isSimpler = false
        for step in program[index].simpler {
          var other = program
          other[index] = step
          if await fails(other) {
            program = other
            isSimpler = true
            break
          }
        }
      }
    }
    return program
  }
}

extension [Step] {
  /// A measure of the length of the program's text.
  fileprivate var size: Int { reduce(0) { $0 + literal($1).utf8.count } }
}

extension Step {
  /// Steps with a part less.
  fileprivate var simpler: [Step] {
    switch self {
    case .write(let handle, let writer, let changes, let end):
      changes.smaller.map { .write(on: handle, as: writer, $0, end: end) }
        + (handle > 0 ? [.write(on: 0, as: writer, changes, end: end)] : [])
        + (end == .rollBack ? [.write(on: handle, as: writer, changes, end: .commit)] : [])
    case .decode(let payload, let handle, let way):
      payload.smaller.map { .decode($0, on: handle, by: way) }
        + (way == .list ? [] : [.decode(payload, on: handle, by: .list)])
    case .request(let kind, let bits):
      (0..<16).filter { bits & 1 << $0 != 0 }.map {
        .request(kind, attributes: bits & 0xFFFF & ~(1 << $0))
      }
    default: []
    }
  }
}

extension [Change] {
  fileprivate var smaller: [[Change]] {
    var all: [[Change]] = []
    for index in indices {
      var rest = self
      rest.remove(at: index)
      all.append(rest)
    }
    for index in indices {
      for change in self[index].simpler {
        var other = self
        other.replaceSubrange(index...index, with: change)
        all.append(other)
      }
    }
    return all
  }
}

extension Change {
  fileprivate var simpler: [[Change]] {
    switch self {
    case .create(let kind, let id, let members):
      members.indices.map { index in
        var rest = members
        rest.remove(at: index)
        return [.create(kind, id, rest)]
      }
    case .update(let kind, let id, let members):
      members.indices.map { index in
        var rest = members
        rest.remove(at: index)
        return [.update(kind, id, rest)]
      }
    case .receive(let payload): payload.smaller.map { [.receive($0)] }
    case .savepoint(let changes, let end):
      [changes] + changes.smaller.map { [.savepoint($0, end: end)] }
    case .set(let kind, let id, let name, .links(let ids)) where ids.count > 1:
      ids.indices.map { index in
        var rest = ids
        rest.remove(at: index)
        return [.set(kind, id, name, .links(rest))]
      }
    default: []
    }
  }
}

extension Payload {
  fileprivate var smaller: [Payload] {
    var all: [Payload] = []
    for index in objects.indices {
      var rest = self
      rest.objects.remove(at: index)
      all.append(rest)
    }
    for index in objects.indices {
      for node in objects[index].smaller {
        var other = self
        other.objects[index] = node
        all.append(other)
      }
    }
    return all
  }
}

extension Payload.Node {
  fileprivate var smaller: [Payload.Node] {
    var all: [Payload.Node] = []
    if !nested.isEmpty {
      var other = self
      other.nested = []
      all.append(other)
    }
    for index in members.indices {
      var other = self
      other.members.remove(at: index)
      all.append(other)
      if case .links(let ids) = members[index].value {
        for position in ids.indices {
          var rest = ids
          rest.remove(at: position)
          other = self
          other.members[index].value = .links(rest)
          all.append(other)
        }
      }
    }
    for index in nested.indices {
      for node in nested[index].smaller {
        var other = self
        other.nested[index] = node
        all.append(other)
      }
    }
    return all
  }
}
