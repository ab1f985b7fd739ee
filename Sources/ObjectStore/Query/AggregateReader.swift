/// Reads an aggregate of the elements. Without numbers, the sum is 0, and the minimum, maximum and average are null.
final class AggregateReader: OperandReader {
  private let aggregate: QueryAggregate
  private let collection: CollectionReader
  private let value: OperandReader

  init(_ aggregate: QueryAggregate, _ collection: CollectionReader, _ value: OperandReader) {
    self.aggregate = aggregate
    self.collection = collection
    self.value = value
    super.init(value.family, value.kind)
  }

  override func number(_ context: EvaluationContext) -> QueryNumber? {
    var accumulator = AggregateAccumulator(aggregate)
    collection.forEach(context) { element in
      if let number = value.number(element) { accumulator.add(number) }
      return true
    }
    return accumulator.result
  }

  override func cell(_ context: EvaluationContext) -> QueryCell {
    // Dates support only `min` and `max`.
    var best: Double?
    collection.forEach(context) { element in
      let cell = value.cell(element)
      if cell.isNull { return true }
      let date = Double(bitPattern: cell.word)
      best = best.map { aggregate == .min ? Swift.min($0, date) : Swift.max($0, date) } ?? date
      return true
    }
    return best.map { QueryCell(word: $0.bitPattern) } ?? .null
  }
}
