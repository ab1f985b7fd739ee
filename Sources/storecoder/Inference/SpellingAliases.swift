/// Joins the shapes of several files. A key that the files spell in different styles (`genre_ids`, `genreIds`) is one
/// member with aliases.
enum SpellingAliases {
  /// Returns the merged shape. The spelling of the first file that has a key is its name.
  static func join(_ files: [ObjectShape]) -> ObjectShape {
    let shape = ObjectShape()
    align(files)
    for file in files { shape.merge(file) }
    return shape
  }

  /// Renames the members at the same path of each file to one spelling.
  private static func align(_ files: [ObjectShape]) {
    let files = files.filter { !$0.isMap && !$0.members.isEmpty }
    guard files.count > 1 else { return }
    var spellings: [[String]: [(file: Int, member: ObjectShape.Member)]] = [:]
    for (index, file) in files.enumerated() {
      for member in file.members {
        spellings[NameWords.words(member.name), default: []].append((index, member))
      }
    }
    for (words, found) in spellings where !words.isEmpty {
      if let name = found.first?.member.name, areAliases(found) {
        for (file, member) in found where member.name != name {
          files[file].rename(member.name, to: name)
        }
        alignObjects(found.map(\.member.shape))
      } else {
        for (_, members) in Dictionary(grouping: found, by: \.member.name) {
          alignObjects(members.map(\.member.shape))
        }
      }
    }
  }

  private static func alignObjects(_ shapes: [Shape]) {
    align(shapes.compactMap(\.object))
    let elements = shapes.compactMap(\.element)
    if !elements.isEmpty { alignObjects(elements) }
  }

  /// True if no file has two of the spellings, and all values are of one kind. Names of keys are never aliases.
  private static func areAliases(_ found: [(file: Int, member: ObjectShape.Member)]) -> Bool {
    guard let first = found.first?.member, found.contains(where: { $0.member.name != first.name }),
      Set(found.map(\.file)).count == found.count
    else { return false }
    return found.allSatisfy { _, member in
      member.shape.hasKind(of: first.shape) && isStyled(member.name)
        && !KeySamples.names.contains(member.name)
    }
  }

  /// True if a key consists of words in one of the usual styles. Other characters, as in `$ref`, have a meaning.
  private static func isStyled(_ key: String) -> Bool {
    key.first?.isLetter ?? false
      && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }
}
