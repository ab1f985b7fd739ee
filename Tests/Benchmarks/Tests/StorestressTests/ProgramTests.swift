import ObjectStore
import Testing

@testable import storestress

@Suite struct `Simulated programs` {
  @Test(arguments: Place.allCases)
  func `a seed gives the same program in every run`(_ place: Place) {
    var (first, second) = (Generator(seed: 7, place: place), Generator(seed: 7, place: place))
    let program = first.program(200)
    #expect(program == second.program(200))
    var other = Generator(seed: 8, place: place)
    #expect(program != other.program(200))
  }

  @Test func `a program is shown as Swift code`() {
    let steps: [Step] = [
      .write(
        on: 0, as: .user,
        [
          .set(.order, 3, "note", .plain(1)),
          .create(.shop, 2, [Member("staff", .links([1, nil]))]),
        ], end: .rollBack),
      .refresh(on: 1),
      .crash(.power(7), at: 3),
    ]
    #expect(
      literal(steps)
        == #"[.write(on: 0, as: .user, [.set(.order, 3, "note", .plain(1)), .create(.shop, 2, "#
        + #"[Member("staff", .links([1, nil]))])], end: .rollBack), .refresh(on: 1), "#
        + ".crash(.power(7), at: 3)]")
  }

  @Test @MainActor func `a program that fails is shrunk to the steps that matter`() async {
    var generator = Generator(seed: 3, place: .memory)
    let flaw = Change.set(.order, 3, "note", .plain(1))
    var program = generator.program(100)
    program.insert(
      .write(on: 0, as: .user, [.delete(.shop, 1), flaw, .delete(.shop, 2)], end: .commit), at: 60)
    program.insert(.flush, at: 20)
    func hasFlaw(_ step: Step) -> Bool {
      if case .write(_, _, let changes, .commit) = step { changes.contains(flaw) } else { false }
    }
    let shrinker = Shrinker(
      fails: { steps in
        guard let flush = steps.firstIndex(of: .flush) else { return false }
        return steps[flush...].contains(where: hasFlaw)
      }, isOver: { false })
    let shrunk = await shrinker.shrink(program)
    #expect(shrunk == [.flush, .write(on: 0, as: .user, [flaw], end: .commit)])
  }

  @Test func `the model has the attributes of the classes`() {
    #expect(Attribute.of(.order).map(\.name).contains("guests"))
    for kind in Kind.allCases {
      let object = kind.type.init()
      for attribute in Attribute.of(kind) {
        #expect(attribute.read(object) == attribute.initial, "\(kind).\(attribute.name)")
      }
    }
  }
}

@Suite struct `The model of an object` {
  private let note = Attribute.index(.order, "note")

  private func record() -> Record {
    Record(Attribute.of(.order), known: .all(Attribute.of(.order).count))
  }

  @Test func `an attribute that is set back has no edit`() {
    var record = record()
    record.edit(note, .plain(1))
    record.recordEdits()
    #expect(record.edits.edited.indices == [note])
    record.edit(note, .plain(0))
    record.recordEdits()
    #expect(record.edits.bases.isEmpty)
  }

  @Test func `a payload changes the base value of an edited attribute only`() {
    var record = record()
    record.edit(note, .plain(1))
    record.recordEdits()
    record.receive(note, .plain(2), isAssigned: false)
    #expect(record.values[note] == .plain(1))
    #expect(record.edits.bases[note] == .plain(2))
    record.revertAll()
    #expect(record.values[note] == .plain(2))
  }

  @Test func `a confirmed edit ends unless the attribute has changed since`() {
    var record = record()
    record.edit(note, .plain(1))
    record.recordEdits()
    guard let sent = record.take() else {
      Issue.record("there is no edit")
      return
    }
    let second = record.take()
    #expect(second == nil)
    record.edit(note, .plain(2))
    record.recordEdits()
    record.confirm(sent)
    #expect(record.edits.bases[note] == .plain(1))
    guard let again = record.take() else {
      Issue.record("there is no edit")
      return
    }
    record.confirm(again)
    #expect(record.edits.bases.isEmpty)
  }
}
