import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@testable import storecoder

@Suite struct `Inferred links by key` {
  private let command: StorecoderTool
  private let blog = StorecoderTool.fixture("imports/blog.json")

  init() throws {
    command = try StorecoderTool()
  }

  private func run(_ arguments: String...) throws -> String {
    let outcome = try command.run(arguments + ["--store", command.store])
    #expect(outcome.errors == "")
    return outcome.output
  }

  private func fixture() throws -> String {
    try StorecoderTool.canonical(String(contentsOfFile: blog, encoding: .utf8))
  }

  @Test func `links by key can be queried and are exported as they were imported`() throws {
    _ = try run("import", blog, "--links")
    #expect(
      try run("query", "Post", "user_id.name == \"Bob\"", "--columns", "id,user_id,likedByUserIds")
        == """
        id  user_id  likedByUserIds
        ──  ───────  ──────────────
        11  User 2   0 × objects
        1 object

        """)
    #expect(try run("query", "Post", "ANY likedByUserIds.name == \"Ann\"", "--count") == "1\n")
    #expect(try run("query", "Post", "reply_to_post_id.text == \"Hay\"", "--count") == "1\n")
    // One farm and all sections are missing, so references to them are not links.
    #expect(try run("query", "User", "farm_id == \"f2\"", "--count") == "1\n")
    #expect(try run("query", "Post", "section_id == 5", "--count") == "1\n")
    let exported = try run("export", "Blog", "--lines")
    #expect(try StorecoderTool.canonical(exported) == fixture())
    #expect(try run("import", blog).contains("0 inserted, 0 updated, 1 unchanged"))
    #expect(
      try run("query", "Post", "id == 10", "--json") == """
        [
        {"id":10,"user_id":1,"text":"Hay","reply_to_post_id":null,"likedByUserIds":[2,1],"section_id":4}
        ]

        """)
  }

  @Test func `references by key remain numbers without --links`() throws {
    _ = try run("import", blog)
    #expect(try run("query", "Post", "user_id == 2", "--count") == "1\n")
    #expect(try StorecoderTool.canonical(run("export", "Blog", "--lines")) == fixture())
  }

  @Test func `a later file may only refer to objects in the file or the store`() throws {
    _ = try run("import", blog, "--links")
    let later = try command.file("posts.json", #"[{"id": 12, "user_id": 2, "text": "Oh"}]"#)
    #expect(try run("import", later).contains("1 object: 1 inserted"))
    #expect(try run("query", "Post", "user_id.name == \"Bob\"", "--count") == "2\n")
    let stranger = try command.file("posts.json", #"[{"id": 13, "user_id": 3, "text": "Who"}]"#)
    let outcome = try command.run("import", stranger, "--store", command.store)
    #expect(
      outcome.errors == """
        storecoder: \(stranger): the file does not match \(command.store):
        line 1, column 24: Post.user_id is User by key in the store but Int in this file, where not all \
        values are keys of existing objects
        choose another class (--class) or another store (--store)

        """)
    #expect(try run("query", "User", "--count") == "2\n")
  }

  @Test(arguments: [(true, "user_id.name == \"N4999\""), (false, "user_id == 4999")])
  func `links between the objects of a file are inferred only to earlier objects`(
    refersToEarlier: Bool, condition: String
  ) throws {
    let users = (1...5_000).map {
      #"{"id":\#($0),"user_id":\#(refersToEarlier ? max(1, $0 - 1) : 5_001 - $0),"name":"N\#($0)"}"#
    }
    let path = try command.file("users.ndjson", users.joined(separator: "\n"))
    let outcome = try run("import", path, "--links")
    #expect(outcome.contains("5000 objects: 5000 inserted, 0 updated, 0 unchanged"))
    #expect(try run("query", "User", condition, "--count") == "1\n")
    #expect(try run("export", "User", "--lines") == users.map { $0 + "\n" }.joined())
  }

  @Test(arguments: [
    ("owner_id", ["Owner"]), ("ownerIds", ["Owner"]),
    ("in_reply_to_user_id", ["InReplyToUser", "ReplyToUser", "ToUser", "User"]),
    ("likedByUserIDs", ["LikedByUser", "ByUser", "User"]), ("id", []), ("_id", []), ("valid", []),
    ("grid", []), ("ids", []),
  ])
  func `member names yield the class names of possible links`(name: String, classes: [String]) {
    #expect(ClassNames.targets(of: name) == classes)
  }

  /// ``Blog`` and its classes are below, exactly as the command writes them.
  @Test func `model --links writes classes that compile and decode the file`() throws {
    let outcome = try command.run(["model", blog, "--links"])
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
      .components(separatedBy: "// MARK: - As the command writes them\n\n").last
    #expect(outcome.output == "import ObjectStore\n\n\(source ?? "")")

    let coder = StoreCoder(store: try Store())
    let blog = try coder.decode(Blog.self, from: Data(contentsOf: URL(filePath: blog)))
    #expect(blog.posts[1].replyToPostId?.userId?.name == "Ann")
    let body = String(decoding: try coder.encode(blog), as: UTF8.self)
    #expect(try StorecoderTool.canonical(body) == fixture())
  }

  @Test func `model --mermaid draws links by key`() throws {
    let diagram = try command.run(["model", blog, "--links", "--mermaid"]).output
    #expect(diagram.contains("\n    User? user_id\n"))
    #expect(diagram.contains("\n  Post --> User : user_id\n"))
    #expect(diagram.contains("\n  Post --> \"*\" User : likedByUserIds\n"))
  }
}

// MARK: - As the command writes them

final class Blog: Object {
  @Persisted var title = ""
  @Persisted var posts: List<Post>
  @Persisted var users: List<User>
  @Persisted var farms: List<Farm>
}

final class Farm: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var place = ""
}

final class User: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted(json: "farm_id") var farmId = ""
}

final class Post: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(json: "user_id", .byKey) var userId: User?
  @Persisted var text = ""
  @Persisted(json: "reply_to_post_id", .byKey, .writesNil) var replyToPostId: Post?
  @Persisted(.byKey) var likedByUserIds: List<User>
  @Persisted(json: "section_id") var sectionId = 0
}
