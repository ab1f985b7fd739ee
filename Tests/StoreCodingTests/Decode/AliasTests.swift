import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Aliases` {
  final class Movie: Object {
    @Persisted(primaryKey: true, .aliases("_id")) var id: Int
    @Persisted(json: "genre_ids", .aliases("genres", "meta.genres")) var genres: List<Int>
    @Persisted(json: "info.title", .aliases("title", "/names/0")) var title = "none"
    @Persisted(.aliases("rating"), .mismatch(.skipAttribute)) var score: Int?
    @Persisted(.aliases("lead")) var star: Person?
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.aliases("full_name")) var name = ""
    @Persisted(.aliases("partner")) var spouse: Person?
  }

  private func movie(_ text: String) throws -> Movie { try makeCoder().decode(Movie.self, text) }

  @Test(arguments: [
    (#"{"id": 1, "genre_ids": [1], "genres": [2], "meta": {"genres": [3]}}"#, [1]),
    (#"{"id": 1, "genres": [2], "genre_ids": [1]}"#, [1]),
    (#"{"id": 1, "meta": {"genres": [3]}, "genres": [2]}"#, [2]),
    (#"{"id": 1, "meta": {"genres": [3]}}"#, [3]),
    (#"{"id": 1, "genres": [2], "genres": [4]}"#, [4]),
    (#"{"id": 1, "genre_ids": null, "genres": [2]}"#, []),
    (#"{"id": 1, "genres": "bad", "genre_ids": [1]}"#, [1]),
    (#"{"id": 1, "meta": null, "genres": [2]}"#, [2]),
    (#"{"id": 1, "meta": "text", "genres": [2]}"#, [2]),
    (#"{"id": 1, "meta": {"genres": [3]}, "meta": {}}"#, []),
    (#"{"id": 1}"#, []),
  ])
  func `the first path that is present is read, in any order of the members`(
    text: String, genres: [Int]
  ) throws {
    #expect(try Array(movie(text).genres) == genres)
  }

  @Test(arguments: [
    (#"{"id": 1, "info": {"title": "own"}, "title": "alias"}"#, "own"),
    (#"{"id": 1, "title": "alias", "info": {}}"#, "alias"),
    (#"{"id": 1, "names": ["first", "second"]}"#, "first"),
    (#"{"id": 1, "info": null, "title": "alias"}"#, "alias"),
    (#"{"id": 1, "info": {"title": "own"}, "info": {}, "title": "alias"}"#, "alias"),
    (#"{"id": 1, "info": 5, "title": "alias"}"#, "alias"),
    (#"{"id": 1, "title": "alias", "info": 5}"#, "alias"),
    (#"{"_id": 1}"#, "none"),
  ])
  func `paths and pointers can be aliases`(text: String, title: String) throws {
    let movie = try movie(text)
    #expect(movie.title == title)
    #expect(movie.id == 1)
  }

  @Test func `null in place of the object of the own path applies if no alias is present`() throws {
    #expect(
      message { _ = try movie(#"{"id": 1, "info": null}"#) }
        == "info (Movie.title, id 1): null for a String that is not optional at line 1, column 19"
    )
  }

  @Test
  func `another value in place of the object of the own path is an error if no alias is present`()
    throws
  {
    #expect(
      message { _ = try movie(#"{"id": 1, "info": 5}"#) }
        == "info (Movie.title, id 1): expected an object, found number 5 at line 1, column 19")
  }

  final class Chain: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.aliases("n")) var next: Chain?
    @Persisted(.aliases("all")) var rest: List<Chain>
  }

  @Test func `the time to decode nested aliases is linear in the size of the payload`() throws {
    // Reading each alias twice would read the innermost value 2^400 times.
    let depth = 400
    var text = ""
    for id in 0..<depth { text += #"{"id":\#(id),"n":"# }
    text += #"{"id":-1,"unread":[1,2,3]}"# + String(repeating: "}", count: depth)
    let coder = try makeCoder()
    try coder.decode(Chain.self, text)
    #expect(coder.store.objects(Chain.self).count == depth + 1)
  }

  final class AliasedKey: Object {
    @Persisted(primaryKey: true, json: "meta.id", .aliases("_id")) var id: Int
  }

  @Test(arguments: [AttributePolicy.Mismatches.throw, .skipAttribute, .useDefault, .skipElement])
  func `an alias of the key is read, in any order, if the own path is blocked`(
    policy: AttributePolicy.Mismatches
  ) throws {
    let coder = try makeCoder { $0.mismatches = policy }
    for text in [#"{"meta":5,"_id":1}"#, #"{"_id":1,"meta":5}"#, #"{"meta":null,"_id":1}"#] {
      #expect(try coder.decode(AliasedKey.self, text).id == 1)
    }
    let expected =
      policy == .throw || policy == .skipElement
      ? "meta (AliasedKey.id): expected an object, found number 5 at line 1, column 9"
      : "meta (AliasedKey.id): no value for the primary key 'meta.id', found number 5 at line 1, column 9"
    #expect(message { try coder.decode(AliasedKey.self, #"{"meta":5}"#) } == expected)
  }

  final class MixedParents: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "a.b") var x = 0
    @Persisted(.aliases("/a/0")) var y = 0
    @Persisted(json: "c.d", .mismatch(.skipAttribute)) var z = 0
    @Persisted(.aliases("/c/1")) var w = 0
  }

  @Test func `an array at an alias is no object for the path of another attribute`() throws {
    let coder = try makeCoder()
    for (value, found) in [("[5]", "an array"), ("5", "number 5")] {
      #expect(
        message { try coder.decode(MixedParents.self, #"{"id":1,"a":\#(value)}"#) }
          == "a (MixedParents.x, id 1): expected an object, found \(found) at line 1, column 13")
    }
    let result = try coder.read(MixedParents.self, from: Data(#"{"id":1,"c":[0,7]}"#.utf8))
    #expect(result.objects[0].w == 7)
    #expect(
      result.issues.map(\.description) == [
        "c (MixedParents.z, id 1): expected an object, found an array at line 1, column 13"
      ])
  }

  @Test func `objects with aliases cost the same below many others`() throws {
    func seconds(depth: Int) throws -> Double {
      let leaves = (0..<3_000).map { #"{"id":\#($0 + depth)}"# }.joined(separator: ",")
      var text = ""
      for id in 1..<depth { text += #"{"id":\#(id - 1),"n":"# }
      text += #"{"id":\#(depth - 1),"all":[\#(leaves)]}"#
      let data = Data((text + String(repeating: "}", count: depth - 1)).utf8)
      let coder = try makeCoder()
      return try threadSeconds { _ = try coder.updateDictionary(for: Chain.self, from: data) }
    }
    // Copying the states of all enclosing objects would take more than twenty times as long.
    #expect(try seconds(depth: 400) < 5 * seconds(depth: 1))
  }

  final class Crew: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.aliases("lead")) var star: Person?
    @Persisted var director: Person?
    @Persisted(.aliases("x"), .mismatch(.skipAttribute)) var a: Int?
    @Persisted(.mismatch(.skipAttribute)) var b: Int?
  }

  @Test func `objects at aliases are merged, and issues reported, in the order of the payload`()
    throws
  {
    let coder = try makeCoder()
    let result = try coder.read(
      Crew.self,
      from: Data(
        #"{"id":1,"lead":{"id":5,"name":"first"},"director":{"id":5,"name":"last"},"x":"?","b":"?"}"#
          .utf8))
    #expect(result.objects.first?.star?.name == "last")
    #expect(result.issues.map(\.path) == ["x", "b"])
  }

  @Test func `the objects of an alias that is not read are not stored`() throws {
    let coder = try makeCoder()
    for text in [
      #"{"id":1,"lead":{"id":5},"star":{"id":6}}"#, #"{"id":1,"star":{"id":6},"lead":{"id":7}}"#,
    ] {
      #expect(try coder.decode(Crew.self, text).star?.id == 6)
    }
    #expect(coder.store.objects(Person.self).map(\.id) == [6])
  }

  @Test func `the objects of an alias with an error are not stored if the own path is present`()
    throws
  {
    let coder = try makeCoder()
    let text = #"{"id":1,"lead":{"id":5,"spouse":{"id":7},"name":3},"star":{"id":6}}"#
    #expect(try coder.decode(Movie.self, text).star?.id == 6)
    #expect(coder.store.objects(Person.self).map(\.id) == [6])
  }

  @Test func `an error in an alias has an index only in an array`() throws {
    #expect(
      message { _ = try movie(#"{"id": 1, "names": [5]}"#) }
        == "names[0] (Movie.title, id 1): expected String, found number 5 at line 1, column 21")
    #expect(
      message { _ = try movie(#"{"id": 1, "names": {"0": 5}}"#) }
        == "names.0 (Movie.title, id 1): expected String, found number 5 at line 1, column 26")
  }

  final class Named: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.aliases("/names/0"), .null(.fail)) var first: Int?
    @Persisted(json: "/names/1") var second: Int
    @Persisted(.aliases("other.first", "/other/0")) var third: Int
  }

  @Test func `an alias before an encoded element must accept the null that is written there`()
    throws
  {
    #expect(
      message { try makeCoder().check(Named.self) }
        == "Named.first: null would be written at the alias '/names/0' before 'second' ('/names/1'); "
        + "remove the alias, or accept null")
  }

  final class Optional: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.aliases("/names/0")) var first: String?
    @Persisted(json: "/names/1") var second: String?
  }

  @Test func `a coder that rejects null rejects an alias before an encoded element`() throws {
    try makeCoder().check(Optional.self)
    #expect(
      message { try makeCoder { $0.nulls = .fail }.check(Optional.self) }
        == "Optional.first: null would be written at the alias '/names/0' before 'second' "
        + "('/names/1'); remove the alias, or accept null")
  }

  @Test func `the objects of links may use aliases at every depth`() throws {
    let movie = try movie(
      #"{"_id": 1, "lead": {"id": 2, "partner": {"full_name": "Jo", "id": 3}, "full_name": "Ann"}}"#
    )
    #expect(movie.star?.name == "Ann")
    #expect(movie.star?.spouse?.name == "Jo")
  }

  @Test func `encoding writes the own path`() throws {
    let coder = try makeCoder()
    let movie = try coder.decode(
      Movie.self, #"{"_id": 1, "genres": [2], "title": "a", "rating": 5}"#)
    let text = #"{"id":1,"genre_ids":[2],"info":{"title":"a"},"score":5}"#
    #expect(try coder.text(movie) == text)
    #expect(try coder.read(Movie.self, from: Data(text.utf8)).unchanged == 1)
  }

  @Test func `an error in an alias has the path of the alias`() throws {
    #expect(
      message { _ = try movie(#"{"id": 1, "meta": {"genres": [1, "x"]}}"#) }
        == #"meta.genres[1] (Movie.genres, id 1): expected Int, found string "x" at line 1, column 34"#
    )
    #expect(
      message { _ = try movie(#"{"_id": "x"}"#) }
        == #"_id (Movie.id): expected Int, found string "x" at line 1, column 9"#)
  }

  @Test func `an issue in an alias has the path of the alias`() throws {
    let result = try makeCoder().read(
      [Movie].self, from: Data(#"[{"id": 1, "rating": "x", "genres": [1]}]"#.utf8))
    #expect(
      result.issues.map(\.description) == [
        #"[0].rating (Movie.score, id 1): expected Int?, found string "x" at line 1, column 22"#
      ])
    #expect(result.objects.first.map { Array($0.genres) } == [1])
  }

  @Test func `bad elements are skipped together with what was found in them`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let result = try coder.read(
      [Movie].self,
      from: Data(#"[{"genres": "x", "_id": 1}, {"_id": 2, "genres": [7]}, {"genres": [8]}]"#.utf8))
    #expect(result.objects.map(\.id) == [2])
    #expect(result.objects.first.map { Array($0.genres) } == [7])
    #expect(result.issues.map(\.path) == ["[0].genres", "[2]"])
  }

  @Test func `a duplicate key is an error in an alias that is not read, too`() throws {
    let coder = try makeCoder { $0.duplicateKeys = .fail }
    let text = #"{"id": 1, "lead": {"id": 1, "id": 1}, "star": null}"#
    #expect(kind { try coder.decode(Movie.self, text) } == .duplicateKey)
    let good = #"{"id": 1, "lead": {"id": 2, "partner": {"id": 3}}, "genres": [1]}"#
    #expect(try coder.decode(Movie.self, good).star?.spouse?.id == 3)
  }

  @Test func `update dictionaries read aliases`() throws {
    let update = try makeCoder().updateDictionary(
      for: Movie.self, from: Data(#"{"_id": 1, "genres": [2]}"#.utf8))
    #expect(update["genres"] == [2])
    #expect(update["title"] == nil)
  }

  @Test func `explain lists aliases`() throws {
    #expect(
      try makeCoder().explain(Movie.self).contains("aliases: genres, meta.genres"))
  }

  final class Twice: Object {
    @Persisted(.aliases("b")) var a: Int
    @Persisted var b: Int
    @Persisted(.aliases("c")) var c: Int
    @Persisted(.aliases("a.x", "d..e")) var d: Int
    @Persisted(.aliases("f", "/f")) var e: Int
  }

  @Test func `aliases that collide with other paths or are invalid are mistakes`() throws {
    let text = message { try makeCoder().check(Twice.self) }
    for mistake in [
      "Twice: the attributes 'a' ('b') and 'b' ('b') have equivalent paths",
      "Twice.c: the alias 'c' repeats a path",
      "Twice: the key 'a' of 'a' is the beginning of the path of 'd'",
      "Twice.d.aliases: 'd..e' is not a valid path",
      "Twice.e: the alias '/f' repeats a path",
    ] {
      #expect(
        text.contains(mistake) || mistake.contains("equivalent") && text.contains("same key 'b'"))
    }
  }
}
