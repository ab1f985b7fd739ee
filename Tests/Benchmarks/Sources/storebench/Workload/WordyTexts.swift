/// Texts with a realistic vocabulary, for text search.
struct WordyTexts {
  /// Texts of eight words each; some words are far more frequent than others.
  let texts: [String]
  /// Searches for the prefix of one word and the whole of another: `cof* bean`. Each matches at least one of the texts.
  let searches: [String]

  init(count: Int, seed: UInt64) {
    var random = Random(seed: seed)
    var vocabulary: [String] = []
    for first in Self.syllables {
      for second in Self.syllables {
        vocabulary.append(first + second)
        for third in ["s", "ing", "house"] { vocabulary.append(first + second + third) }
      }
    }
    random.shuffle(&vocabulary)
    texts = (0..<count).map { _ in
      (0..<8).map { _ in
        vocabulary[random.below(1 + random.below(vocabulary.count))]
      }.joined(separator: " ")
    }
    var searches: [String] = []
    for _ in 0..<min(count, 100) {
      let words = random.pick(texts).split(separator: " ")
      searches.append("\(words[1].prefix(3))* \(words[5])")
    }
    self.searches = searches
  }

  private static let syllables = [
    "ba", "bea", "cof", "dor", "fee", "gan", "hal", "jun", "kel", "lam", "mor", "nap", "oli", "pen",
    "qui", "ros", "sil", "tor", "uma", "ven", "wil", "xen", "yar", "zol", "bri", "cla", "dro",
    "fli",
    "gre", "sta",
  ]
}
