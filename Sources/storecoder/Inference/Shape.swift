import JSONText

/// Statistics of the values at one path of a document: the number of each kind.
final class Shape {
  private(set) var nulls = 0
  private(set) var bools = 0
  /// The number of integers that fit in an Int64.
  private(set) var integers = 0
  /// The number of integers that fit in a UInt64 but not in an Int64.
  private(set) var largeNaturals = 0
  /// The number of integers that do not fit in 64 bits.
  private(set) var hugeIntegers = 0
  private(set) var negatives = 0
  /// Numbers whose value changes when they are converted to a Double and back to decimal.
  private(set) var beyondDouble = 0
  private(set) var fractions = 0
  private(set) var strings = 0
  private(set) var arrays = 0
  private(set) var emptyArrays = 0
  /// The statistics of the objects; nil if there are none.
  private(set) var object: ObjectShape?
  /// The statistics of the arrays' elements; nil if there are none.
  private(set) var element: Shape?
  private(set) var firstOffsets = FirstOffsets()
  /// The notation of the strings and numbers; nil unless it is recorded.
  private(set) var samples: ValueSamples?

  /// The number of values, including nulls.
  var count: Int {
    nulls + bools + numbers + strings + arrays + (object?.count ?? 0)
  }

  var numbers: Int { integers + largeNaturals + hugeIntegers + fractions }

  /// The number of kinds; null does not count.
  var kindCount: Int {
    [bools, numbers, strings, arrays, object?.count ?? 0].count { $0 > 0 }
  }

  /// Reads the next value.
  func read(_ reader: inout JSONReader, of batch: JSONSource.Batch) throws(JSONError) {
    let kind = reader.kind()
    let offset = batch.fileOffset + reader.byteOffset
    if batch.notesValues, samples == nil { samples = ValueSamples() }
    switch kind {
    case .null:
      _ = try reader.null()
      nulls += 1
    case .bool:
      _ = try reader.bool()
      if bools == 0 { firstOffsets.note(.bool, at: offset) }
      bools += 1
    case .number:
      if numbers == 0 { firstOffsets.note(.number, at: offset) }
      let number = try reader.numberText()
      note(number)
      samples?.note(number: number)
    case .string:
      let string = try reader.string()
      samples?.note(string: string.bytes)
      if strings == 0 { firstOffsets.note(.string, at: offset) }
      strings += 1
    case .array:
      if arrays == 0 { firstOffsets.note(.array, at: offset) }
      arrays += 1
      guard try reader.beginArray() else {
        emptyArrays += 1
        return
      }
      let element = self.element ?? Shape()
      self.element = element
      repeat { try element.read(&reader, of: batch) } while try reader.arrayContinues()
    case .object, .invalid:
      if object == nil { firstOffsets.note(.object, at: offset) }
      let object = self.object ?? ObjectShape()
      self.object = object
      try object.read(&reader, of: batch)
    }
  }

  private func note(_ number: UnsafeBufferPointer<UInt8>) {
    if number.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
      fractions += 1
      noteExactness(number)
      return
    }
    noteExactness(number)
    if number.first == UInt8(ascii: "-") { negatives += 1 }
    if number.count <= 18 {
      integers += 1
      return
    }
    let text = String(decoding: number, as: UTF8.self)
    if Int64(text) != nil {
      integers += 1
    } else if UInt64(text) != nil {
      largeNaturals += 1
    } else {
      hugeIntegers += 1
    }
  }

  /// Counts a number if its value changes when it is converted to a Double and back to decimal. Numbers of up to 15
  /// characters without an exponent do not change.
  private func noteExactness(_ number: UnsafeBufferPointer<UInt8>) {
    if number.count <= 15, !number.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return }
    let double = Double(String(decoding: number, as: UTF8.self)) ?? .infinity
    var written = "\(double)"
    let isExact =
      double.isFinite
      && written.withUTF8 { NumberDigits($0, limit: 400) } == NumberDigits(number, limit: 400)
    if !isExact { beyondDouble += 1 }
  }

  /// Adds the statistics of another path.
  /// - Parameters:
  ///   - isOutlined: True to count nested objects only, without their members.
  ///   - resolved: A function that returns the shape into which a nested shape was merged, or the shape itself.
  func merge(
    _ other: Shape, isOutlined: Bool = false,
    resolving resolved: (ObjectShape) -> ObjectShape = { $0 }
  ) {
    nulls += other.nulls
    bools += other.bools
    integers += other.integers
    largeNaturals += other.largeNaturals
    hugeIntegers += other.hugeIntegers
    negatives += other.negatives
    beyondDouble += other.beyondDouble
    fractions += other.fractions
    strings += other.strings
    arrays += other.arrays
    emptyArrays += other.emptyArrays
    firstOffsets.merge(other.firstOffsets)
    if let theirs = other.samples {
      if samples == nil { samples = theirs } else { samples?.merge(theirs) }
    }
    if let theirs = other.object {
      let object = self.object ?? ObjectShape()
      self.object = object
      if isOutlined {
        object.addCounts(of: theirs)
      } else if resolved(object) !== resolved(theirs) {
        resolved(object).merge(theirs, resolving: resolved)
      }
    }
    if let theirs = other.element {
      let element = self.element ?? Shape()
      self.element = element
      element.merge(theirs, isOutlined: isOutlined, resolving: resolved)
    }
  }

  /// Returns the shape of the same arrays with other elements.
  func withElements(_ element: Shape) -> Shape {
    let shape = Shape()
    shape.nulls = nulls
    shape.arrays = arrays
    shape.emptyArrays = emptyArrays
    shape.firstOffsets = firstOffsets
    shape.element = element
    return shape
  }

  func copy() -> Shape {
    let copy = Shape()
    copy.merge(self)
    return copy
  }
}
