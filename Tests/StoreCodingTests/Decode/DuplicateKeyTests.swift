import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private final class Pen: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(.mismatch(.skipElement)) var hens: Map<String, Leaf>
}

/// Duplicate keys in objects of all kinds.
@Suite struct `Duplicate keys in payloads` {
  private func issues<T: Object>(_ type: T.Type, _ text: String, _ coder: StoreCoder) throws
    -> [String]
  {
    try coder.read(type, from: Data(text.utf8)).issues.map(\.description)
  }

  // MARK: - Rejected

  @Test(arguments: [
    (#"{"id":1,"address":{"city":"a"},"address":{"street":"b"}}"#, "address (id 1)"),
    (#"{"id":1,"address":{"city":"a","city":"b"}}"#, "address.city (Sheep.city, id 1)"),
    (#"{"id":1,"wool":1,"wool":2}"#, "wool (id 1)"),
    (#"{"id":1,"x":{"y":[{"k":1,"k":2}]}}"#, "data.sheep.x (id 1)"),
    (#"{"id":1,"id":2}"#, "id (Sheep.id, id 1)"),
  ])
  func `the strict configuration rejects duplicates in paths, unknown keys and skipped values`(
    _ text: String, _ location: String
  ) throws {
    let strict = try StoreCoder(store: Store(), configuration: .strict)
    let found = message {
      try strict.decode(Coding.Sheep.self, #"{"data":{"sheep":\#(text)}}"#)
    }
    #expect(found.contains(" occurs twice in one object at line 1, column "))
    #expect(found.contains(location + ": the key '"))
    #expect(strict.store.objects(Coding.Sheep.self).isEmpty)
  }

  @Test(arguments: [
    #"{"id":1,"skipped":null,"skipped":5}"#, #"{"id":1,"skipped":5,"skipped":null}"#,
    #"{"id":1,"list":null,"list":null}"#, #"{"id":1,"x":1,"x":2}"#,
  ])
  func `the strict configuration rejects duplicates if one value is a skipped null`(_ text: String)
    throws
  {
    let strict = try StoreCoder(store: Store(), configuration: .strict)
    #expect(kind { try strict.decode(Coding.Policies.self, text) } == .duplicateKey)
  }

  @Test(arguments: [
    #"{"id":1,"json":{"a":1,"a":2}}"#, #"{"id":1,"json":[{"b":{"a":1,"\u0061":2}}]}"#,
    #"{"id":1,"exact":{"a":1,"a":2}}"#, #"{"id":1,"minified":[{"a":1,"a":2}]}"#,
  ])
  func `the strict configuration rejects duplicates in JSON values and raw JSON`(_ text: String)
    throws
  {
    let strict = try StoreCoder(store: Store(), configuration: .strict)
    #expect(
      message { try strict.decode(AllTypes.self, text) }
        .contains("id 1): the key 'a' occurs twice in one object at line 1, column "))
  }

  @Test func `the strict configuration rejects duplicates in maps and next to envelopes`() throws {
    let strict = try StoreCoder(store: Store(), configuration: .strict)
    #expect(
      message { try strict.decode(AllTypes.self, #"{"id":1,"intMap":{"a":1,"a":2}}"#) }
        == "intMap.a (AllTypes.intMap, id 1): the key 'a' occurs twice in one object "
        + "at line 1, column 25")
    for text in [
      #"{"user":{"id":"a"},"user":{"id":"b"}}"#, #"{"x":1,"user":{"id":"a"},"x":2}"#,
      #"{"user":{"id":"a"},"meta":{"x":1,"x":1}}"#,
    ] {
      #expect(kind { try strict.decode(Coding.User.self, text) } == .duplicateKey)
    }
    #expect(strict.store.objects(Coding.User.self).isEmpty)
    // Canonically equivalent, but different bytes.
    #expect(
      message {
        try strict.decode(
          Coding.User.self, "{\"\u{E9}\":1,\"e\u{301}\":2,\"user\":{\"id\":\"a\"}}")
      } == "no error")
  }

  @Test func `skipElement does not skip a duplicate key that the coder rejects`() throws {
    let coder = try makeCoder {
      $0 = .strict
      $0.mismatches = .skipElement
    }
    #expect(
      kind {
        try coder.decodeArray(Leaf.self, #"[{ "id": "a", "name": "b", "name": "c" }]"#)
      } == .duplicateKey)
  }

  // MARK: - Last value wins

  @Test func `the last of duplicate path parts replaces the earlier one with one issue`() throws {
    let coder = try makeCoder()
    let text = #"{"id":1,"address":{"city":"a","street":"s"},"address":{"city":"b"}}"#
    let result = try coder.read(
      Coding.Sheep.self, from: Data(#"{"data":{"sheep":\#(text)}}"#.utf8))
    #expect(result.objects[0].city == "b")
    #expect(result.objects[0].street == "unknown")
    #expect(
      result.issues.map(\.description) == [
        "data.sheep.address (id 1): the key 'address' occurs twice in one object "
          + "at line 1, column 62"
      ])
  }

  @Test func `a value after a skipped null of the same key wins with one issue`() throws {
    let coder = try makeCoder()
    let text = #"{"id":1,"skipped":null,"skipped":5}"#
    #expect(
      try issues(Coding.Policies.self, text, coder) == [
        "skipped (Policies.skipped, id 1): the key 'skipped' occurs twice in one object "
          + "at line 1, column 24"
      ])
    #expect(coder.store.object(ofType: Coding.Policies.self, forPrimaryKey: 1)?.skipped == 5)
  }

  @Test(arguments: ["a1", "a62", "a63", "a64", "a65", "a127", "a128", "a130"])
  func `duplicates are detected for every key of a class with many attributes`(name: String) throws
  {
    let coder = try makeCoder()
    let others = (1...130).map { "\"a\($0)\":\($0)" }.filter { !$0.hasPrefix("\"\(name)\"") }
      .joined(separator: ",")
    let sound = #"{"id":1,"\#(name)":null,\#(others)}"#
    #expect(try issues(Coding.Wide.self, sound, coder).isEmpty)
    let text = #"{"id":1,"\#(name)":null,\#(others),"\#(name)":7}"#
    let result = try coder.read(Coding.Wide.self, from: Data(text.utf8))
    #expect(result.issues.map(\.path) == [name])
    #expect(result.objects[0][name] as? Int == 7)
  }

  @Test func `the last of duplicate envelopes is stored with one issue`()
    throws
  {
    let coder = try makeCoder()
    #expect(
      try issues(
        Coding.User.self,
        #"{"user":{"id":"a","rank":1,"rank":2},"user":{"id":"b","publisher":{"identifier":1}}}"#,
        coder) == ["user: the key 'user' occurs twice in one object at line 1, column 38"])
    #expect(coder.store.objects(Coding.User.self).map(\.objId) == ["b"])
    let list = try coder.read(
      [Coding.User].self,
      from: Data(#"{"users":[{"id":"c"},{"id":"d"}],"users":[{"id":"e"}]}"#.utf8))
    #expect(list.objects.map(\.objId) == ["e"])
    #expect(list.issues.map(\.path) == ["users"])
    #expect(coder.store.objects(Coding.User.self).map(\.objId) == ["b", "e"])
  }

  @Test func `outer and inner parts of an envelope may be duplicated`() throws {
    let coder = try makeCoder()
    let result = try coder.read(
      [Coding.PagedUser].self,
      from: Data(
        #"""
        {"data":{"items":[{"id":"a"}],"items":[{"id":"b"}]},
         "data":{"items":[{"id":"c"}],"items":[{"id":"d"}]}}
        """#.utf8))
    #expect(result.objects.map(\.objId) == ["d"])
    #expect(coder.store.objects(Coding.PagedUser.self).count == 1)
    #expect(result.issues.map(\.path) == ["data", "data.items"])
  }

  // MARK: - In JSON values

  private static let json = [
    (#""json":{"a":1,"b":2,"a":3}"#, [("json.a", 29)]),
    (#""json":[0,{"b":{"a":1,"\u0061":2}}]"#, [("json[1].b.a", 31)]),
    (#""json":{"a":1,"a":2,"a":3}"#, [("json.a", 23), ("json.a", 29)]),
    (
      #""json":{"a":{"x":1,"x":2},"b":[{"y":1,"y":2}],"a":{"z":1,"z":2}}"#,
      [("json.b[0].y", 47), ("json.a", 55), ("json.a.z", 66)]
    ),
    (#""json":{"":1,"":2}"#, [(#"json."""#, 22)]),
  ]

  @Test(arguments: Self.json)
  func `the last of duplicate keys in a JSON value wins with an issue`(
    member: String, locations: [(String, Int)]
  ) throws {
    let coder = try makeCoder()
    let found = try issues(AllTypes.self, #"{"id":1,\#(member)}"#, coder)
    let expected = locations.map { path, column in
      let key = path.hasSuffix(#""""#) ? "" : path.suffix(1)
      return "\(path) (AllTypes.json, id 1): the key '\(key)' occurs twice in one object "
        + "at line 1, column \(column)"
    }
    #expect(found == expected)
  }

  @Test(arguments: Self.json)
  func `the strict configuration reports the path of a duplicate key in a JSON value`(
    member: String, locations: [(String, Int)]
  ) throws {
    let strict = try StoreCoder(store: Store(), configuration: .strict)
    let found = message { try strict.decode(AllTypes.self, #"{"id":1,\#(member)}"#) }
    let first =
      member.contains(#""x":1,"x":2"#)
      ? "json.a.x (AllTypes.json, id 1): the key 'x' occurs twice in one object at line 1, column 28"
      : try issues(AllTypes.self, #"{"id":1,\#(member)}"#, makeCoder()).first
    #expect(found == first)
  }

  @Test func `duplicate keys in JSON values of collections are issues`() throws {
    let coder = try makeCoder()
    #expect(
      try issues(AllTypes.self, #"{"id":1,"jsons":[1,{"a":1,"a":2}]}"#, coder) == [
        "jsons[1].a (AllTypes.jsons, id 1): the key 'a' occurs twice in one object "
          + "at line 1, column 27"
      ])
  }

  @Test(.timeLimit(.minutes(10)))
  func `duplicate keys at each of 400 levels of a JSON value are reported`()
    throws
  {
    var json = "0"
    for _ in 0..<400 { json = #"{"a":0,"b":1,"a":\#(json)}"# }
    let wide =
      #"{"k":0,"# + (0..<50_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + #","k":1}"#
    let coder = try makeCoder()
    #expect(try issues(AllTypes.self, #"{"id":1,"json":\#(json)}"#, coder).count == 400)
    #expect(try issues(AllTypes.self, #"{"id":1,"json":\#(wide)}"#, coder).count == 1)
  }

  @Test func `raw JSON keeps duplicate keys`() throws {
    let coder = try makeCoder()
    let text = #"{"id":1,"exact":{"a":1,"a":2}}"#
    #expect(try issues(AllTypes.self, text, coder) == [])
    #expect(
      try coder.text(coder.store.objects(AllTypes.self)[0]).contains(#""exact":{"a":1,"a":2}"#)
    )
  }

  // MARK: - Rollback

  @Test(
    arguments: [
      (#"{"id":1,"lenient":"x","lenient":5}"#, ["lenient (Policies.lenient, id 1)"]),
      (
        #"{"id":1,"plain":1,"leaf":{"id":"a","name":"b","name":"c"},"lenient":true,"leaf":null,"lenient":5}"#,
        ["leaf (Policies.leaf, id 1)", "lenient (Policies.lenient, id 1)"]
      ),
      (#"{"id":1,"numbers":[1,"x"],"numbers":[1]}"#, ["numbers (Policies.numbers, id 1)"]),
    ])
  func `the issues of a replaced value are removed`(text: String, locations: [String]) throws {
    let found = try issues(Coding.Policies.self, text, makeCoder())
    #expect(found.map { $0.components(separatedBy: ": the key")[0] } == locations)
  }

  @Test func `the issues of a replaced map value are removed`() throws {
    let coder = try makeCoder { $0.mismatches = .skipAttribute }
    let found = try issues(
      AllTypes.self,
      #"{"id":1,"remarkMap":{"a":{"likes":"x"},"b":{"likes":"y"},"a":{"likes":1}}}"#, coder)
    #expect(
      found == [
        "remarkMap.b.likes (Remark.likes, id 1): expected Int?, found string \"y\" "
          + "at line 1, column 53",
        "remarkMap.a (AllTypes.remarkMap, id 1): the key 'a' occurs twice in one object "
          + "at line 1, column 58",
      ])
  }

  @Test(
    arguments: [
      (
        #"{"a":1,"a":"bad"}"#, [:],
        [
          "limits.a (Page.limits, id 1): the key 'a' occurs twice in one object "
            + "at line 1, column 25",
          #"limits.a (Page.limits, id 1): expected Int, found string "bad" at line 1, column 29"#,
        ]
      ),
      (
        #"{"a":"bad","a":1}"#, ["a": 1],
        [
          "limits.a (Page.limits, id 1): the key 'a' occurs twice in one object "
            + "at line 1, column 29"
        ]
      ),
      (
        #"{"b":2,"a":"bad","a":1,"a":"worse","c":3}"#, ["b": 2, "c": 3],
        [
          "limits.a (Page.limits, id 1): the key 'a' occurs twice in one object "
            + "at line 1, column 35",
          "limits.a (Page.limits, id 1): the key 'a' occurs twice in one object "
            + "at line 1, column 41",
          #"limits.a (Page.limits, id 1): expected Int, found string "worse" "#
            + "at line 1, column 45",
        ]
      ),
    ] as [(String, [String: Int], [String])])
  func `a skipped map element replaces earlier elements with its key`(
    map: String, stored: [String: Int], found: [String]
  ) throws {
    let coder = try makeCoder()
    #expect(try issues(Coding.Page.self, #"{"id":1,"limits":\#(map)}"#, coder) == found)
    let page = try #require(coder.store.object(ofType: Coding.Page.self, forPrimaryKey: 1))
    #expect(Dictionary(uniqueKeysWithValues: page.limits.map { ($0.0, $0.1) }) == stored)
    let version = coder.store.version
    _ = try issues(Coding.Page.self, #"{"id":1,"limits":\#(map)}"#, coder)
    #expect(coder.store.version == version)
  }

  @Test func `a map element replaced by a skipped one is not stored`()
    throws
  {
    let coder = try makeCoder()
    let found = try issues(
      Pen.self, #"{"id":1,"hens":{"a":{"id":"x"},"b":{"id":"y"},"a":"bad"}}"#, coder)
    #expect(
      found == [
        "hens.a (Pen.hens, id 1): the key 'a' occurs twice in one object at line 1, column 47",
        #"hens.a (Pen.hens, id 1): expected Leaf, found string "bad" at line 1, column 51"#,
      ])
    #expect(coder.store.objects(Leaf.self).map(\.id) == ["y"])
    let pen = try #require(coder.store.object(ofType: Pen.self, forPrimaryKey: 1))
    #expect(pen.hens.map { $0.0 } == ["b"])
  }

  // MARK: - Time

  @Test(.timeLimit(.minutes(10)))
  func `the strict configuration accepts 50,000 unknown keys within the time limit`() throws {
    let keys = (0..<50_000).map { "\"u\($0)\":\($0)" }.joined(separator: ",")
    let strict = try StoreCoder(store: Store(), configuration: .strict)
    try strict.decode(Leaf.self, #"{"id":"a",\#(keys)}"#)
    try strict.decode(Coding.User.self, #"{\#(keys),"user":{"id":"a"}}"#)
    #expect(strict.store.objects(Leaf.self).count == 1)
  }
}
