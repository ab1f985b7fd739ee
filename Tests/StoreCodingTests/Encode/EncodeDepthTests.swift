import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Returns arrays or objects of this depth around a number.
private func nested(_ depth: Int, inArrays: Bool) -> JSONValue {
  (0..<depth).reduce(.int(1)) { value, _ in inArrays ? [value] : ["a": value] }
}

@Suite struct `The depth limit of bodies` {
  private final class Box: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var json: JSONValue
  }

  private final class Converted: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(
      .coding(decode: { try $0.decode(Int.self) }, encode: { nested($0, inArrays: true) }))
    var arrays: Int?
    @Persisted(
      .coding(decode: { try $0.decode(Int.self) }, encode: { nested($0, inArrays: false) }))
    var objects: Int?
  }

  private static let limit = 5

  private func makeLimitedCoder() throws -> StoreCoder {
    try makeCoder { $0.limits.depth = Self.limit }
  }

  private func chain(of count: Int, firstID: Int) -> Coding.KeyedLink {
    let first = Coding.KeyedLink()
    first.id = firstID
    var last = first
    for id in (firstID + 1)..<(firstID + count) {
      let next = Coding.KeyedLink()
      next.id = id
      last.next = next
      last = next
    }
    return first
  }

  private func box(id: Int, depth: Int, inArrays: Bool) -> Box {
    let box = Box()
    box.id = id
    box.json = nested(depth, inArrays: inArrays)
    return box
  }

  @Test(arguments: [false, true])
  func `a chain of as many objects as the limit is encoded, and a longer one is rejected`(
    isManaged: Bool
  ) throws {
    let coder = try makeLimitedCoder()
    let (allowed, rejected) = (
      chain(of: Self.limit, firstID: 1), chain(of: Self.limit + 1, firstID: 11)
    )
    if isManaged {
      try coder.store.write {
        try coder.store.add(allowed, update: .modified)
        try coder.store.add(rejected, update: .modified)
      }
    }
    #expect(try coder.text(allowed).components(separatedBy: "id").count - 1 == Self.limit)
    #expect(
      message { _ = try coder.encode(rejected) }
        == "next.next.next.next.next (KeyedLink.next): the limit of 5 nested objects is exceeded")
  }

  @Test(arguments: [false, true], [false, true])
  func `a JSON value as deep as the limit is encoded, and a deeper one is rejected`(
    isManaged: Bool, inArrays: Bool
  ) throws {
    let coder = try makeLimitedCoder()
    let allowed = box(id: 1, depth: Self.limit, inArrays: inArrays)
    let rejected = box(id: 2, depth: Self.limit + 1, inArrays: inArrays)
    if isManaged {
      try coder.store.write {
        try coder.store.add(allowed, update: .modified)
        try coder.store.add(rejected, update: .modified)
      }
    }
    let json = inArrays ? "[[[[[1]]]]]" : #"{"a":{"a":{"a":{"a":{"a":1}}}}}"#
    #expect(try coder.text(allowed) == #"{"id":1,"json":\#(json)}"#)
    #expect(
      message { _ = try coder.encode(rejected) }
        == "json (Box.json): the limit of 5 nested objects is exceeded")
  }

  @Test func `a converted value as deep as the limit is encoded, and a deeper one is rejected`()
    throws
  {
    let coder = try makeLimitedCoder()
    let converted = Converted()
    (converted.arrays, converted.objects) = (Self.limit, Self.limit)
    #expect(
      try coder.text(converted)
        == #"{"id":0,"arrays":[[[[[1]]]]],"objects":{"a":{"a":{"a":{"a":{"a":1}}}}}}"#)
    converted.arrays = Self.limit + 1
    #expect(
      message { _ = try coder.encode(converted) }
        == "arrays (Converted.arrays): the limit of 5 nested objects is exceeded")
    (converted.arrays, converted.objects) = (nil, Self.limit + 1)
    #expect(
      message { _ = try coder.encode(converted) }
        == "objects (Converted.objects): the limit of 5 nested objects is exceeded")
  }
}
