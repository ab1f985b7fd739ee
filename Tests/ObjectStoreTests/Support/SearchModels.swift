import Foundation
import ObjectStore

/// Models for the tests of text search.
enum Searched {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(searchable: true) var name = ""
    @Persisted(originProperty: "owner") var animals: LinkingObjects<Animal>
  }

  final class Animal: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(searchable: true) var name = ""
    @Persisted(indexed: true, searchable: true, json: "remark", .null(.skip)) var note: String?
    @Persisted var breed = ""
    @Persisted(indexed: true) var legs = 4
    @Persisted var site: URL?
    @Persisted var owner: Owner?
    @Persisted var friends: List<Animal>
    @Persisted var tags: List<String>
    @Persisted var collar: Collar?
  }

  final class Collar: EmbeddedObject {
    @Persisted(searchable: true) var text: String
  }
}

/// A naive implementation of text search, on Strings and without an index.
enum NaiveSearch {
  /// A sequence of letters and digits in a folded text, and the operators next to it.
  struct Word {
    let text: String
    let hasStar: Bool
    let hasMinus: Bool
  }

  static func words(_ text: String) -> [Word] {
    let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    let scalars = Array(folded.unicodeScalars)
    func isLetter(_ offset: Int) -> Bool {
      guard scalars.indices.contains(offset) else { return false }
      let properties = scalars[offset].properties
      return properties.isAlphabetic || properties.numericType != nil
    }
    var words: [Word] = []
    var offset = 0
    while offset < scalars.count {
      guard isLetter(offset) else {
        offset += 1
        continue
      }
      let first = offset
      while isLetter(offset)
        || offset < scalars.count && scalars[offset].properties.isGraphemeExtend
      { offset += 1 }
      let hasMinus =
        first > 0 && scalars[first - 1] == "-"
        && (first == 1 || scalars[first - 2].properties.isWhitespace)
      var word = String.UnicodeScalarView()
      word.append(contentsOf: scalars[first..<offset])
      words.append(
        Word(
          text: String(word), hasStar: offset < scalars.count && scalars[offset] == "*",
          hasMinus: hasMinus))
    }
    return words
  }

  static func holds(_ search: String, _ text: String?) -> Bool {
    guard let text else { return false }
    let words = words(text).map { Array($0.text.utf8) }
    return Self.words(search).allSatisfy { sought in
      let bytes = Array(sought.text.utf8)
      let isFound = words.contains { sought.hasStar ? $0.starts(with: bytes) : $0 == bytes }
      return isFound != sought.hasMinus
    }
  }
}
