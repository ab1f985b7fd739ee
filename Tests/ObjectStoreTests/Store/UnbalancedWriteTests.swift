import ObjectStore
import TestSupport
import Testing

private let unbalanced =
  "the block of a write, an observer notified before it, or an upload left a write open, or ended one "
  + "that it did not begin; "
  + "each `beginWrite` needs its `commitWrite` or `cancelWrite` in the same block"

@Suite struct `Unbalanced writes` {
  @Test func `a write whose block leaves a write open is rolled back and throws`() async throws {
    let store = try Store()
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try store.add(Animal(id: 1))
        try store.beginWrite()
        try store.add(Animal(id: 2))
      }
    }
    #expect(error?.kind == .unbalancedWrite && error?.description == unbalanced)
    #expect(!store.isInWriteTransaction && store.objects(Animal.self).isEmpty)
    await #expect(throws: StoreError(.unbalancedWrite)) {
      try await store.asyncWrite { try store.beginWrite() }
    }
    // The open write does not block other writers.
    let other = try Store(configuration: store.configuration)
    try other.write { try other.add(Animal(id: 3)) }
    #expect(other.objects(Animal.self).map(\.id) == [3])
  }

  @Test func `an inner block cannot commit part of the outer write`() throws {
    let store = try Store()
    var inner: StoreError?
    let error = thrown {
      try store.write {
        try store.add(Animal(id: 1))
        try store.write {
          try store.add(Animal(id: 2))
          try store.commitWrite()
          inner = thrown { try store.commitWrite() }
          #expect(store.isInWriteTransaction && store.version == 0)
        }
      }
    }
    #expect(error?.kind == .unbalancedWrite && inner?.kind == .unbalancedWrite)
    #expect(store.objects(Animal.self).isEmpty && store.version == 0)
  }

  @Test func `an inner block cannot cancel the outer write`() throws {
    let store = try Store()
    try store.write {
      try store.add(Animal(id: 1))
      let error = #expect(throws: StoreError.self) {
        try store.write {
          try store.add(Animal(id: 2))
          store.cancelWrite()
          store.cancelWrite()
        }
      }
      #expect(error?.kind == .unbalancedWrite && store.isInWriteTransaction)
      try store.add(Animal(id: 3))
    }
    #expect(store.objects(Animal.self).map(\.id) == [1, 3])
  }

  @Test func `a block that throws is undone to its beginning`() throws {
    let store = try Store()
    try store.write {
      try store.add(Animal(id: 1))
      try? store.write {
        try store.beginWrite()
        try store.beginWrite()
        try store.add(Animal(id: 2))
        throw Undo()
      }
      try store.add(Animal(id: 3))
    }
    #expect(store.objects(Animal.self).map(\.id) == [1, 3])
  }
}

// MARK: - Exhaustive small programs

/// A step of a program. Each step first adds a row with its own id.
private enum Step: CaseIterable {
  case begin, commit, cancel
  /// The starts of `try? write {` and `try write {` blocks, and the end of a block.
  case enterCaught, enter, leave
  case fail
}

/// Runs programs: a store, or a model that copies sets at each begin.
private protocol Machine {
  mutating func add(_ id: Int) throws
  mutating func begin() throws
  mutating func commit() throws
  mutating func cancel()
  mutating func write(_ block: (inout Self) throws -> Void) throws
}

extension Machine {
  /// Runs the steps from `next` to the end of the block, and advances `next` past it.
  mutating func run(_ steps: [Step], _ next: inout Int, _ errors: inout [String]) throws {
    while next < steps.count {
      let step = steps[next]
      next += 1
      try? add(next)
      switch step {
      case .begin: try begin()
      case .commit:
        do { try commit() } catch { errors.append("commit: \(error)") }
      case .cancel: cancel()
      case .enter, .enterCaught:
        let depth = depthBehind(steps, next)
        do {
          try write { machine in try machine.run(steps, &next, &errors) }
        } catch {
          errors.append("write: \(error)")
          next = depth
          if step == .enter { throw error }
        }
      case .leave: return
      case .fail: throw Undo()
      }
    }
  }

