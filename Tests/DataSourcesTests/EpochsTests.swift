import Testing

@testable import DataSources

@Suite struct `Epochs of many ids` {
  @Test func `an id keeps at least its last number when the numbers of too many ids are dropped`() {
    var epochs = Epochs()
    epochs.mark(.ids(["first"]), at: 1)
    for number in 2...5000 { epochs.mark(.ids(["\(number)"]), at: number) }
    #expect(epochs.latest == 5000)
    #expect(epochs.last(affecting: AffectedKeys.ids(["first"])) >= 1)
    for number in 2...5000 {
      #expect(epochs.last(affecting: AffectedKeys.ids(["\(number)"])) >= number)
    }
  }
}
