import JSONText

/// What was seen of the values at one place of a document: how many of which kind.
final class Shape {
  private(set) var nulls = 0
  private(set) var bools = 0
  /// Those that an Int64 holds.
  private(set) var integers = 0
  /// Those that a UInt64 holds and an Int64 does not.
  private(set) var largeNaturals = 0
  /// Integers beyond 64 bits.
  private(set) var hugeIntegers = 0
  private(set) var negatives = 0
  /// Those that no Double holds.
  private(set) var beyondDouble = 0
  private(set) var fractions = 0
  private(set) var strings = 0
  private(set) var arrays = 0
  private(set) var emptyArrays = 0
  /// Of the objects; nil if there was none.
  private(set) var object: ObjectShape?
  /// Of the elements of the arrays; nil if there was none.
  private(set) var element: Shape?
  private(set) var places = FirstPlaces()

  /// How many values there were, nulls included.
  var count: Int {
    nulls + bools + numbers + strings + arrays + (object?.count ?? 0)
  }

  var numbers: Int { integers + largeNaturals + hugeIntegers + fractions }

  /// How many kinds there were; null is none.
  var kindCount: Int {
    [bools, numbers, strings, arrays, object?.count ?? 0].count { $0 > 0 }
  }

  /// Reads the next value.
  func read(_ reader: inout JSONReader, of batch: JSONSource.Batch) throws(JSONError) {
    let kind = reader.kind()
    let place = batch.place + reader.byteOffset
    switch kind {
    case .null:
      _ = try reader.null()
      nulls += 1
    case .bool:
      _ = try reader.bool()
      if bools == 0 { places.note(.bool, at: place) }
      bools += 1
    case .number:
      if numbers == 0 { places.note(.number, at: place) }
      note(try reader.numberText())
    case .string:
      _ = try reader.string()
      if strings == 0 { places.note(.string, at: place) }
      strings += 1
    case .array:
      if arrays == 0 { places.note(.array, at: place) }
      arrays += 1
      guard try reader.beginArray() else {
        emptyArrays += 1
        return
      }
      let element = self.element ?? Shape()
      self.element = element
      repeat { try element.read(&reader, of: batch) } while try reader.arrayContinues()
    case .object, .invalid:
      if object == nil { places.note(.object, at: place) }
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

  /// So many digits a Double always holds.
  private func noteExactness(_ number: UnsafeBufferPointer<UInt8>) {
    if number.count <= 15, !number.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return }
    let double = Double(String(decoding: number, as: UTF8.self)) ?? .infinity
    var written = "\(double)"
    let isExact =
      double.isFinite
      && written.withUTF8 { NumberDigits($0, limit: 400) } == NumberDigits(number, limit: 400)
    if !isExact { beyondDouble += 1 }
  }

  /// Adds what another place saw.
  /// - Parameter isOutlined: Whether objects in it are counted, and nothing else.
  func merge(_ other: Shape, isOutlined: Bool = false) {
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
    places.merge(other.places)
    if let theirs = other.object {
      let object = self.object ?? ObjectShape()
      self.object = object
      if isOutlined { object.addCounts(of: theirs) } else { object.merge(theirs) }
    }
    if let theirs = other.element {
      let element = self.element ?? Shape()
      self.element = element
      element.merge(theirs, isOutlined: isOutlined)
    }
  }

  func copy() -> Shape {
    let copy = Shape()
    copy.merge(self)
    return copy
  }
}