  /// The index of the step after the block that begins at `next`.
  private func depthBehind(_ steps: [Step], _ next: Int) -> Int {
    var depth = 1
    for index in next..<steps.count {
      if steps[index] == .enter || steps[index] == .enterCaught { depth += 1 }
      if steps[index] == .leave { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return steps.count
  }
}

private struct RealMachine: Machine {
  let store: Store
  mutating func add(_ id: Int) throws { try store.create(Owner.self, value: ["id": .init(id)]) }
  mutating func begin() throws { try store.beginWrite() }
  mutating func commit() throws { try store.commitWrite() }
  mutating func cancel() { store.cancelWrite() }
  mutating func write(_ block: (inout Self) throws -> Void) throws {
    try store.write { try block(&self) }
  }
}

private struct NaiveMachine: Machine {
  var committed: Set<Int> = []
  var levels: [Set<Int>] = []
  /// For each running block: the levels outside it, whether its own level is open, and whether it tried to end an
  /// outer one.
  var blocks: [(floor: Int, isOpen: Bool, wentBelow: Bool)] = []

  mutating func add(_ id: Int) throws {
    if levels.isEmpty { throw StoreError(.notWriting) }
    levels[levels.count - 1].insert(id)
  }

  mutating func begin() throws { levels.append(levels.last ?? committed) }

  mutating func commit() throws {
    if levels.isEmpty { throw StoreError(.notWriting) }
    if !mayEnd() { throw StoreError(.unbalancedWrite) }
    keep()
  }

  mutating func cancel() {
    if !levels.isEmpty, mayEnd() { levels.removeLast() }
  }

  private mutating func keep() {
    let top = levels.removeLast()
    if levels.isEmpty { committed = top } else { levels[levels.count - 1] = top }
  }

  private mutating func mayEnd() -> Bool {
    guard var block = blocks.popLast() else { return true }
    defer { blocks.append(block) }
    if levels.count == block.floor {
      block.wentBelow = true
      return false
    }
    if levels.count == block.floor + 1 { block.isOpen = false }
    return true
  }

  mutating func write(_ block: (inout Self) throws -> Void) throws {
    let floor = levels.count
    try begin()
    blocks.append((floor, true, false))
    var thrown: (any Error)?
    do { try block(&self) } catch { thrown = error }
    let end = blocks.removeLast()
    if thrown == nil, end.wentBelow || levels.count != floor + (end.isOpen ? 1 : 0) {
      thrown = StoreError(.unbalancedWrite)
    }
    if let thrown {
      levels.removeSubrange(floor...)
      throw thrown
    }
    if end.isOpen { keep() }
  }
}

extension `Unbalanced writes` {
  /// Runs every program of begin, commit, cancel, nested writes and errors of up to four steps, inside and outside a
  /// write.
  @Test(arguments: Step.allCases)
  private func `every program of up to four steps ends in the state of a naive model`(_ first: Step)
    throws
  {
    var programs: [[Step]] = [[first]]
    for program in programs where program.count == 1 {
      var longer = [program]
      for _ in 0..<3 {
        longer = longer.flatMap { short in Step.allCases.map { short + [$0] } }
        programs += longer
      }
    }
    let store = try Store()
    for program in programs.flatMap({ [$0, [.enterCaught] + $0] }) {
      try store.write { store.deleteAll() }
      var (real, naive) = (RealMachine(store: store), NaiveMachine())
      var (realErrors, naiveErrors): ([String], [String]) = ([], [])
      var (realNext, naiveNext) = (0, 0)
      let realEnd = Result { try real.run(program, &realNext, &realErrors) }
      let naiveEnd = Result { try naive.run(program, &naiveNext, &naiveErrors) }
      let isSame =
        realErrors == naiveErrors && realNext == naiveNext
        && "\(realEnd)" == "\(naiveEnd)"
        && store.isInWriteTransaction == !naive.levels.isEmpty
        && Set(store.objects(Owner.self).map(\.id)) == naive.levels.last ?? naive.committed
      if !isSame { Issue.record("\(program): \(realErrors) and not \(naiveErrors)") }
      while store.isInWriteTransaction { store.cancelWrite() }
      if Set(store.objects(Owner.self).map(\.id)) != naive.committed {
        Issue.record("\(program): another state was committed")
      }
    }
  }
}
