/// The key of a member or the index of an element.
struct JSONCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ key: String) {
    stringValue = key
    intValue = nil
  }

  init(_ index: Int) {
    stringValue = "\(index)"
    intValue = index
  }

  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { self.init(intValue) }
}
